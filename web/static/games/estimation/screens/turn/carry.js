/** A tile carried from the shelf straight into the row; a tap takes it as well. */
import { draftAt } from "./stand.js";

const TAP_PX = 7;
/** px beside the row that still mean the row: a finger covers what it points at. */
const NEAR_PX = 14;

/** What a finger carries: from where, and whether it has left its place. */
let held = null;
/** Whether the press before carried something: the click after it is no tap. */
let carried = false;

/** The place in the row under a point, as the strip counts them; null beside the row. */
function placeUnder({ clientX: x, clientY: y }) {
  const well = document.querySelector(".well");
  const box = well?.getBoundingClientRect();
  if (!box || y < box.top - NEAR_PX || y > box.bottom + NEAR_PX || x < box.left - NEAR_PX || x > box.right + NEAR_PX) {
    return null;
  }
  const gaps = [...well.querySelectorAll(".gap")].map((gap) => gap.getBoundingClientRect());
  const far = (at) => Math.abs((gaps[at].left + gaps[at].right) / 2 - x);
  return gaps.reduce((best, _, at) => (far(at) < far(best) ? at : best), 0);
}

/** The handlers of one tile on the shelf; a press that carried nothing is a tap. */
export function carry(s, ui, value, tap) {
  const lay = (tile) => {
    tile.style.transform = "";
    tile.classList.remove("is-carried");
  };
  const over = (event) => {
    if (held) {
      lay(event.currentTarget);
      held = null;
      ui.draft({ carried: null });
    }
  };
  return {
    down(event) {
      if (event.isPrimary && event.button === 0) {
        held = { x: event.clientX, y: event.clientY, far: false };
        carried = false;
        event.currentTarget.setPointerCapture(event.pointerId);
      }
    },
    move(event) {
      if (!held) return;
      const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
      if (!held.far && Math.hypot(dx, dy) <= TAP_PX) return;
      const tile = event.currentTarget;
      const first = !held.far;
      held.far = true;
      // On a tablet the page is drawn larger than it counts.
      const larger = parseFloat(getComputedStyle(document.body).zoom) || 1;
      tile.classList.add("is-carried");
      tile.style.transform = `translate(${dx / larger}px, ${dy / larger}px)`;
      const position = placeUnder(event);
      if (first || position !== ui.drafts.carried?.position) {
        ui.draft({ carried: { value, position } });
      }
    },
    up(event) {
      carried = Boolean(held?.far);
      held = null;
      if (carried) {
        const position = placeUnder(event);
        lay(event.currentTarget);
        ui.draft({ carried: null, ...(position === null ? {} : { tile: draftAt(s, value, position) }) });
      }
    },
    over,
    click(event) {
      if (!carried || event.detail === 0) {
        tap();
      }
    },
  };
}
