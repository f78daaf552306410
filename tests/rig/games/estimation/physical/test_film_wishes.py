"""What the host wants of films: kept as it is said, and refused where it cannot be had."""

from rig.films.film_script import Films


def test_the_host_chooses_a_language_that_the_house_has_and_no_other(seats):
    seats.start("ana", "bo")
    assert seats.send("ana", "set_films", on=False)["message"] == "This table makes no films."
    seats.session.filmed(Films(True, ("en", "uk")))
    seats.do("ana", "set_films", language="uk")
    refused = seats.send("ana", "set_films", language="xx")
    assert refused["message"] == "language has to be one of en, uk."
    assert seats.session.view("ana")["films"]["language"] == "uk"


def test_until_the_host_has_chosen_a_language_films_speak_that_of_the_table(seats):
    seats.start("ana", "bo")
    seats.session.filmed(Films(True, ("de", "en", "uk")))
    said = []
    for table in ("", "de", "uk"):
        seats.session.host_speaks(table)
        said.append(seats.session.view("ana")["films"]["language"])
    seats.do("ana", "set_films", names=False)
    seats.session.host_speaks("de")
    said.append(seats.session.view("ana")["films"]["language"])
    assert said == ["en", "de", "uk", "de"]
    seats.do("ana", "set_films", language="en")
    assert seats.session.view("ana")["films"]["language"] == "en"
