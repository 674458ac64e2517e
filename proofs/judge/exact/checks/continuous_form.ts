import type { ProgramSource, Real } from "../../../../lib/core/mechanism/continuous_draws.ts";
import type { Domain } from "../../../../lib/core/relations/dataset.ts";
import type { ExactNumber } from "../../../../lib/core/mechanism/discrete_source.ts";

/** A program with continuous noise, and what is known about its loss. */
export interface ContinuousForm {
  readonly name: string;
  readonly program: (answers: readonly Real[], source: ProgramSource) => unknown;
  readonly domain: Domain;
  readonly relation: string;
  /** The loss of the best alignment that depends on the output and the data alone; Infinity where there is none. */
  readonly proved: number;
  /** The least ε that holds, where it is known; the best known bound for longer lists in `source`. */
  readonly known?: number;
  readonly source: string;
}

/** The claim. */
export const ε = 1;

/** Lists of so many answers. */
export function answers(size: number): Domain {
  return { rows: { type: "number", min: -10, max: 10 }, size: { min: size, max: size } };
}

/** Answers with noise. */
export function noisy(
  scale: number,
  kind: "laplace" | "exponential" | "gumbel" = "laplace",
): (list: readonly Real[], source: ProgramSource) => Real[] {
  return (list, source) => list.map((answer) => source.sum(answer, source[kind]({ scale })));
}

/** The place of the largest noisy answer. */
export function argmax(...noise: Parameters<typeof noisy>): ContinuousForm["program"] {
  return (list, source) => source.indexOfLargest(noisy(...noise)(list, source));
}

/** The largest of noisy answers, found by comparing one after the other. */
export function argmaxByLoop(scale: number): ContinuousForm["program"] {
  return (list, source) => {
    const values = noisy(scale)(list, source);
    let best = 0;
    for (let i = 1; i < values.length; i++) if (source.less(values[best]!, values[i]!)) best = i;
    return best;
  };
}

/** Lyu, Su, Li 2017, Algorithms 1 to 6. */
export function sparseVectorForm(
  { cutoff, thresholdScale, answerScale, resample = false, above = "true" }: {
    readonly cutoff: number;
    readonly thresholdScale: number;
    /** 0 for no noise. */
    readonly answerScale: ExactNumber;
    readonly resample?: boolean;
    /** What stands for an answer above: true, the value that was compared, how far it is above, or the answer with new noise. */
    readonly above?: "true" | "value" | "gap" | "fresh";
  },
): ContinuousForm["program"] {
  return (list, source) => {
    const threshold = (): Real => source.sum(1, source.laplace({ scale: thresholdScale }));
    let limit = threshold(), count = 0;
    const output: unknown[] = [];
    for (let i = 0; i < list.length && count < cutoff; i++) {
      const answer = list[i]!;
      const value = answerScale === 0
        ? answer
        : source.sum(answer, source.laplace({ scale: answerScale }));
      if (!source.less(limit, value)) {
        output.push(false);
        continue;
      }
      count++;
      switch (above) {
        case "true":
          output.push(true);
          break;
        case "value":
          output.push(value);
          break;
        case "gap":
          output.push(source.difference(value, limit));
          break;
        case "fresh":
          output.push(source.sum(answer, source.laplace({ scale: 4 * cutoff })));
      }
      if (resample) limit = threshold();
    }
    return output;
  };
}

export const each = "change-each-by-1", together = "change-together-by-1";
export const lyu = "Lyu, Su, Li 2017, Algorithm";
