import { bareJson } from "../../../core/text/bare_json.ts";
import { expressionOf } from "../noise_law.ts";
import type { Atom, Form } from "../recording.ts";
import { shownNumber } from "../shown_number.ts";
import { ROUNDING } from "./rounding.ts";

/** Digits in which scales are compared. */
const DIGITS = 9;

function sameAtoms(a: Form[1], b: Form[1]): boolean {
  return a.length === b.length && a.every(([atom], i) => atom === b[i]![0]);
}

/** Describes how the noise of a value differs between the sides; `undefined` where it is the same. */
export function otherNoise(
  [own, atoms]: readonly [Form[1], readonly Atom[]],
  [other, otherAtoms]: readonly [Form[1], readonly Atom[]],
):
  | {
    readonly kind: "noise-depends-on-data" | "not-followed";
    readonly detail: string;
    readonly ratio?: number;
  }
  | undefined {
  const lawsOf = (terms: Form[1], atoms: readonly Atom[]): string[] =>
    terms.map(([atom, c]) =>
      `${expressionOf([0, [[atom, 1]]], atoms, new Map())} ${shownNumber(Math.abs(c), DIGITS)}`
    ).toSorted();
  if (!sameAtoms(own, other)) {
    if (own.length > 0 && other.length > 0) {
      return bareJson(lawsOf(own, atoms)) === bareJson(lawsOf(other, otherAtoms))
        ? { kind: "not-followed", detail: "which of its draws are used depends on the data" }
        : { kind: "noise-depends-on-data", detail: "it is another sum of noise on the other side" };
    }
    const [[, c] = [-1, NaN], ...more] = own.length > 0 ? own : other;
    return {
      kind: "noise-depends-on-data",
      detail: more.length > 0
        ? "there is noise on one side, and none on the other"
        : `its scale is ${shownNumber(Math.abs(c))} on one side and 0 on the other`,
    };
  }
  const ratios = own.map(([, c], i) => other[i]![1] / c), [ratio = 1] = ratios;
  const areOne = (factors: readonly number[]): boolean =>
    factors.every((factor) => Math.abs(factor - factors[0]!) <= ROUNDING * Math.abs(factors[0]!));
  if (areOne([1, ...ratios])) return undefined;
  if (areOne([1, ...ratios.map(Math.abs)])) {
    return { kind: "not-followed", detail: "the sign of its noise depends on the data" };
  }
  if (!areOne(ratios)) {
    return {
      kind: "noise-depends-on-data",
      detail: "its parts have other scales on the other side",
    };
  }
  const scale = Math.abs(own[0]![1]);
  return {
    kind: "noise-depends-on-data",
    ratio: Math.abs(ratio),
    detail: `its scale is ${shownNumber(scale)} on one side and ${
      shownNumber(scale * Math.abs(ratio))
    } on the other`,
  };
}
