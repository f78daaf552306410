/** The game's sheets and its line in the menu: they come when the first sheet is asked for. */
import { key } from "../../../core/page.js";
import { options } from "../../../lobby/options.js";
import { putSheets } from "../../../lobby/sheets.js";
import { how } from "./how.js";

const papers = (s, ui) => key(ui.t("how.title"), () => ui.set({ sheet: "how" }), { icon: "book" });

/** The question before a seat is given up, which ends a match that is under way. */
const leaves = (s) => (["LOBBY", "GAME_OVER"].includes(s.phase) ? undefined : "leave.ends");

/** Let them be asked for. */
export const put = () => putSheets({ how, rules: options }, { papers, leaves });
