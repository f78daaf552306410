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

export class Sound {
  /** @param {Storage|null} storage where this device keeps its mute */
  constructor(storage) {
    this.storage = storage;
    this.muted = storage?.getItem(MUTE_KEY) === "1";
    this.context = null;
    this.hum = null;
  }

  /** Wake the audio; browsers allow it only inside a tap. */
  wake() {
    if (this.muted || typeof AudioContext === "undefined") {
      return;
    }
    if (!this.context) {
      this.context = new AudioContext();
      const press = this.context.createDynamicsCompressor();
      this.out = new GainNode(this.context, { gain: 0.8 });
      this.out.connect(press).connect(this.context.destination);
      const length = Math.round(this.context.sampleRate * 0.3);
      this.noiseData = new AudioBuffer({ length, sampleRate: this.context.sampleRate });
      const samples = this.noiseData.getChannelData(0);
      for (let i = 0; i < length; i += 1) {
        samples[i] = Math.random() * 2 - 1;
      }
    }
    if (this.context.state === "suspended") {
      this.context.resume();
    }
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
    if (!this.muted && this.context?.state === "running") {
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
    if (this.context?.state === "running" && !this.muted) {
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
