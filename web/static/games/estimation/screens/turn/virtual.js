/** What only the pretend table needs: a phone fetches it when it sits at one. */
import { carry } from "./carry.js";
import { photo } from "./photo.js";
import { draftOf, stand } from "./stand.js";
import { pretend } from "./turn.js";

Object.assign(pretend, { carry, draftOf, photo, stand });
