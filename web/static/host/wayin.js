/** The way in for more phones: the code, and which of this machine's addresses they can reach. */
import { html } from "../vendor/lit-html/lit-html.js";
import { choice, sheet } from "../core/sheet.js";

/** An address without what a person need not read out. */
const bare = (url) => url.replace(/^https?:\/\//, "").replace(/\/.*$/, "");

export function wayIn(s, ui) {
  const ways = [{ url: s.net.url, qr: s.net.qr }, ...(s.net.others ?? [])];
  const chosen = ways.find((way) => way.url === ui.local.way) ?? ways[0];
  return sheet(ui, {
    id: "wayin",
    heading: ui.t("drawer.wayin"),
    body: html`<figure class="qr">
        <img src=${chosen.qr} alt=${ui.t("wayin.picture", { url: chosen.url })} />
        <figcaption><span>${bare(chosen.url)}</span><b class="display">${s.net.code}</b></figcaption>
      </figure>
      ${
        ways.length > 1
          ? html`<p class="label" id="menu-way">${ui.t("wayin.which")}</p>
              ${choice("way", ways.map((way) => [way.url, bare(way.url)]), chosen.url, (way) => ui.set({ way }))}
              <p class="hint">${ui.t("wayin.hint")}</p>`
          : ""
      }`,
  });
}
