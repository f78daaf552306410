/**
 * SHA-256 and HMAC-SHA-256 (FIPS 180-4, RFC 2104): browsers have their own only where the page came by
 * HTTPS, and a phone at the table has it by plain HTTP.
 */
const BLOCK = 64;
const ROUNDS = 64;

const primes = [];
for (let n = 2; primes.length < ROUNDS; n += 1) {
  if (primes.every((prime) => n % prime)) {
    primes.push(n);
  }
}

/** The first 32 bits of a fraction. */
const bits = (number) => ((number % 1) * 2 ** 32) | 0;
const START = primes.slice(0, 8).map((prime) => bits(Math.sqrt(prime)));
const ADDED = primes.map((prime) => bits(Math.cbrt(prime)));

const turn = (word, by) => (word >>> by) | (word << (32 - by));

/** Mix one block of 16 words into the state. */
function mix(state, view, at) {
  const words = new Int32Array(ROUNDS);
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < ROUNDS; i += 1) {
    if (i < 16) {
      words[i] = view.getInt32(at + 4 * i);
    } else {
      const [low, high] = [words[i - 15], words[i - 2]];
      words[i] = words[i - 16] + words[i - 7] +
        (turn(low, 7) ^ turn(low, 18) ^ (low >>> 3)) + (turn(high, 17) ^ turn(high, 19) ^ (high >>> 10));
    }
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ADDED[i] + words[i]) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = (state[i] + word) | 0;
  });
}

/**
 * @param {Uint8Array} bytes
 * @returns {Uint8Array} 32 bytes
 */
export function sha256(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = [...START];
  for (let at = 0; at < padded.length; at += BLOCK) {
    mix(state, view, at);
  }
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => hash.setInt32(4 * i, word));
  return new Uint8Array(hash.buffer);
}

const joined = (...parts) => new Uint8Array(parts.flatMap((part) => [...part]));

/**
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 * @returns {Uint8Array} 32 bytes
 */
export function hmac(key, message) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}
