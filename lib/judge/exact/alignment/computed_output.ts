import { outputKey } from "../enumeration/output_key.ts";
import { recompute } from "../../source/recompute.ts";
import { isTraced, operationOf, type Traced } from "../../source/traced.ts";
import type { Affine } from "./affine.ts";
import { isFormOfNoise, notLinear, seenForm, type TracedRun } from "./traced_value.ts";

/** Operations of one output at most. */
const MOST_OPERATIONS = 200;

/**
 * An output that a program computes from traced values by operations that are not linear, as by rounding: a function of forms. Where two
 * runs compute the same function of equal values, their outputs are equal, whatever the function is (post-processing).
 */
export class ComputedOutput {
  readonly #value: Traced;
  readonly #leaves: readonly Traced[];
  /** The function, as a text that is the same for the same functions only. */
  readonly key: string;
  /** What it is a function of. */
  readonly forms: readonly Affine[];

  /** Ends the run where the value has parts that cannot be compared. */
  constructor(value: Traced, run: TracedRun) {
    const places = new Map<Traced, number>();
    let operations = 0;
    const keyOf = (each: unknown): string => {
      if (!isTraced(each)) {
        return typeof each === "object" && each !== null || typeof each === "function"
          ? notLinear(value, run)
          : outputKey(each);
      }
      if (isFormOfNoise(each)) {
        if (!places.has(each)) places.set(each, places.size);
        return `#${places.get(each)!}`;
      }
      if (++operations > MOST_OPERATIONS) return notLinear(value, run);
      const { op, operands } = operationOf(each);
      // Values in a text of JSON, by the marks in their places.
      const inner = operands.map((part) =>
        part instanceof Map
          ? [...part].map(([mark, of]) => `${outputKey(mark)}:${keyOf(of)}`).join(",")
          : keyOf(part)
      );
      return `${op}(${inner.join(",")})`;
    };
    this.#value = value;
    this.key = keyOf(value);
    this.#leaves = [...places.keys()];
    this.forms = this.#leaves.map((leaf) => run.bound(seenForm(leaf, run)));
  }

  /** Returns the output where the forms have these values. */
  at(values: readonly number[]): unknown {
    return recompute(this.#value, (each) => {
      const place = this.#leaves.indexOf(each);
      return place < 0 ? undefined : { value: values[place] };
    });
  }

  /**
   * Returns whether an output is the one for these values, up to what rounding may change; `undefined` where that changes more.
   */
  isNear(
    output: unknown,
    values: readonly { value: number; rounding: number }[],
  ): boolean | undefined {
    const [low, middle, high] = [-1, 0, 1].map((sign) =>
      this.at(values.map(({ value, rounding }) => value + sign * rounding))
    );
    if (typeof middle === "string" && typeof output === "string") {
      return isNearText(output, [low, middle, high].map(String));
    }
    if (typeof middle !== "number") {
      return low === middle && high === middle ? output === middle : undefined;
    }
    const size = 1 + Math.abs(middle), between = Math.abs(high as number - (low as number));
    if (!(between <= 1e-6 * size)) {
      return Object.is(low, high) ? Object.is(output, middle) : undefined;
    }
    return typeof output === "number" && Math.abs(output - middle) <= between + 1e-9 * size;
  }
}

/** Returns whether a text is the middle one of three, up to what rounding changes of the numbers in it; `undefined` where that changes more. */
function isNearText(text: string, three: readonly string[]): boolean | undefined {
  const [own, low, middle, high] = [text, ...three].map((each) =>
    each.split(/(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)/)
  ) as [string[], string[], string[], string[]];
  if (low.length !== middle.length || high.length !== middle.length) return undefined;
  if (own.length !== middle.length) return false;
  for (const [i, part] of middle.entries()) {
    if (i % 2 === 0) {
      if (low[i] !== part || high[i] !== part) return undefined;
      if (own[i] !== part) return false;
      continue;
    }
    const size = 1 + Math.abs(Number(part)), between = Math.abs(Number(high[i]) - Number(low[i]));
    if (between > 1e-6 * size) return undefined;
    // Digits that rounding leaves as they are must be the same.
    if (
      between === 0
        ? own[i] !== part
        : Math.abs(Number(own[i]) - Number(part)) > between + 1e-9 * size
    ) {
      return false;
    }
  }
  return true;
}
