/** The host's sheets: fetched by a phone only once it has the drawer. */
import { drawer } from "./drawer.js";
import { guest } from "./guest.js";
import { seatSheet } from "./seatsheet.js";
import { more } from "../lobby/sheets.js";
import { timers } from "./timers.js";
import { wayIn } from "./wayin.js";
import { why } from "./why.js";

Object.assign(more, { drawer, guest, seat: seatSheet, timers, wayin: wayIn, why });
