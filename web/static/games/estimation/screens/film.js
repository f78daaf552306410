/** The film of a push on a phone: saved by a link, or shared where the browser lets a page do that. */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { fallWords } from "../objects/fallview.js";

/** In at most six words what a fall was, filmed or not: "Round 1: stopped at the 9". */
export const caption = (fall, ui) => fallWords(fall, { t: (key, params) => ui.t(`fall.${key}`, params), lang: ui.lang });

const fileName = (film) => `domino-${film.round}.mp4`;

/** Hand the film to another app; only a page with a secure connection can. Where it does not work, the link saves it. */
function share(film) {
  return async (event) => {
    if (!navigator.canShare) {
      return;
    }
    event.preventDefault();
    const link = event.currentTarget;
    try {
      const bytes = await (await fetch(link.href)).blob();
      const files = [new File([bytes], fileName(film), { type: "video/mp4" })];
      if (navigator.canShare({ files })) {
        await navigator.share({ files });
        return;
      }
    } catch (error) {
      if (error.name === "AbortError") {
        return;
      }
    }
    window.open(link.href, "_blank", "noopener");
  };
}

/** The film of the last push: a link once it is there, a word while it is being made. */
export function filmLink(film, ui) {
  if (!film) {
    return "";
  }
  if (!film.ready) {
    return html`<p class="hint">${ui.t("film.making")}</p>`;
  }
  const word = ui.t(navigator.canShare ? "film.share" : "film.save");
  return html`<a class="key key-plain film-link" href=${film.url} download=${fileName(film)} @click=${share(film)}>${word}</a>`;
}

/** The best falls of the game, each a picture that saves its film. */
export function bestFilms(films, ui) {
  const ready = (films ?? []).filter((film) => film.ready);
  if (!ready.length) {
    return "";
  }
  return html`<section class="films" aria-label=${ui.t("film.three")}>
    ${ready.map(
      (film) => html`<a class="film" href=${film.url} download=${fileName(film)} @click=${share(film)}>
        <span class="frame film-frame"><img src=${film.still} alt=${ui.t("film.play", { what: caption(film, ui) })} />
          <svg class="film-play" width="38" height="38" viewBox="0 0 44 44" aria-hidden="true">
            <circle cx="22" cy="22" r="20" fill="#2a1705" stroke="#ffdf9e" stroke-width="2.4"></circle>
            <path d="M17 13L32 22L17 31Z" fill="#fff"></path></svg></span>
        <span class="film-word">${caption(film, ui)}</span></a>`,
    )}
  </section>`;
}
