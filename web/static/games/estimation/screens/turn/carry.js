/** A tile carried from the shelf straight into the row; a tap takes it as well. */
import { carry as carried, isOn } from "../../../../core/carry.js";
import { draftAt } from "./stand.js";

/** The place in the row under a point, as the strip counts them; null beside the row. */
function placeUnder(event) {
  const well = document.querySelector(".well");
  if (!well || !isOn(well, event)) {
    return null;
  }
  const gaps = [...well.querySelectorAll(".gap")].map((gap) => gap.getBoundingClientRect());
  const far = (at) => Math.abs((gaps[at].left + gaps[at].right) / 2 - event.clientX);
  return gaps.reduce((best, _, at) => (far(at) < far(best) ? at : best), 0);
}

/** The handlers of one tile on the shelf. */
export const carry = (s, ui, value, tap) =>
  carried({
    tap,
    over(event, first) {
      const position = placeUnder(event);
      if (first || position !== ui.drafts.carried?.position) {
        ui.draft({ carried: { value, position } });
      }
    },
    drop(event) {
      const position = placeUnder(event);
      ui.draft({ carried: null, ...(position === null ? {} : { tile: draftAt(s, value, position) }) });
    },
    back: () => ui.draft({ carried: null }),
  });
