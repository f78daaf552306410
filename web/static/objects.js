/** Everything that can be drawn on the table, by name. */
export { plaque, plaqueShape } from "./objects/ballot.js";
export { chip, chips, stackShape } from "./objects/chip.js";
export { defs } from "./objects/defs.js";
export { dome } from "./objects/dome.js";
export { MARK_ORDER, eye, mark, markShape } from "./objects/marks.js";
export { numeral } from "./objects/numerals.js";
export { armAway, met, pusherPicture, sign, stop, tick, toggle, triangle } from "./objects/signs.js";
export { strip } from "./objects/strip.js";
export { tileFront, tilePicture } from "./objects/tile.js";
