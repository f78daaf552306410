"""The saved snapshots, and the films that they name."""

from io import BytesIO

from PIL import Image

from web.content import saved


def test_every_film_of_a_saved_ending_has_a_still_of_its_own():
    films = {
        film["still"]
        for snapshot in saved.snapshots().values()
        for film in (snapshot.get("final") or {}).get("films", ())
    }
    stills = {saved.film(still) for still in films}
    assert len(stills) == len(films) >= 3
    assert {Image.open(BytesIO(still)).size for still in stills} == {(1280, 720)}


def test_what_no_snapshot_names_is_not_drawn():
    assert saved.film("/film/ab12-9-0a1b2c.jpg") is None
