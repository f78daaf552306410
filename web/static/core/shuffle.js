/**
 * The shuffle that everybody can check, as `rig/games/shuffle.py` has it: hashes of what is drawn, the
 * order that follows, and what is wrong with a shuffle that lies open. Both sides know the same vectors.
 */
import { hmac, sha256 } from "./sha256.js";

const WORDS = 2 ** 32;

const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const toBytes = (hex) => new Uint8Array(hex.match(/../g).map((pair) => parseInt(pair, 16)));
const utf8 = (text) => new TextEncoder().encode(text);
const hashOf = (text) => toHex(sha256(utf8(text)));

/** Whether this is 32 bytes in lower-case hexadecimal. */
export const isValue = (text) => typeof text === "string" && /^[0-9a-f]{64}$/.test(text);

/** 32 bytes that nobody can guess. */
export const drawn = () => toHex(crypto.getRandomValues(new Uint8Array(32)));

/** What the table publishes for its secret, and a seat for its share. */
export const committed = ({ game, round }, secret) => hashOf(`domino-rig-deck-secret/1 ${game} ${round} ${secret}`);
export const shareHash = ({ game, round }, seat, share) => hashOf(`domino-rig-deck-share/1 ${game} ${round} ${seat} ${share}`);

/** Endless words of 32 bits: HMAC-SHA256 in counter mode, big-endian. */
function* wordsOf(key, message) {
  for (let block = 0; ; block += 1) {
    const view = new DataView(hmac(key, utf8(`${message} ${block}`)).buffer);
    for (let at = 0; at < view.byteLength; at += 4) {
      yield view.getUint32(at);
    }
  }
}

/** The items 0..count-1 in the order that follows from the secret and all shares. */
export function orderOf({ game, round, count, secret, seats, shares }) {
  const given = seats.filter((seat) => seat in shares).map((seat) => ` ${seat} ${shares[seat]}`);
  const words = wordsOf(toBytes(secret), `domino-rig-deck/1 ${game} ${round} ${count}${given.join("")}`);
  const draw = (below) => {
    for (;;) {
      const word = words.next().value;
      if (word < WORDS - (WORDS % below)) {
        return word % below;
      }
    }
  };
  const order = Array.from({ length: count }, (_, at) => at);
  for (let last = count - 1; last > 0; last -= 1) {
    const at = draw(last + 1);
    [order[last], order[at]] = [order[at], order[last]];
  }
  return order;
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const sorted = (items) => items.map((item) => JSON.stringify(item)).sort();

/** The seats of either, in one order. */
const all = (one, other) => Object.keys({ ...one, ...other }).sort();

/**
 * What is wrong with a shuffle that lies open.
 * @param {object} opened the shuffle, as snapshots have it
 * @param {object} [kept] what this phone kept of it while it was made, found by its commitment: `seat`,
 *   `share`, `hashes` as they were shown first, `hand` as it was dealt
 * @param {any[]} [dealt] what that seat gets in the opened order, in the game's own words
 * @returns {{fault: "secret"|"withheld"|"length"|"late"|"share"|"mine"|"hashes"|"deck"|"hand", seat?: string}[]}
 */
export function faults(opened, kept = null, dealt = null) {
  const { secret, hashes, shares } = opened;
  const wrong = [];
  let sound = isValue(secret);
  if (!sound || committed(opened, secret) !== opened.commitment) {
    wrong.push({ fault: "secret" });
  }
  for (const seat of all(hashes, shares)) {
    if (!(seat in shares)) {
      wrong.push({ fault: "withheld", seat });
    } else if (!isValue(shares[seat])) {
      sound = false;
      wrong.push({ fault: "length", seat });
    } else if (!(seat in hashes)) {
      wrong.push({ fault: "late", seat });
    } else if (shareHash(opened, seat, shares[seat]) !== hashes[seat]) {
      wrong.push({ fault: "share", seat });
    }
  }
  if (kept && kept.seat in shares && shares[kept.seat] !== kept.share) {
    wrong.push({ fault: "mine", seat: kept.seat });
  }
  const differ = kept?.hashes ? all(hashes, kept.hashes).filter((seat) => hashes[seat] !== kept.hashes[seat]) : [];
  wrong.push(...differ.map((seat) => ({ fault: "hashes", seat })));
  if (sound && !same(orderOf(opened), opened.order)) {
    wrong.push({ fault: "deck" });
  }
  if (kept?.hand && dealt && !same(sorted(kept.hand), sorted(dealt))) {
    wrong.push({ fault: "hand", seat: kept.seat });
  }
  return wrong;
}
