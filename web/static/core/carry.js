/** What a finger carries from its place to another; a press that carried nothing is a tap. */
const TAP_PX = 7;
/** px beside a place that still mean it: a finger covers what it points at. */
const NEAR_PX = 14;

/** What is carried: by which finger, from where, and whether it has left its place. */
let held = null;
/** Whether the press before carried something: the click after it is no tap. */
let carried = false;

/** Whether a finger is on a place of the page. */
export function isOn(place, { clientX: x, clientY: y }) {
  const box = place.getBoundingClientRect();
  return y >= box.top - NEAR_PX && y <= box.bottom + NEAR_PX && x >= box.left - NEAR_PX && x <= box.right + NEAR_PX;
}

/** Whether this is the finger that holds this thing: a second one, or what came since, does nothing. */
const holds = (event) => held?.thing === event.currentTarget && held.finger === event.pointerId;

function layBack(thing) {
  thing.classList.remove("is-carried");
  Object.assign(thing.style, { left: "", top: "", transform: "" });
}

/**
 * The handlers of one thing that can be carried.
 * @param {object} does
 * @param {() => void} does.tap
 * @param {boolean} [does.slides] what it lies on is drawn sideways; it leaves that upward alone
 * @param {() => boolean} [does.lift] it leaves its place; false where it has to stay there
 * @param {(event: PointerEvent, first: boolean) => void} [does.over] it is there now
 * @param {(event: PointerEvent) => void} does.drop it is let go there
 * @param {() => void} [does.back] it goes back, as something else has come between
 */
export function carry({ tap, slides = false, lift = () => true, over = () => {}, drop, back = () => {} }) {
  return {
    down(event) {
      if (event.isPrimary && event.button === 0) {
        held = { thing: event.currentTarget, finger: event.pointerId, x: event.clientX, y: event.clientY, far: false };
        carried = false;
        event.currentTarget.setPointerCapture(event.pointerId);
      }
    },
    move(event) {
      if (!holds(event)) return;
      const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
      if (!held.far && (Math.hypot(dx, dy) <= TAP_PX || (slides && -dy < Math.abs(dx)))) return;
      const thing = event.currentTarget;
      const first = !held.far;
      // Once lifted it may lie elsewhere.
      const from = first && slides ? thing.getBoundingClientRect() : null;
      if (first && !lift()) {
        held = null;
        carried = true;
        return;
      }
      held.far = true;
      // On a tablet the page is drawn larger than it counts.
      const larger = parseFloat(getComputedStyle(document.body).zoom) || 1;
      if (from) {
        Object.assign(thing.style, { left: `${from.left / larger}px`, top: `${from.top / larger}px` });
      }
      thing.classList.add("is-carried");
      thing.style.transform = `translate(${dx / larger}px, ${dy / larger}px)`;
      over(event, first);
    },
    up(event) {
      if (!holds(event)) return;
      carried ||= held.far;
      if (held.far) {
        layBack(event.currentTarget);
        drop(event);
      }
      held = null;
    },
    cancel(event) {
      if (holds(event)) {
        layBack(event.currentTarget);
        held = null;
        back();
      }
    },
    click(event) {
      if (!carried || event.detail === 0) {
        tap();
      }
    },
  };
}
