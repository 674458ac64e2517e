import type { ProgramSource } from "../../../core/mechanism/continuous_draws.ts";
import type { Source } from "../../../core/mechanism/source.ts";
import {
  deviationOf,
  programSource,
  requireSome,
  scaleOf,
} from "../../../core/random/program_source.ts";
import { current } from "../../source/current.ts";
import { operations } from "../../source/operations.ts";
import { handToPrograms, traced } from "../../source/mod.ts";
import { type Asked, askedOf } from "../replay/noise.ts";
import { NOISE } from "./followed_values.ts";
import { NoisyForm } from "./noisy_form.ts";
import type { Tape } from "./tape.ts";

/** The tape and the noise of the run that goes on. */
export interface Drawing {
  readonly tape: Tape;
  /** Returns a plain value for a width of noise. */
  plain(value: unknown): unknown;
  /** Returns the place of the largest of some numbers. */
  indexOfLargest(values: readonly unknown[], at: string): number;
}

/** The randomness of programs that are followed: a source, `Math.random` and words of `crypto`, whose draws are values that are followed. */
export interface FollowedSource {
  readonly source: ProgramSource;
  random(): unknown;
  fill(array: ArrayBufferView): void;
}

/** Randomness of this thread, for what a module draws while it is loaded. */
const own = {
  random: Math.random.bind(Math),
  fill: crypto.getRandomValues.bind(crypto) as (array: ArrayBufferView) => void,
};

/** Hands out the draws of whatever run goes on; while a module is loaded plain ones, as those that it seeds a generator of its own by. */
export function followedSource(drawing: () => Drawing, isLoading: () => boolean): FollowedSource {
  const followed = (form: NoisyForm): unknown =>
    traced(form.isWhole ? Math.round(form.value) : form.value, NOISE, { operands: [form] });
  const draw = (asked: Asked): unknown => {
    const drawn = drawing().tape.draw(asked, current.run.at);
    return drawn instanceof NoisyForm ? followed(drawn) : drawn;
  };
  const word = (): unknown => {
    const { tape } = drawing();
    return followed(tape.word(tape.nextWord(), 32, current.run.at));
  };
  const bare: Source = {
    kind: "seeded",
    uint32: word as () => number,
    uniform: () => draw({ law: "uniform", width: 1 }) as number,
    fillUint32: (out) => {
      for (let i = 0; i < out.length; i++) operations.set(out, i, word(), current.run.at);
    },
    split: () => source,
    // Whole numbers are asked for by their laws.
    branch: (law) => draw(askedOf(law)) as number,
  };
  const plain = programSource(bare);
  const width = (given: unknown): never =>
    Object.fromEntries(
      Object.entries(given as object).map(([name, value]) => [name, drawing().plain(value)]),
    ) as never;
  const at = (): string => current.run.at;
  const source: ProgramSource = {
    ...plain,
    split: () => source,
    fillNoise(out, { law, scale }): void {
      for (let i = 0; i < out.length; i++) {
        operations.set(out, i, draw({ law, width: scale }), current.run.at);
      }
    },
    laplace: (given) => draw({ law: "laplace", width: scaleOf(width(given)) }) as number,
    exponential: (given) => draw({ law: "exponential", width: scaleOf(width(given)) }) as number,
    gumbel: (given) => draw({ law: "gumbel", width: scaleOf(width(given)) }) as number,
    gaussian: (given) => draw({ law: "normal", width: deviationOf(width(given)) }) as number,
    geometric: (given) => plain.geometric(width(given)),
    discreteLaplace: (given) => plain.discreteLaplace(width(given)),
    discreteGaussian: (given) => plain.discreteGaussian(width(given)),
    bernoulli: (given) => plain.bernoulli(width(given)),
    sum: (...terms) =>
      terms.reduce((total: unknown, term) => operations.bin("+", total, term, at()), 0) as number,
    difference: (left, right) => operations.bin("-", left, right, at()) as number,
    multiple: (factor, value) =>
      typeof factor === "number"
        ? operations.bin("*", factor, value, at()) as number
        : operations.bin("*", plain.multiple(factor, 1), value, at()) as number,
    less: (left, right) => Boolean(operations.flag(operations.bin("<", left, right, at()), at())),
    indexOfLargest(values): number {
      requireSome(values);
      return drawing().indexOfLargest(values, at());
    },
  };
  for (const method of Object.values(source)) {
    if (typeof method === "function") handToPrograms(method as () => unknown);
  }
  const bytes = (count: number): number => {
    let value = 0;
    for (let k = 0; k < count; k++) {
      value += (drawing().tape.nextWord() >>> 24) * 2 ** (8 * k);
    }
    return value;
  };
  return {
    source,
    random: () => isLoading() ? own.random() : draw({ law: "uniform", width: 1 }),
    fill(array): void {
      if (isLoading()) return own.fill(array);
      const { BYTES_PER_ELEMENT: size, length } = array as Uint8Array;
      if (!(size <= 4) || !/^Uint/.test(array.constructor.name)) {
        drawing().tape.lose("it draws random numbers of other kinds", current.run.at);
      }
      for (let i = 0; i < length; i++) {
        const { tape } = drawing();
        const form = tape.word(bytes(size), 8 * size, current.run.at);
        operations.set(array, i, followed(form), current.run.at);
      }
    },
  };
}
