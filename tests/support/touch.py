"""A real finger on a page: touches as a browser has them from a screen, not clicks of a mouse."""

import math

DRAWN = """() => new Promise((drawn) => {
  requestAnimationFrame(() => requestAnimationFrame(drawn));
})"""
"""All that changed so far is on the screen: a second frame begins once the first is drawn."""


class Finger:
    """One finger; what it does to the page is up to the page, scrolling too.

    A finger moves at most once a frame. Faster than that, it could touch what is no longer
    where it was last drawn, and on a busy machine a whole swipe would be over in one step.

    Args:
        page: the page of a context that has touch.
    """

    def __init__(self, page):
        self._page = page
        self._cdp = page.context.new_cdp_session(page)

    def down(self, x, y):
        self._send("touchStart", x, y)

    def move(self, x, y):
        self._send("touchMove", x, y)

    def up(self):
        self._wait_for_a_frame()
        self._cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def drag(self, start, end, steps=8):
        """Put the finger down, carry it in a straight line, and lift it."""
        self.down(*start)
        for step in range(1, steps + 1):
            part = step / steps
            self.move(*(a + (b - a) * part for a, b in zip(start, end, strict=True)))
        self.up()

    def _send(self, kind, x, y):
        self._wait_for_a_frame()
        point = {"x": x, "y": y}
        self._cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})

    def _wait_for_a_frame(self):
        self._page.evaluate(DRAWN)


def middle(element):
    """The middle of an element on the screen, in px of the page."""
    box = element.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


AT_REST = "() => Promise.all(document.getAnimations().map((each) => each.finished))"
HEARS = """(key) => key.addEventListener("click", (event) => {
  event.preventDefault();
  window.pressed = true;
})"""


def pressed_at_its_upper_edge(page, key):
    """Whether a mouse that goes down on the first pixels of a key, and up, has pressed it."""
    key.evaluate(HEARS)
    box = key.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, math.ceil(box["y"]))
    page.mouse.down()
    page.evaluate(AT_REST)
    page.mouse.up()
    return page.evaluate("window.pressed === true")
