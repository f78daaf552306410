/** Sounds made on the spot, and the buzz that goes with them. Nothing is said by sound alone. */

const MUTE_KEY = "domino.mute";

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
  turn: 0.594,
  shout: 0.802,
  sealed: 0.693,
  count3: 0.852,
  count2: 0.826,
  count1: 0.807,
  reveal: 1.75,
  armed: 0.24,
  tile: 1.26,
  fell: 0.655,
  stood: 0.892,
  chip: 0.812,
  refused: 0.441,
  fault: 0.494,
  stop: 0.435,
};

/** The master: where the compressor begins, and what no sample goes beyond whatever sounds together. */
const MASTER = { gain: 0.8, threshold_db: -12, ratio: 8, most: 0.89 };

/** Straight up to half of the most, then bent so that it never passes that. */
function bend() {
  const half = MASTER.most / 2;
  return Float32Array.from({ length: 2049 }, (_, i) => {
    const x = i / 1024 - 1;
    const size = Math.abs(x);
    return Math.sign(x) * (size <= half ? size : half + half * Math.tanh((size - half) / half));
  });
}

/** Noise that is the same every time, so that its level is. */
function noiseOf(rate) {
  const length = Math.round(rate * 0.3);
  const buffer = new AudioBuffer({ length, sampleRate: rate });
  let state = 1;
  buffer.getChannelData(0).forEach((_, i, samples) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    samples[i] = state / 2 ** 31 - 1;
  });
  return buffer;
}

export class Sound {
  /** @param {Storage|null} storage where this device keeps its mute */
  constructor(storage) {
    this.storage = storage;
    this.muted = storage?.getItem(MUTE_KEY) === "1";
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
    const press = new DynamicsCompressorNode(context, { threshold: MASTER.threshold_db, ratio: MASTER.ratio, knee: 6, release: 0.12 });
    this.context = context;
    this.master = new GainNode(context, { gain: MASTER.gain });
    this.master.connect(press).connect(new WaveShaperNode(context, { curve: bend() })).connect(context.destination);
    this.noiseData = noiseOf(context.sampleRate);
    this.levels = {};
  }

  /** What is played next is this moment. */
  at(moment) {
    this.out = this.levels[moment];
    if (!this.out) {
      this.out = this.levels[moment] = new GainNode(this.context, { gain: MIX[moment] });
      this.out.connect(this.master);
    }
  }

  /** Whether the table screen speaks: then this device is quiet, but for STOP. */
  hush(on) {
    this.hushed = on;
  }

  mute(on) {
    this.muted = on;
    this.storage?.setItem(MUTE_KEY, on ? "1" : "0");
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
    const gain = new GainNode(this.context, { gain: 0 });
    gain.gain.setValueAtTime(volume, start);
    gain.gain.exponentialRampToValueAtTime(0.0008, start + seconds);
    source.connect(gain).connect(this.out);
    source.start(start);
    source.stop(start + seconds);
    return gain;
  }

  noise(from, to, q, seconds, volume, at = 0) {
    const start = this.context.currentTime + at;
    const source = new AudioBufferSourceNode(this.context, { buffer: this.noiseData });
    const band = new BiquadFilterNode(this.context, { type: "bandpass", frequency: from, Q: q });
    band.frequency.setValueAtTime(from, start);
    band.frequency.exponentialRampToValueAtTime(to, start + seconds);
    const gain = new GainNode(this.context, { gain: 0 });
    gain.gain.setValueAtTime(volume, start);
    gain.gain.exponentialRampToValueAtTime(0.0008, start + seconds);
    source.connect(band).connect(gain).connect(this.out);
    source.start(start);
    source.stop(start + seconds);
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
    const gain = new GainNode(this.context, { gain: 0.4 });
    gain.gain.setValueAtTime(0.4, start);
    gain.gain.exponentialRampToValueAtTime(0.0008, start + 0.9);
    wobble.connect(index).connect(carrier.frequency);
    carrier.connect(gain).connect(this.out);
    carrier.start(start);
    wobble.start(start);
    carrier.stop(start + 0.9);
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
