/** Estimation Domino on the table screen, and in words for whoever hears the page of past games. */
export { Table } from "./table/app.js";
export { preview } from "./table/preview.js";
export { rowInWords } from "./table/words.js";
