/** Estimation Domino on the table screen, and in words for whoever hears the page of past games. */
import { previewOf } from "../../table/preview.js";
import { Table } from "./table/app.js";

export { Table };
export const preview = previewOf(Table);
export { rowInWords } from "./table/words.js";

/** How long a past game stays at the first moment of a phase. */
export const MOMENT_MS = { BALLOT: 2600, COUNTDOWN: 3400, REVEAL: 4600, JUDGE: 6500, ROUND_END: 4000 };
