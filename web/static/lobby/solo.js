/** Nobody else is there: sit down, call two bots and begin, each step once the table allows it. */
import { firstTurn } from "./lobby.js";

const PATIENCE_MS = 5000;
const STEP_MS = 50;

/** Once a snapshot is like that; false where none comes. */
async function until(phone, like) {
  const end = Date.now() + PATIENCE_MS;
  while (!like(phone.snapshot) && Date.now() < end) {
    await new Promise((done) => setTimeout(done, STEP_MS));
  }
  return Boolean(like(phone.snapshot));
}

/** A lobby that fills by itself has keys that are gone, or refused, under the thumb: this presses them. */
export async function solo(phone, seat) {
  const host = () => phone.snapshot.may.add_bot || phone.command("take_host").then((reply) => reply.ok);
  const steps = [
    [() => true, () => phone.command("sit", seat)],
    [(s) => s.you.seat && (s.may.add_bot || s.may.take_host), async () => ({ ok: await host() })],
    [(s) => s.may.add_bot, () => phone.command("add_bot")],
    [(s) => s.seats.length > 1, () => phone.command("add_bot")],
    [(s) => s.seats.length > 2, () => phone.command("ready", { on: true })],
    [(s) => s.may.start, () => phone.command("start", { first: firstTurn(phone.snapshot, phone.ui()) })],
    [(s) => s.phase !== "LOBBY", async () => ({ ok: true })],
  ];
  for (const [allowed, step] of steps) {
    if (!(await until(phone, allowed)) || !(await step()).ok) {
      break;
    }
  }
}
