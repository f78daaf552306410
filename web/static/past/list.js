// The games of this table, the newest first; the host may take each home, or bring one.
import { html } from "../vendor/lit-html/lit-html.js";
import { list as listed } from "../core/i18n.js";

const when = (ms, lang) => new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" }).format(ms);

function game(page, each, newest) {
  const { say, lang } = page;
  const players = listed(lang, each.players);
  const end = each.winners.length
    ? say("past.won", { count: each.winners.length, names: listed(lang, each.winners) })
    : say("past.unfinished");
  const file = `api/games/${each.number}/file`;
  return html`<li class="past-game">
    <h2>${say("past.game", { number: each.number })} <span>${when(each.from_ms, lang)}</span></h2>
    <p>${players}</p>
    <p>${end}</p>
    <button type="button" class="key ${newest ? "key-lamp" : "key-plain"} past-look" ?disabled=${page.busy} @click=${() => page.open(each.number)}>${say("past.look")}</button>
    ${
      page.host
        ? html`<p class="past-pair">
            <a class="key key-plain" href=${file} download>${say("past.export")}</a>
            <a class="key key-plain" href="${file}?names=0" download>${say("past.export.nameless")}</a>
          </p>`
        : ""
    }
  </li>`;
}

function bringing(page) {
  const { say } = page;
  const chosen = (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (file) page.bring(file);
  };
  return html`<section class="past-bring">
    <h2>${say("past.bring.title")}</h2>
    <p>${say("past.bring.line")}</p>
    <label class="key key-plain past-file">
      <input type="file" accept=".json,application/json" ?disabled=${page.busy} @change=${chosen} />
      <span>${say("past.bring.key")}</span>
    </label>
    ${page.whole && page.games?.length ? html`<a class="key key-plain" href="api/games/0/file" download>${say("past.export.table")}</a>` : ""}
  </section>`;
}

/** The page before a game is chosen. */
export function list(page) {
  const { say } = page;
  const games = page.games ?? [];
  return html`<main class="past-list">
    ${page.games && !games.length ? html`<p class="past-none">${say("past.none")}</p>` : ""}
    <ul>${games.map((each, at) => game(page, each, at === 0))}</ul>
    ${page.host ? bringing(page) : ""}
  </main>`;
}
