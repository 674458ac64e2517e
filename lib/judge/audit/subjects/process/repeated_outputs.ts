import { sameRow } from "../../../../core/relations/relation.ts";

/** The fewest outputs on a side of a request that show something. */
const OUTPUTS = 4;
/** The logarithm of the probability, about, with which independent outputs are taken for repeated ones. */
const LEVEL = Math.log(1e-12);

/**
 * Detects a program that draws one output for a request and repeats it. Such outputs are not draws: an audit would count each
 * as one.
 *
 * It looks for requests in which no two outputs of a side differ. Let p be the frequencies of the values of R such requests on
 * one side. Whatever the law of independent outputs, R requests of four equal outputs each have these frequencies with
 * probability at most exp(−3R·H(p)), and the entropy H is at least Rényi's of order 4, −ln(Σp⁴)/3. So (Σp⁴)^R bounds the
 * probability, up to the number of possible frequencies.
 */
export class RepeatedOutputs {
  #isVaried = false;
  /** Requests of one value only, by this value, on each side. */
  readonly #requests = [new Map<string, number>(), new Map<string, number>()] as const;

  /** Looks at one answer; `order` has the side of each output. Returns whether the program is known to repeat itself. */
  look(outputs: readonly unknown[], order: Uint8Array): boolean {
    for (const side of [0, 1] as const) {
      const own = outputs.filter((_, i) => order[i] === side);
      if (own.length < OUTPUTS) continue;
      this.#isVaried ||= own.some((output) => !sameRow(output, own[0]));
      if (this.#isVaried) return false;
      const requests = this.#requests[side], key = JSON.stringify(own[0]) ?? "undefined";
      requests.set(key, (requests.get(key) ?? 0) + 1);
    }
    return logProbability(this.#requests[0]) + logProbability(this.#requests[1]) <= LEVEL;
  }

  /** Whether two outputs of one side of a request differed: then nothing more is to be seen. */
  get isVaried(): boolean {
    return this.#isVaried;
  }
}

/** Returns the logarithm of (Σp⁴)^R. */
function logProbability(requests: ReadonlyMap<string, number>): number {
  let all = 0, powers = 0;
  for (const count of requests.values()) {
    all += count;
    powers += count ** OUTPUTS;
  }
  return all === 0 ? 0 : all * Math.log(powers / all ** OUTPUTS);
}
