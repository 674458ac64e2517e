import type { Real, TracedReal } from "../../../core/mechanism/continuous_draws.ts";
import { rational } from "../../../core/numeric/rational.ts";
import { type Affine, constant } from "./affine.ts";

/** A program cannot be traced: it draws otherwise, keeps state, or computes with traced values by itself. */
export class NotTraceable extends Error {
  /** Always `"NotTraceable"`. */
  override readonly name = "NotTraceable";
}

/** What is known of a traced value, and the run that it is from. */
interface Traced {
  readonly form: Affine;
  readonly run: object;
}

const known = new WeakMap<object, Traced>();

/** Why a value, or a source, of an earlier run is refused. */
export const KEPT =
  "it uses noise, data or a source of an earlier call: it keeps state between calls; draw in each call what that call needs";

/** A value that stands for a number. */
class TracedNumber {
  readonly #refuse: (error: NotTraceable) => never;

  constructor(refuse: (error: NotTraceable) => never) {
    this.#refuse = refuse;
  }

  [Symbol.toPrimitive](): never {
    return this.#refuse(
      new NotTraceable(
        "it computes with an operator or a function of JavaScript where the source has methods: sum, difference, multiple, less, indexOfLargest",
      ),
    );
  }

  toJSON(): never {
    return this[Symbol.toPrimitive]();
  }
}

/**
 * The traced value of a form. Operators and functions of JavaScript that would take it for a number are refused.
 *
 * @param run what is traced: no other run may use the value.
 * @param refuse called before the error is thrown, which a program may catch.
 */
export function tracedValue(
  { form, run }: Traced,
  refuse: (error: NotTraceable) => never,
): TracedReal {
  const value = Object.freeze(new TracedNumber(refuse));
  known.set(value, { form, run });
  return value as unknown as TracedReal;
}

/** Whether something is a traced value, of any run. */
export function isTraced(value: unknown): boolean {
  return typeof value === "object" && value !== null && known.has(value);
}

/** The form of a traced value; `undefined` for anything else. @throws {NotTraceable} for a value of another run. */
export function tracedForm(value: unknown, run: object): Affine | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const traced = known.get(value);
  if (traced !== undefined && traced.run !== run) throw new NotTraceable(KEPT);
  return traced?.form;
}

/**
 * The form of a number or a traced value.
 *
 * @throws {NotTraceable} for anything else, for numbers that are not finite, and for a value of another run.
 */
export function formOf(value: Real, run: object): Affine {
  if (typeof value === "number" && Number.isFinite(value)) return constant(rational(value));
  const form = tracedForm(value, run);
  if (form !== undefined) return form;
  throw new NotTraceable(
    `it computes with ${
      typeof value === "number" || value === undefined || value === null
        ? value
        : `a value of type ${typeof value}`
    } where there must be a finite number, or what its data and its source gave it`,
  );
}
