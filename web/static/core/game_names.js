/** The words of games before they are chosen: for whoever can choose, and for all who watch the table. */
import { gameWords } from "../games/index.js";
import { translator } from "./i18n.js";

const words = {};

/** What a game says of itself, before it is chosen; null while that comes, and `draw` is called then. */
export function wordsOf(lang, game, draw) {
  const of = `${lang} ${game}`;
  if (words[of] === undefined) {
    words[of] = null;
    gameWords(lang, "phone", { rules: game })
      .catch(() => ({})) // it is shown by its name
      .then((catalogue) => {
        words[of] = translator(catalogue, lang);
        draw();
      });
  }
  return words[of];
}
