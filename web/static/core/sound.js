/** Sounds made on the spot, and the buzz that goes with them. Nothing is said by sound alone. */
import { keep, kept } from "./settings.js";

const MUTE_KEY = "mute";

/** Vibration of each moment, in ms. */
const BUZZ = {
  tap: [10],
  accepted: [20],
  turn: [40, 60, 40],
  shout: [120],
  sealed: [20],
  count3: [15],
  count2: [15],
  count1: [15],
  reveal: [30, 40, 30],
  fell: [60],
  stood: [30, 200, 30],
  chip: [8],
  refused: [60],
  fault: [60, 60, 60],
  stop: [200, 80, 200],
};

/**
 * The mix: how loud each moment is beside the others, as a factor before the master. What they were
 * measured to give is in tests/browser/test_sound_levels.py, by the loudness of ITU-R BS.1770.
 */
export const MIX = {
  tap: 0.61,
  accepted: 1.26,
  turn: 0.59,
  shout: 0.8,
  sealed: 0.69,
  count3: 0.85,
  count2: 0.83,
  count1: 0.81,
  reveal: 1.95,
  armed: 0.24,
  tile: 1.26,
  fell: 0.66,
  stood: 0.89,
  chip: 0.81,
  refused: 0.44,
  fault: 0.49,
  stop: 0.43,
};

/** What no sample goes beyond, whatever sounds together. */
const MOST = 0.89;

/** Nearly straight where it is quiet, and bent so that nothing passes the most. */
const bend = () => Float32Array.from({ length: 2049 }, (_, i) => MOST * Math.tanh((i / 1024 - 1) / MOST));

export class Sound {
  /** @param {Storage|null} storage where this device keeps its mute */
  constructor(storage) {
    this.storage = storage;
    this.muted = kept(storage, MUTE_KEY) === 1;
    this.context = null;
    this.hum = null;
    this.hushed = false;
  }

  /** Wake the audio; browsers allow it only inside a tap. */
  wake() {
    if (this.muted || typeof AudioContext === "undefined") {
      return;
    }
    if (!this.context) {
      this.through(new AudioContext());
    }
    if (this.context.state === "suspended") {
      this.context.resume();
    }
  }

  /** Sound through a context: every moment by its own level, then all of them through the master. */
  through(context) {
    const press = new DynamicsCompressorNode(context, { threshold: -12, ratio: 8, knee: 6, release: 0.12 });
    this.context = context;
    this.master = new GainNode(context, { gain: 0.8 });
    this.master.connect(press).connect(new WaveShaperNode(context, { curve: bend() })).connect(context.destination);
    const { sampleRate } = context;
    this.noiseData = new AudioBuffer({ length: Math.round(sampleRate * 0.3), sampleRate });
    this.noiseData.getChannelData(0).forEach((_, i, samples) => (samples[i] = Math.random() * 2 - 1));
  }

  /** What is played next is this moment. */
  at(moment) {
    this.out = new GainNode(this.context, { gain: MIX[moment] });
    this.out.connect(this.master);
  }

  /** Whether the table screen speaks: then this device is quiet, but for STOP. */
  hush(on) {
    this.hushed = on;
  }

  mute(on) {
    this.muted = on;
    keep(this.storage, MUTE_KEY, on ? 1 : 0);
    if (on) {
      this.disarmed();
    }
  }

  /**
   * Play a moment by name, if this device may sound, and buzz.
   * @param {keyof typeof BUZZ | "armed"} moment
   */
  play(moment) {
    this.buzz(moment);
    if (!this.muted && (!this.hushed || moment === "stop") && this.context?.state === "running") {
      this.at(moment);
      this[moment]();
    }
  }

  /** Only the buzz of a moment, for what the table screen sounds. */
  buzz(moment) {
    if (!this.muted && BUZZ[moment] && navigator.vibrate && navigator.userActivation?.hasBeenActive) {
      navigator.vibrate(BUZZ[moment]);
    }
  }

  // the instruments

  tone(type, from, to, seconds, volume, at = 0) {
    const start = this.context.currentTime + at;
    const source = new OscillatorNode(this.context, { type, frequency: from });
    source.frequency.exponentialRampToValueAtTime(to, start + seconds);
    this.fading(source, volume, start, start + seconds);
  }

  noise(from, to, q, seconds, volume, at = 0) {
    const start = this.context.currentTime + at;
    const source = new AudioBufferSourceNode(this.context, { buffer: this.noiseData });
    const band = new BiquadFilterNode(this.context, { type: "bandpass", frequency: from, Q: q });
    band.frequency.setValueAtTime(from, start);
    band.frequency.exponentialRampToValueAtTime(to, start + seconds);
    source.connect(band);
    this.fading(source, volume, start, start + seconds, band);
  }

  /** A source, or what it goes through last, from this volume down to silence. */
  fading(source, volume, start, end, last = source) {
    const gain = new GainNode(this.context, { gain: 0 });
    gain.gain.setValueAtTime(volume, start);
    gain.gain.exponentialRampToValueAtTime(0.0008, end);
    last.connect(gain).connect(this.out);
    source.start(start);
    source.stop(end);
  }

  tock(f, at = 0, volume = 0.5) {
    this.tone("sine", f, f, 0.07, volume, at);
    this.tone("sine", 2.4 * f, 2.4 * f, 0.035, volume * 0.5, at);
    this.noise(3 * f, 3 * f, 6, 0.012, volume, at);
  }

  thud(f, at = 0) {
    this.tone("sine", f, f / 2, 0.18, 0.7, at);
  }

  // the moments

  tap() {
    this.tock(620, 0, 0.25);
  }

  accepted() {
    this.tock(520);
  }

  turn() {
    this.tock(520);
    this.tock(693, 0.12);
  }

  shout() {
    const start = this.context.currentTime;
    const carrier = new OscillatorNode(this.context, { frequency: 880 });
    const wobble = new OscillatorNode(this.context, { frequency: 880 * 1.4 });
    const index = new GainNode(this.context, { gain: 300 });
    index.gain.setValueAtTime(300, start);
    index.gain.linearRampToValueAtTime(0, start + 0.6);
    wobble.connect(index).connect(carrier.frequency);
    this.fading(carrier, 0.4, start, start + 0.9);
    wobble.start(start);
    wobble.stop(start + 0.9);
    this.thud(110);
  }

  sealed() {
    this.noise(900, 300, 1, 0.14, 0.4);
    this.tock(390, 0.14);
  }

  count3() {
    this.thud(147);
  }

  count2() {
    this.thud(165);
  }

  count1() {
    this.thud(185);
  }

  reveal() {
    this.noise(1200, 1200, 1, 0.03, 0.9);
  }

  armed() {
    this.disarmed();
    this.hum = [110, 110.7].map((frequency) => {
      const source = new OscillatorNode(this.context, { frequency });
      source.connect(new GainNode(this.context, { gain: 0.032 })).connect(this.out);
      source.start();
      return source;
    });
  }

  /** The hum of the armed pusher ends. */
  disarmed() {
    this.hum?.forEach((source) => source.stop());
    this.hum = null;
  }

  /** One tile of the falling row: the n-th, upright or low. */
  tile(n, low) {
    if (this.context?.state === "running" && !this.muted && !this.hushed) {
      this.at("tile");
      this.tock((low ? 640 : 480) * 1.02 ** n);
    }
  }

  fell() {
    [392, 494, 587].forEach((f, i) => this.tone("triangle", f, f, 0.4, 0.4, 0.12 * i));
  }

  stood() {
    this.tock(294, 0.7);
    this.tock(247, 0.95);
  }

  chip() {
    this.tone("sine", 2300, 2300, 0.06, 0.2);
    this.tone("sine", 3450, 3450, 0.06, 0.12);
  }

  refused() {
    this.thud(180);
  }

  fault() {
    this.thud(180);
    this.thud(180, 0.25);
  }

  stop() {
    for (const at of [0, 0.2]) {
      const start = this.context.currentTime + at;
      const source = new OscillatorNode(this.context, { type: "square", frequency: 440 });
      const low = new BiquadFilterNode(this.context, { type: "lowpass", frequency: 1200 });
      source.connect(low).connect(new GainNode(this.context, { gain: 0.4 })).connect(this.out);
      source.start(start);
      source.stop(start + 0.12);
    }
  }
}
