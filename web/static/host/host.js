/** The host's sheets: fetched by a phone only once it has the drawer. */
import { bench } from "./bench.js";
import { drawer } from "./drawer.js";
import { films } from "./films.js";
import { games } from "./games.js";
import { guest } from "./guest.js";
import { lesson } from "./lesson.js";
import { seatSheet } from "./seatsheet.js";
import { more } from "../lobby/sheets.js";
import { timers } from "./timers.js";
import { wayIn } from "./wayin.js";
import { why } from "./why.js";

Object.assign(more, { bench, drawer, films, games, guest, lesson, seat: seatSheet, timers, wayin: wayIn, why });
