"""A round with the host's hands in it: a grandmother without a phone, a slip, a flat battery."""

import pytest

from tests.browser.test_full_game import Phone, Referee, Screen

pytestmark = pytest.mark.browser


@pytest.fixture
def referee(tmp_path):
    referee = Referee(tmp_path)
    yield referee
    referee.stop()


class Host(Phone):
    """The phone with the drawer."""

    def drawer(self, *names: str) -> None:
        """Open the drawer and press what is in it, one after the other."""
        self.page.get_by_role("button", name="Host’s drawer").click()
        for name in names:
            self.page.get_by_role("dialog").get_by_role("button", name=name).first.click()


def test_a_round_with_a_player_without_a_phone_a_slip_and_a_flat_battery(visitors, referee):
    host = Host(visitors, referee, "Mira", "dark")
    borys = Phone(visitors, referee, "Borys", "light")
    for phone in (host, borys):
        phone.come()
        phone.sit()
    table = Screen(visitors, viewport={"width": 960, "height": 540})
    table.page.goto(f"{referee.url}/table")

    host.press("Add a player without a phone")
    host.page.get_by_role("dialog").get_by_label("Name").fill("Oma")
    host.press("Seat them")
    host.page.get_by_text("no phone").first.wait_for()
    host.press("Start the game")

    host.place(9)
    host.drawer("Undo", "A slip of the finger")
    table.page.get_by_text("Undone: a slip of the finger").wait_for()
    host.title("Your turn, Mira")
    host.place(3)

    spare = Screen(visitors, viewport={"width": 390, "height": 844})
    borys.press("Menu")
    borys.press("Move my seat to another phone")
    address = borys.page.locator(".qr-url")
    address.wait_for()
    # The code has an address of the network; this machine answers to its own as well.
    spare.page.goto(f"{referee.url}/h/{address.inner_text().rpartition('/')[2]}")
    spare.press("Sit down here")
    borys.page.get_by_text("Your seat is on another phone now").wait_for()
    spare.page.locator("body[data-phase=TURN]").wait_for()
    newer = Phone.__new__(Phone)
    newer.page, newer.name, newer.troubles = spare.page, "Borys", spare.troubles
    newer.place(9)

    host.press("Stand it for Oma")
    host.place(1)
    host.title("Your turn, Mira")
    host.place(11)
    newer.call()
    newer.vote("failure")
    host.title("Oma votes")
    assert host.page.locator(".answer").count() == 0
    host.press("Here I am")
    host.vote("failure")
    host.title("Push at the")
    host.push()
    host.page.get_by_role("button", name="That’s right").wait_for()
    host.press("That’s right")
    newer.press("That’s right")
    host.page.locator("body[data-phase=ROUND_END]").wait_for()
    before = newer.page.locator("h1").inner_text()
    host.press("That verdict is wrong")
    host.press("The camera was wrong")
    newer.page.get_by_text("Verdict corrected by Mira").wait_for()
    assert newer.page.locator("h1").inner_text() != before
    for screen in (host, borys, spare, table):
        assert screen.troubles == []
