"""The big screen: its page, the QR code to join by, and the camera's pictures."""

from contextlib import suppress
from io import BytesIO
from typing import cast

from flask import Blueprint, Response, current_app, g, make_response, redirect, send_file
from flask import request as asked

from rig.films.film_folder import FilmFolder, films_of
from web.base.errors import Denied
from web.content import qr, saved
from web.content.page import page
from web.content.words import languages
from web.live.parts import parts
from web.routes.pages import as_json, here, read_object, seat_cookie

pages = Blueprint("table", __name__)

SCREEN = "/api/screen"
_SCENES = ("", "began", "ended")


@pages.get("/table")
def table() -> Response:
    """The table screen. It shows the join code, so other machines have to know that code."""
    if g.viewer.device is None and not g.viewer.local:
        return cast(Response, redirect(here("/?as=table"), 303))
    response, _ = seat_cookie(make_response(page("table.html")), g.viewer)
    return response


@pages.post(SCREEN)
def screen() -> Response:
    """A screen says of itself what others go by.

    A table screen: whether it can be seen and heard, and that a scene on it has begun or ended. It
    sets the pace of what people are told, within bounds, and nothing else. The host's phone: its
    language, which table screens speak unless another is chosen on them.
    """
    web = parts(current_app)
    web.auth.spend(g.viewer, "screen")
    said = read_object()
    if said.get("language") in [*languages()]:
        web.session.speaks(g.viewer.device or "", said["language"])
        return as_json({"ok": True})
    if not isinstance(said.get("visible"), bool):
        raise Denied(400, "bad_command", 'Say whether the screen is seen: {"visible": true}.')
    number, what = said.get("scene", 0), said.get("what", "")
    if type(number) is not int or not isinstance(what, str) or what not in _SCENES:
        raise Denied(400, "bad_command", 'A "scene" is a number, "what" began or ended.')
    sound = said.get("sound", False)
    if not isinstance(sound, bool):
        raise Denied(400, "bad_command", '"sound" is whether this screen sounds: true or false.')
    if web.hub.shows_table(g.viewer):
        own = g.viewer.device or g.viewer.peer
        web.session.sounds(own, sound and said["visible"])
        web.session.screen(own, said["visible"], number, what)
        if not web.hub.shows_table(g.viewer):  # closed since, which has been told by now
            web.session.screen(own, False)
    return as_json({"ok": True})


@pages.get("/qr.svg")
def qr_svg() -> Response:
    """The join address as a QR code; `?at=` chooses another of this machine's addresses."""
    web = parts(current_app)
    at = asked.args.get("at")
    if at is not None and at not in web.net.addresses():
        raise Denied(404, "not_found", "This machine does not have that address now.")
    return Response(
        qr.svg(web.net.url(f"{web.base}/j/{web.auth.code}", at)), mimetype="image/svg+xml"
    )


@pages.get("/film/<name>.<kind>")
def film(name: str, kind: str) -> Response:
    """A film of a push, `mp4`, or its still, `jpg`; parts of it too, as browsers ask for films."""
    web = parts(current_app)
    kinds = {"mp4": "video/mp4", "jpg": "image/jpeg"}
    folder = FilmFolder(films_of(web.session.journal.path))
    path = folder.file(name, kind) if kind in kinds else None
    if path is not None:
        with suppress(FileNotFoundError):  # a void round has just taken it along
            return send_file(path.resolve(), kinds[kind], conditional=True)
    drawn = saved.film(f"/film/{name}.{kind}") if web.development and kind in kinds else None
    if drawn is not None:
        return send_file(BytesIO(drawn), kinds[kind], conditional=True)
    raise Denied(404, "not_found", "There is no such film at this table.")


@pages.get("/picture/now.jpg")
def picture_now() -> Response:
    """What the camera sees now, with what is wrong drawn into it."""
    jpeg = parts(current_app).session.picture_now()
    if jpeg is None:
        raise Denied(404, "not_found", "The camera looks at no row now.")
    return Response(jpeg, mimetype="image/jpeg")


@pages.get("/picture/<int:number>.jpg")
def picture(number: int) -> Response:
    """A picture that was kept as evidence."""
    jpeg = parts(current_app).session.picture(number)
    if jpeg is None:
        raise Denied(404, "not_found", "There is no such picture at this table.")
    return Response(jpeg, mimetype="image/jpeg")
