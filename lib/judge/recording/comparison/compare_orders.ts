import { lawOfAtom } from "../law_of_form.ts";
import { NO_LOSS } from "../loss.ts";
import { lossOfChances } from "../loss_of_draws.ts";
import type { Atom, Form, Read } from "../recording.ts";
import type { MovedOrder, ShownByReads } from "./moved_values.ts";
import { observed } from "./observation.ts";
import { changeBetween } from "./rounding.ts";

/** Compares two reads of the place of the largest or the smallest of some values: the winner must not fall below any other. */
export function compareOrders(
  a: Read,
  b: Read,
  { index, atoms }: { readonly index: number; readonly atoms: readonly Atom[] },
): Partial<ShownByReads> {
  const winner = a.value as number, up = a.kind === "largest" ? 1 : -1;
  const scale = scaleOfGumbel(a, { up, atoms });
  if (scale !== undefined) return exponentialChoice(a, b, { index, up, scale });
  return {
    orders: a.forms.flatMap((form, j): MovedOrder[] => {
      if (j === winner) return [];
      const gap = differenceOf(a.forms[winner]!, form, up);
      const onOther = differenceOf(b.forms[winner]!, b.forms[j]!, up);
      return [{
        kind: "atLeast",
        terms: gap.terms,
        by: changeBetween(onOther.v, gap.v),
        read: a,
        index,
      }];
    }),
  };
}

/** Returns the one scale of values that each have Gumbel noise that points the way of the choice; `undefined` of others. */
function scaleOfGumbel(
  { forms }: Read,
  { up, atoms }: { readonly up: number; readonly atoms: readonly Atom[] },
): number | undefined {
  const scales = forms.map(([, terms]) => {
    const [[atom, c] = [-1, NaN]] = terms;
    const own = terms.length === 1 ? lawOfAtom(atom, atoms) : undefined;
    return own?.law === "gumbel" ? { scale: c * own.scale, middle: c * own.middle } : NONE;
  });
  const [{ scale, middle }] = scales as [typeof NONE];
  const isGumbel = scales.every((own) =>
    own.scale === scale && own.middle === middle && scale * up > 0
  );
  return isGumbel ? Math.abs(scale) : undefined;
}

const NONE = { scale: NaN, middle: NaN };

/**
 * Compares two choices of the largest value with Gumbel noise of one scale, which are draws by the exponential mechanism (Durfee, Rogers 2019): its chances, as
 * the noise's shifts have no bounded loss.
 */
function exponentialChoice(
  a: Read,
  b: Read,
  { index, up, scale }: { readonly index: number; readonly up: number; readonly scale: number },
): Partial<ShownByReads> {
  const chances = (read: Read): number[] => {
    const scores = read.forms.map(([v]) => up * v / scale), most = Math.max(...scores);
    const weights = scores.map((score) => Math.exp(score - most));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return weights.map((weight) => weight / sum);
  };
  const loss = lossOfChances(chances(a), chances(b));
  return loss === NO_LOSS
    ? {}
    : { observations: [observed("shift", a, { index, law: "draw", loss })] };
}

/** Returns `up` times one form less another. */
function differenceOf(
  [v, terms]: Form,
  [w, others]: Form,
  up: number,
): { v: number; terms: Map<number, number> } {
  const sum = new Map(terms.map(([atom, c]) => [atom, up * c]));
  for (const [atom, c] of others) sum.set(atom, (sum.get(atom) ?? 0) - up * c);
  for (const [atom, c] of sum) if (c === 0) sum.delete(atom);
  return { v: up * (v - w), terms: sum };
}
