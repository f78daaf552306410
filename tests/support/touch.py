"""A real finger on a page: touches as a browser has them from a screen, not clicks of a mouse."""


class Finger:
    """One finger; what it does to the page is up to the page, scrolling too.

    Args:
        page: the page of a context that has touch.
    """

    def __init__(self, page):
        self._cdp = page.context.new_cdp_session(page)

    def down(self, x, y):
        self._send("touchStart", x, y)

    def move(self, x, y):
        self._send("touchMove", x, y)

    def up(self):
        self._cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def drag(self, start, end, steps=8):
        """Put the finger down, carry it in a straight line, and lift it."""
        self.down(*start)
        for step in range(1, steps + 1):
            part = step / steps
            self.move(*(a + (b - a) * part for a, b in zip(start, end, strict=True)))
        self.up()

    def _send(self, kind, x, y):
        point = {"x": x, "y": y}
        self._cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})


def middle(element):
    """The middle of an element on the screen, in px of the page."""
    box = element.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
