import type { Real, TracedReal } from "../../core/continuous_draws.ts";
import { rational } from "../../numeric/rational.ts";
import { type Affine, constant } from "./affine.ts";

/** A program cannot be traced: it draws otherwise, keeps state, or computes with traced values by itself. */
export class NotTraceable extends Error {
  /** Always `"NotTraceable"`. */
  override readonly name = "NotTraceable";
}

const forms = new WeakMap<object, Affine>();

/**
 * The traced value of a form. Operators and functions of JavaScript that would take it for a number are refused.
 *
 * @param refuse called before the error is thrown, which a program may catch.
 */
export function tracedValue(form: Affine, refuse: (error: NotTraceable) => never): TracedReal {
  const value = {
    [Symbol.toPrimitive](): never {
      return refuse(
        new NotTraceable(
          "it computes with an operator or a function of JavaScript where the source has methods: sum, difference, multiple, less, indexOfLargest",
        ),
      );
    },
    toJSON(): never {
      return this[Symbol.toPrimitive]();
    },
  };
  forms.set(value, form);
  return Object.freeze(value) as unknown as TracedReal;
}

/** The form of a traced value; `undefined` for anything else. */
export function tracedForm(value: unknown): Affine | undefined {
  return typeof value === "object" && value !== null ? forms.get(value) : undefined;
}

/** The form of a number or a traced value. @throws {NotTraceable} for anything else, and for numbers that are not finite. */
export function formOf(value: Real): Affine {
  if (typeof value === "number" && Number.isFinite(value)) return constant(rational(value));
  const form = tracedForm(value);
  if (form !== undefined) return form;
  throw new NotTraceable(
    `it computes with ${
      typeof value === "number" ? value : `a ${typeof value}`
    } where there must be a finite number or a traced value`,
  );
}
