/** A stage for saved snapshots: draws each of them and asks the drawn screen a question. */
import { render } from "/static/vendor/lit-html/lit-html.js";
import { defs } from "/static/core/objects/defs.js";
import { prepare, preview } from "/static/lobby/preview.js";
import { pageSize } from "/static/core/settle.js";
import { allWords, folderOf, rulesOf, sheetWords } from "/static/games/index.js";

const root = document.documentElement;
const words = {};

/** Where text or a target is really seen. */
const shown = (el) => el.getClientRects().length > 0 && !el.closest("[inert], .unseen");

const hasText = (el) => [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim());

/** One for all: each that there is has to hear of every change of the page, until it is forgotten. */
const range = document.createRange();

/** Each question gives nothing when all is well. */
const QUESTIONS = {
  wide: () => root.scrollWidth - root.clientWidth,
  tall: () => Math.max(0, root.scrollHeight - innerHeight),
  cut() {
    const texts = [...document.querySelectorAll(".pad *")].filter(hasText);
    return texts
      .filter((el) => shown(el) && !el.closest("svg, .rail-name, .picks, .well"))
      .filter((el) => {
        range.selectNodeContents(el);
        const { left, right } = range.getBoundingClientRect();
        return left < -0.5 || right > innerWidth + 0.5;
      })
      .map((el) => el.textContent.trim());
  },
  targets() {
    const all = "button, a[href], label:has(input), input:not([type=radio]), [role=radio]";
    return [...document.querySelectorAll(all)]
      .filter((el) => shown(el) && !el.disabled)
      .map((el) => [el, el.getBoundingClientRect()])
      .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
      .map(([el, box]) => `${el.getAttribute("class")} ${Math.round(box.width)} x ${Math.round(box.height)}`);
  },
  keys() {
    const labels = [...document.querySelectorAll("[aria-label]")].map((el) => el.getAttribute("aria-label"));
    return [document.body.innerText, ...labels].join(" | ").match(/\b[a-z_]+(\.[a-z_]+)+\b|\{\w+\}/g);
  },
  axe: async () => (await checkNew("#app", { theme: "light", still: true })).faults,
  axeOnAll: async () => (await checkNew("#app", { theme: "light", all: true, still: true })).faults,
  height: () => root.scrollHeight,
};

/** What was pressed, in order. */
window.sent = [];

function hands() {
  const note = (type) => () => sent.push({ type });
  return {
    send: (type, fields) => sent.push({ type, ...fields }),
    shout: note("call"),
    hold: note("hold"),
    release: note("release"),
  };
}

window.show = async (snapshot, lang) => {
  sent.length = 0;
  // A game without screens of its own may have no words of its own.
  const drawn = folderOf(snapshot) === "plain" ? { rules: "plain" } : snapshot;
  await prepare(snapshot);
  const wanted = () => Promise.all([allWords(lang, "phone", drawn), sheetWords(lang, snapshot)]);
  const catalogue = (words[`${lang} ${rulesOf(drawn)}`] ??= Object.assign({}, ...(await wanted())));
  // Asked while all on the page is laid out: once something has changed it would be laid out for it.
  const size = { ...pageSize(), rem: parseFloat(getComputedStyle(root).fontSize) };
  if (root.lang !== lang) {
    // Said again, the same language has every element's style worked out anew.
    root.lang = lang;
  }
  render(defs(), document.getElementById("defs"));
  const app = document.createElement("div");
  app.id = "app";
  document.getElementById("app").replaceWith(app);
  return preview(app, snapshot, { catalogue, lang, ...size, acts: hands() });
};

window.heard = async (snapshot, lang) => (await show(snapshot, lang)).heard();

/** Every snapshot in turn; gives the answers that are not empty, by snapshot and question. */
window.askAll = async (snapshots, lang, questions) => {
  const answers = {};
  for (const [name, snapshot] of Object.entries(snapshots)) {
    await show(snapshot, lang);
    // A picture that is not there yet takes no room.
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    for (const question of questions) {
      const answer = await QUESTIONS[question]();
      if (Array.isArray(answer) ? answer.length : answer) {
        answers[`${name}: ${question}`] = answer;
      }
    }
  }
  return answers;
};

document.body.dataset.ready = "1";
