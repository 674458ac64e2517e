import { rational, toNumber } from "../../../core/numeric/rational.ts";
import { isTraced, operationOf, type Traced } from "../../source/traced.ts";
import { type Affine, formKey } from "./affine.ts";
import { FORM } from "./hand_forms.ts";

/** Operations that leave a number as it is. */
const NUMBERS: ReadonlySet<string> = new Set(
  ["unary +", "Number", "parseFloat", "Number.parseFloat"],
);
/** Operations by which doubles become the same number as reals do. */
const UNROUNDED: ReadonlySet<string> = new Set([
  ...NUMBERS,
  "unary -",
  ...["max", "min", "abs", "sign", "floor", "ceil", "round", "trunc"].map((name) => `Math.${name}`),
]);

const known = new WeakMap<Traced, boolean>();

/** Returns true if a value may be another number in doubles than in reals. */
function mayRound(value: unknown): boolean {
  if (!isTraced(value)) return false;
  let is = known.get(value);
  if (is === undefined) {
    const { op, operands, value: of } = operationOf(value);
    is = op === FORM
      ? operands[3] === true
      : typeof of === "number" && (!UNROUNDED.has(op) || operands.some(mayRound));
    known.set(value, is);
  }
  return is;
}

/** Shares of their terms by which values may differ in reals, and not in doubles. */
const NEAR = 2 ** -20;
/** Pairs of values that are looked at, at most, to see that two are the same double. */
const MOST_PAIRS = 1000;

/**
 * Returns true if reals differ by a number that does not depend on data or noise, and doubles may differ otherwise: each is rounded, and they are not
 * made in the same way of the same numbers.
 */
export function isToldByRounding(
  values: readonly [left: unknown, right: unknown],
  formOf: (value: Traced) => Affine,
): boolean {
  // x − y is 0 exactly where x is y.
  const [left, right] = unmixed(values);
  if (!mayRound(left) && !mayRound(right)) return false;
  const forms = [left, right].map((each) => isTraced(each) ? formOf(each) : new Map() as Affine);
  const [size, apart] = sizes(forms, [left, right]);
  if (apart > NEAR * size) return false;
  let pairs = 0;
  /** Returns what a value is on this path. */
  const plain = (value: unknown): unknown => {
    if (!isTraced(value)) return value;
    const { op, operands } = operationOf(value);
    if (NUMBERS.has(op)) return plain(operands[0]);
    if (op === "+") {
      const place = operands.indexOf(0);
      return place < 0 ? value : plain(operands[1 - place]);
    }
    if (op !== "Math.max" && op !== "Math.min") return value;
    const key = formKey(formOf(value));
    const [chosen, ...equal] = operands.filter((each) =>
      isTraced(each) && formKey(formOf(each)) === key
    );
    // Of several that are equal in reals rounding chooses one.
    return chosen !== undefined && equal.every((each) => same(chosen, each))
      ? plain(chosen)
      : value;
  };
  const same = (one: unknown, other: unknown): boolean => {
    if (++pairs > MOST_PAIRS) return false;
    const a = plain(one), b = plain(other);
    if (a === b) return true;
    if (!isTraced(a) || !isTraced(b)) return false;
    const [{ op, operands }, { op: by, operands: others }] = [operationOf(a), operationOf(b)];
    if (op !== by) return false;
    if (op === FORM) {
      return !mayRound(a) && !mayRound(b) &&
        formKey(operands[0] as Affine) === formKey(others[0] as Affine);
    }
    const isEach = (list: readonly unknown[]): boolean =>
      operands.length === list.length && operands.every((each, i) => same(each, list[i]));
    return isEach(others) || (op === "+" || op === "*") && isEach(others.toReversed());
  };
  return !same(left, right);
}

function unmixed(values: readonly [unknown, unknown]): readonly unknown[] {
  for (const [place, each] of values.entries()) {
    if (values[1 - place] !== 0 || !isTraced(each)) continue;
    const { op, operands } = operationOf(each);
    if (op === "-") return operands;
  }
  return values;
}

/** Returns the sum of the terms of two forms, in size, and how far apart these are. */
function sizes(
  forms: readonly Affine[],
  values: readonly unknown[],
): readonly [size: number, apart: number] {
  let size = 1, apart = 0;
  for (const [i, form] of forms.entries()) {
    const value = values[i];
    const number = isTraced(value) ? toNumber(form.get("") ?? rational(0)) : Number(value);
    for (const factor of form.values()) size += Math.abs(toNumber(factor));
    apart += (i === 0 ? 1 : -1) * number;
  }
  return [size, Math.abs(apart)];
}
