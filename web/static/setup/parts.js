/** What several steps are made of: the camera's picture, a choice, a key, a field. */
import { html } from "../vendor/lit-html/lit-html.js";

/** The camera's picture in its frame, or an empty frame until there is one. */
export function picture(page) {
  const { say, told } = page;
  const { shot } = told.camera;
  if (["none", "phone", "folder"].includes(told.camera.kind)) return "";
  return html`<figure class="setup-frame">${
    shot
      ? html`<img src="${page.pictures ?? "api/setup/camera.jpg"}?n=${shot}" width="960" height="540" alt=${say("setup.camera.picture")}>
        <figcaption class="setup-live">${say(told.playing ? "setup.camera.still" : "setup.camera.live")}</figcaption>`
      : html`<p class="setup-dark">${say(told.camera.kind === "virtual" ? "setup.camera.opens" : "setup.camera.looking")}</p>`
  }</figure>`;
}

/** One thing after the other: from the tap on, until the table has said what came of it. */
export function waits(page) {
  return Boolean(page.told.busy || page.sending);
}

export function key(page, word, wish, { lamp = false, off = false } = {}) {
  const press = () => (typeof wish === "function" ? wish() : page.wish(wish));
  return html`<button type="button" class="key ${lamp ? "key-lamp" : "key-plain"}"
    ?disabled=${off || waits(page)} @click=${press}>${page.say(word)}</button>`;
}

/** Begin anew: what was measured goes, so the first tap only asks. */
export function anew(page, { off = false } = {}) {
  const sure = page.drafts.anew === "asked";
  const ask = () => {
    page.draft("anew", sure ? "" : "asked");
    if (sure) {
      page.wish({ do: "again" });
    }
    page.draw();
  };
  return key(page, sure ? "setup.views.again.sure" : "setup.views.again", ask, { off });
}

/** Which kind of device there is. */
export function kinds(page, device, names, now) {
  const { say } = page;
  const use = (kind) => {
    page.choose(false);
    page.wish({ do: "use", device, kind });
  };
  return html`<fieldset class="setup-kinds"><legend>${say(`setup.use.${device}`)}</legend>${names.map(
    (name) => html`<label class="setup-kind"><input type="radio" name="kind-${device}" value=${name} .checked=${name === now}
      ?disabled=${page.told.playing || waits(page)}
      @change=${() => use(name)}><span>${say(`setup.use.${name}`)}</span></label>`,
  )}</fieldset>`;
}

/** A step that is not needed says why, and asks for nothing; who thinks otherwise says so first. */
export function without(page, device, names, now) {
  const other = key(page, "setup.change", () => page.choose(true), { off: page.told.playing });
  return page.choosing ? { right: kinds(page, device, names, now) } : { keys: other };
}

/** A number that people measured, shown as the language writes it; people may type a comma or a point. */
export function field(page, name, word, value) {
  const written = () => new Intl.NumberFormat(page.lang, { useGrouping: false, numberingSystem: "latn" }).format(value);
  const typed = page.drafts[name] ?? (value === null || value === undefined ? "" : written());
  return html`<label class="setup-field"><span>${page.say(word)}</span>
    <input type="text" inputmode="decimal" autocomplete="off" maxlength="8" .value=${typed}
      @input=${(event) => page.draft(name, event.target.value)}></label>`;
}

export function number(page, name, value) {
  const typed = page.drafts[name];
  return typed === undefined ? value : Number.parseFloat(typed.replace(",", "."));
}

const ROUND = 2 * Math.PI * 46;

/** The button that has to be held; the ring fills while it is. */
export function ring(page, { word, push, off }) {
  const { thumb } = page;
  const down = (event) => {
    event.target.setPointerCapture?.(event.pointerId);
    if (!off) thumb.press(push);
  };
  const typed = (event) => {
    if ((event.key === " " || event.key === "Enter") && !event.repeat) {
      event.preventDefault();
      if (event.type === "keyup") thumb.release();
      else if (!off) thumb.press(push);
    }
  };
  return html`<button type="button" class="setup-ring ${off ? "is-off" : ""}" aria-disabled=${off ? "true" : "false"}
    @pointerdown=${down} @pointerup=${() => thumb.release()} @pointercancel=${() => thumb.release()}
    @keydown=${typed} @keyup=${typed} @blur=${() => thumb.release()} @contextmenu=${(event) => event.preventDefault()}>
    <svg viewBox="0 0 100 100" aria-hidden="true"><circle class="ring-face" cx="50" cy="50" r="40"></circle>
      <circle class="ring-track" cx="50" cy="50" r="46"></circle>
      <circle class="ring-fill" cx="50" cy="50" r="46" transform="rotate(-90 50 50)" stroke-dasharray=${ROUND}
        stroke-dashoffset=${ROUND * (1 - thumb.part)}></circle></svg>
    <span class="display">${page.say(word)}</span></button>`;
}

/** STOP acts when it is touched. */
export function stopKey(page) {
  const press = () => page.wish({ do: "stop" });
  return html`<button type="button" class="setup-stop" @pointerdown=${press}
    @click=${(event) => event.detail === 0 && press()}>${page.say("setup.stop")}</button>`;
}
