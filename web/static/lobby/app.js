/** Which screen a phone shows for a snapshot: the way in and the lobby, or else the game's. */
import { me } from "../core/page.js";
import { join } from "./join.js";
import { lobby } from "./lobby.js";
import { message } from "./messages.js";
import { overlay } from "./sheets.js";
import { told } from "./told.js";

const PROTO = 1;

/** Whether this phone asks its holder to sit down. */
function sitsDown(s, ui) {
  if (me(s)) {
    return false;
  }
  return !ui.local.watching || ui.local.joining || (ui.local.waiting && Boolean(s.may.sit));
}

/** Draw a snapshot: the whole page of a phone; `game` is in the `ui` once it has come. */
export function app(snapshot, plain) {
  if (snapshot.proto !== PROTO) {
    return message("version", plain);
  }
  if (plain.pending("solo", null)) {
    return message("wait", plain);
  }
  const { game } = plain;
  const s = game?.actedFor(snapshot, plain) ?? snapshot;
  const ui = { ...plain, overlay: overlay(s, plain), told: told(s, plain) };
  if (sitsDown(s, ui)) {
    return join(s, ui);
  }
  if (s.phase === "LOBBY") {
    return lobby(s, ui);
  }
  return game?.screen(s, ui) ?? message("wait", ui);
}
