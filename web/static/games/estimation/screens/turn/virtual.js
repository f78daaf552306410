/** What only the pretend table needs: a phone fetches it when it sits at one. */
import { carry } from "./carry.js";
import { draftOf, stand } from "./stand.js";
import { pretend } from "./reading.js";

Object.assign(pretend, { carry, draftOf, stand });
