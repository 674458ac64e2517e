import { normalTail } from "../../../core/numeric/normal_tail.ts";
import { distributionAt, nearestLaw } from "../noise_law.ts";
import { type Atom, type Form, type Place, placeAlone, type Recording } from "../recording.ts";
import type { ReplayedProgram, Run } from "./replayed_program.ts";

/** Seeds at which outputs are compared, and the first of them. */
const SEEDS = 16, FIRST_SEED = 0x0b5e_0000;
/** Runs that identify a law. */
const DRAWS = 20_000;
/** The most laws of one program that are identified: those of datasets on which its noise is another one. */
const MOST_LAWS = 4;
/** How far apart two distribution functions may be, times the root of the draws: with their parameters fitted, one time in a thousand. */
const MOST_APART = 1.6;
/** The share of its terms by which a number may differ from what is expected: rounding. */
const ROUNDING = 1e-9;

/** Outputs of one shape: the numbers of each. */
interface Outputs {
  readonly shape: string;
  readonly numbers: readonly (readonly number[])[];
}

/** Noise that was identified. */
interface Known {
  /** The number that was put out at each seed, and what of the first is noise. */
  readonly values: readonly number[];
  readonly first: number;
  readonly law: Atom["law"];
  readonly scale: number;
  readonly middle: number;
}

/**
 * Noise of samplers written by hand. Where one number is put out that chance changes, and it is apart on two datasets by the same at every seed,
 * it is a value with noise that does not depend on the data; its law is that of the outputs, which are many runs away.
 */
export class NoiseByHand {
  readonly #program: ReplayedProgram;
  readonly #known: (Known | undefined)[] = [];
  /** Runs that identified laws. */
  lawRuns = 0;
  /** Whether the limit of time ended such runs. */
  isOutOfTime = false;

  /** Looks at the noise of a program. */
  constructor(program: ReplayedProgram) {
    this.#program = program;
  }

  /** Returns the recordings on two datasets; `undefined` where the noise has no such form, or no law that is known. */
  async recordings(
    left: unknown,
    right: unknown,
    milliseconds = Infinity,
  ): Promise<readonly [Recording, Recording] | undefined> {
    const until = performance.now() + milliseconds;
    if (this.isOutOfTime) return undefined;
    const first = await this.#outputs(left);
    if (first === undefined) return undefined;
    const second = await this.#outputs(right);
    if (second?.shape !== first.shape) return undefined;
    const [moving, ...more] = [...first.numbers[0]!.keys()].filter((i) =>
      [first, second].some(({ numbers }) => numbers.some((own) => own[i] !== numbers[0]![i]))
    );
    if (moving === undefined || more.length > 0) return undefined;
    const others = (numbers: readonly number[]): string => numbers.toSpliced(moving, 1).join();
    if (others(first.numbers[0]!) !== others(second.numbers[0]!)) return undefined;
    const [own, other] = [first, second].map(({ numbers }) => numbers.map((all) => all[moving]!));
    const ratio = ratioOf(own!, other!);
    const known = ratio === undefined
      ? undefined
      : await this.#identified(left, { values: own!, moving, until });
    if (ratio === undefined || known === undefined) return undefined;
    const place = await this.#place(left), { law, scale, middle } = known;
    const shift = other![0]! - own![0]!;
    const forms: readonly Form[] = [
      [middle, [[0, scale]]],
      [middle + (ratio === 1 ? shift : 0), [[0, scale * ratio]]],
    ];
    return forms.map((form) => ({
      output: first.numbers[0]![moving],
      atoms: [{ law, ...place }],
      reads: [{ kind: "value", ...place, forms: [form], shape: [], value: [own![0]!] }],
      isSampled: true,
    })) as unknown as readonly [Recording, Recording];
  }

  /** Returns the outputs at all seeds; `undefined` where they differ in kind, or are not repeated. */
  async #outputs(data: unknown): Promise<Outputs | undefined> {
    const numbers: (readonly number[])[] = [];
    let shape: string | undefined;
    for (let k = 0; k < SEEDS; k++) {
      const { output, error } = await this.#program.run(data, { seed: FIRST_SEED + k });
      shape ??= output.shape;
      if (error !== undefined || output.shape !== shape) return undefined;
      if (!output.numbers.every(Number.isFinite) || output.numbers.length === 0) return undefined;
      numbers.push(output.numbers);
    }
    const { output } = await this.#program.run(data, { seed: FIRST_SEED });
    return output.numbers.join() === numbers[0]!.join() ? { shape: shape!, numbers } : undefined;
  }

  async #identified(
    data: unknown,
    { values, moving, until }: {
      readonly values: readonly number[];
      readonly moving: number;
      readonly until: number;
    },
  ): Promise<Known | undefined> {
    for (const known of this.#known) {
      const ratio = known && ratioOf(known.values, values);
      if (ratio === undefined) continue;
      const scale = known!.scale * ratio;
      return { ...known!, scale, middle: rounded(values[0]! - known!.first * ratio, scale) };
    }
    if (this.#known.length >= MOST_LAWS) return undefined;
    const samples = new Float64Array(DRAWS);
    for (let i = 0; i < DRAWS; i++) {
      const { output } = await this.#program.run(data, { seed: FIRST_SEED + SEEDS + i });
      samples[i] = output.numbers[moving] ?? NaN;
      this.lawRuns++;
      if (performance.now() > until) {
        this.isOutOfTime = true;
        return undefined;
      }
    }
    const law = samples.every(Number.isFinite) ? lawOf(samples.sort()) : undefined;
    const own = law && { values, first: values[0]! - law.middle, ...law };
    this.#known.push(own);
    return own;
  }

  async #place(data: unknown): Promise<Place> {
    const { draws: [draw], wordsAt }: Run = await this.#program.run(data, {
      seed: FIRST_SEED,
      places: true,
    });
    return placeAlone(draw ?? wordsAt);
  }
}

/** Returns the law of sorted draws, where no law that is known to be near is apart from them by more than chance (Kolmogorov, Smirnov). */
function lawOf(samples: Float64Array): Omit<Known, "values" | "first"> | undefined {
  const nearest = nearestLaw(samples);
  if (nearest === undefined) return undefined;
  const { law, scale, at } = nearest, n = samples.length;
  let apart = 0;
  samples.forEach((x, i) => {
    const z = (x - at) / scale, p = law === "normal" ? 1 - normalTail(z) : distributionAt(law, z)!;
    apart = Math.max(apart, p - i / n, (i + 1) / n - p);
  });
  if (!(apart <= MOST_APART / Math.sqrt(n))) return undefined;
  return { law: law as Atom["law"], scale, middle: rounded(at, scale) };
}

/** Returns a value rounded to a hundredth of the scale: more is not known by sampling. */
function rounded(value: number, scale: number): number {
  return Number(value.toFixed(Math.min(100, Math.max(0, 2 - Math.floor(Math.log10(scale))))));
}

/** Returns the factor by which the noise of the second list is that of the first; `undefined` where there is no one factor. */
function ratioOf(a: readonly number[], b: readonly number[]): number | undefined {
  const far = a.reduce(
    (best, x, k) => Math.abs(x - a[0]!) > Math.abs(a[best]! - a[0]!) ? k : best,
    0,
  );
  const ratio = (b[far]! - b[0]!) / (a[far]! - a[0]!);
  const isCommon = Number.isFinite(ratio) && ratio > 0 && a.every((x, k) => {
    const size = Math.abs(x) + Math.abs(a[0]!) + Math.abs(b[k]!) + Math.abs(b[0]!);
    return Math.abs(ratio * (x - a[0]!) - (b[k]! - b[0]!)) <= ROUNDING * size;
  });
  return !isCommon ? undefined : Math.abs(ratio - 1) <= ROUNDING ? 1 : ratio;
}
