/** How loud a sound is: rendered as a device would play it, and measured by ITU-R BS.1770-4. */
import { MIX, Sound } from "/static/core/sound.js";

const RATE = 48000;
const SECONDS = 3;
const QUIET_S = 0.512;
/** The two filters of the recommendation at 48 kHz: the head, and what is low. */
const HEAD = { feedforward: [1.53512485958697, -2.69169618940638, 1.19839281085285], feedback: [1, -1.69065929318241, 0.73248077421585] };
const LOW = { feedforward: [1, -2, 1], feedback: [1, -1.99004745483398, 0.99007225036621] };
/** Over so long the loudest stretch is taken: "momentary" in EBU Tech 3341. */
const MOMENTARY = 0.4 * RATE;

/** The same noise every time, so that its level is. */
let state = 1;
Math.random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

const decibel = (power) => Number((10 * Math.log10(power + 1e-12)).toFixed(2));

/** Samples of what `play` does with a sound. */
async function rendered(play) {
  const context = new OfflineAudioContext(1, SECONDS * RATE, RATE);
  const sound = new Sound(null);
  sound.through(context);
  // A compressor needs a moment of its own before it presses as it does all evening.
  context.suspend(QUIET_S).then(() => {
    play(sound);
    return context.resume();
  });
  return (await context.startRendering()).getChannelData(0);
}

async function weighted(samples) {
  const context = new OfflineAudioContext(1, samples.length, RATE);
  const buffer = new AudioBuffer({ length: samples.length, sampleRate: RATE });
  buffer.copyToChannel(samples, 0);
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(new IIRFilterNode(context, HEAD)).connect(new IIRFilterNode(context, LOW)).connect(context.destination);
  source.start();
  return (await context.startRendering()).getChannelData(0);
}

/** Peak in dB of full scale, and the loudness of the loudest 400 ms in LUFS. */
export async function measured(samples) {
  const heard = await weighted(samples);
  let [sum, most] = [0, 0];
  heard.forEach((x, i) => {
    sum += x * x - (i >= MOMENTARY ? heard[i - MOMENTARY] ** 2 : 0);
    most = Math.max(most, sum / MOMENTARY);
  });
  const peak = samples.reduce((high, x) => Math.max(high, Math.abs(x)), 0);
  return { peak_db: decibel(peak * peak), lufs: Number((decibel(most) - 0.691).toFixed(2)) };
}

/** One moment alone. */
const alone = (moment) => (sound) => {
  sound.at(moment);
  moment === "tile" ? sound.tock(480) : sound[moment]();
};

/** All that there is at the same time, and a row of forty tiles. */
function together(sound) {
  Object.keys(MIX).forEach((moment) => alone(moment)(sound));
  sound.at("tile");
  for (let n = 0; n < 40; n += 1) sound.tock(480 * 1.02 ** n, 0.025 * n);
}

window.levels = async () => {
  const said = {};
  for (const moment of Object.keys(MIX)) said[moment] = await measured(await rendered(alone(moment)));
  said.together = await measured(await rendered(together));
  const tone = Float32Array.from({ length: SECONDS * RATE }, (_, i) => Math.sin((2 * Math.PI * 997 * i) / RATE));
  said.reference = await measured(tone);
  return said;
};
document.body.dataset.ready = "1";
