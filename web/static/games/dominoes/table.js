/** Dominoes on the table screen. */
import { Frame } from "../../table/frame.js";
import { lobbyScreen } from "../../table/lobby.js";
import { previewOf } from "../../table/preview.js";
import { endScreen } from "./table/end.js";
import { dealScreen, lineArt, lineInWords, lineScreen } from "./table/line.js";
import { plate } from "./table/plate.js";
import { shelf } from "./table/shelf.js";

const SCREENS = {
  LOBBY: (ctx) => lobbyScreen(ctx, { art: ctx.snap.you.host || ctx.snap.seats.length > 4 ? "" : shelf }),
  DEAL: dealScreen,
  ROUND_END: endScreen,
  GAME_OVER: endScreen,
};

export class Table extends Frame {
  took(before, snap) {
    if (!before) return;
    const ended = before.phase !== snap.phase && snap.phase in { ROUND_END: 1, GAME_OVER: 1 };
    if (ended) this.sound.play(snap.result?.how === "fish" ? "refused" : "accepted");
    else if (snap.line.length > before.line.length) this.sound.play("accepted");
  }

  scene(ctx) {
    return (SCREENS[ctx.snap.phase] ?? lineScreen)(ctx);
  }

  behind(ctx) {
    return { label: lineInWords(ctx), art: ctx.snap.line.length ? lineArt(ctx) : "" };
  }

  plate(ctx, seat) {
    return plate(ctx, seat);
  }
}

export const preview = previewOf(Table);

export { past } from "./table/past.js";

/** There is no row of tiles; the line is on the screen in words. */
export const rowInWords = () => "";

/** How long a past game stays at the first moment of a phase, in ms. */
export const MOMENT_MS = { ROUND_END: 4000 };
