import { composed, type Loss, NO_LOSS } from "../loss.ts";
import { lawOfAtom } from "../law_of_form.ts";
import { distributionAt } from "../noise_law.ts";
import { inVariables, type NoiseVariable } from "../noise_variables.ts";
import type { Recording } from "../recording.ts";
import { cheapestShifts, type Condition } from "../shifts.ts";
import { isChoice } from "./choices.ts";
import { lossOfComparisons } from "./loss_of_comparisons.ts";
import { lossOfShift, shiftedLaw } from "./loss_of_shift.ts";
import type { MovedOrder, MovedSign, MovedValue, ShownByReads } from "./moved_values.ts";
import { type Difference, type Observation, observed } from "./observation.ts";
import { isStill, ROUNDING, SINGLE_ROUNDING, STILL, unitOf } from "./rounding.ts";

const NOT_COVERED = "no shift of the noise covers what changes";

/** A value that was read, and what changes of it. */
type Change = Pick<MovedValue, "read" | "index" | "change">;

/** What the noise of a run pays for the changes of its values, or that it does not cover them. */
export interface CoveredChanges {
  readonly observations: readonly Observation[];
  /** Whether scales were found by sampling. */
  readonly isSampled: boolean;
}

/** Finds what covers the changes of values: directly where a value has noise of its own, by a linear program otherwise. */
export async function coverChanges(
  run: Recording,
  { values, signs: all, orders }: Pick<ShownByReads, "values" | "signs" | "orders">,
): Promise<CoveredChanges> {
  const signs = withoutFitting(all, values, run);
  const rows = [...values, ...signs, ...orders];
  const { terms, variables, isSampled, inParts } = inVariables(
    rows.map(({ terms }) => terms),
    run.atoms,
  );
  if (inParts !== undefined) {
    // Where nothing moves there is nothing to cover.
    const areStill = rows.every((row) => isStill("by" in row ? row.by : row.change, row.terms));
    const unknown = observed("not-followed", inParts, {
      index: run.reads.length,
      detail: "its noise is read in parts, so that its law is not known",
    });
    return { observations: areStill ? [] : [unknown], isSampled: false };
  }
  const uses = new Map<number, number>();
  for (const own of terms) {
    for (const variable of own.keys()) uses.set(variable, (uses.get(variable) ?? 0) + 1);
  }
  const inTerms = <Row extends MovedValue | MovedOrder>(own: readonly Row[], from: number): Row[] =>
    own.map((row, i) => ({ ...row, terms: terms[from + i]! }));
  const noise = { run, variables, uses };
  const alone = coverAlone(inTerms(values, 0), noise);
  const compared = coverComparisons(inTerms(signs, values.length), noise);
  const conditions = [
    ...alone.left,
    ...compared.left,
    ...inTerms(orders, values.length + signs.length)
      .map((order) => ({ ...order, change: order.by })),
  ].map((condition) => {
    const [less, terms] = afterShifts(-condition.by, condition.terms, alone.known);
    // In units of its noise, for the program that finds shifts takes small numbers for none.
    const unit = unitOf(terms) || unitOf(condition.terms) || 1;
    return {
      ...condition,
      terms: new Map([...terms].map(([variable, c]) => [variable, c / unit])),
      by: -less / unit,
    };
  });
  const observations = [
    ...alone.observations,
    ...compared.observations,
    ...await coverTogether(conditions, noise),
  ];
  return { observations, isSampled };
}

/** Comparisons but for those by which a sampler draws again until its noise fits, where the law of what it puts out is known. */
function withoutFitting(
  signs: readonly MovedSign[],
  values: readonly MovedValue[],
  { atoms }: Recording,
): readonly MovedSign[] {
  const keyOf = (all: Iterable<number>): string => [...all].toSorted((a, b) => a - b).join();
  const fitted = new Set(values.flatMap(({ terms }) =>
    [...terms.keys()].flatMap((atom) => {
      const own = lawOfAtom(atom, atoms)?.fitted;
      return own === undefined ? [] : [keyOf(own)];
    })
  ));
  return fitted.size === 0
    ? signs
    : signs.filter(({ terms, change }) => change !== 0 || !fitted.has(keyOf(terms.keys())));
}

/** The noise of a run. */
interface Noise {
  readonly run: Recording;
  readonly variables: readonly NoiseVariable[];
  /** In how many values each variable stands. */
  readonly uses: ReadonlyMap<number, number>;
}

type ChangedCondition = Condition & Change;

/** Covers each value that has noise of its own, in the order of the program: what one decides of the noise is known for those after it. */
function coverAlone(
  values: readonly MovedValue[],
  noise: Noise,
): {
  readonly observations: readonly Observation[];
  /** Shifts that are decided. */
  readonly known: ReadonlyMap<number, number>;
  readonly left: readonly ChangedCondition[];
} {
  const known = new Map<number, number>();
  const observations: Observation[] = [], conditions: ChangedCondition[] = [];
  for (const { read, index, change: all, terms } of values) {
    const [change, left] = afterShifts(all, terms, known);
    const isCovered = isStill(change, terms) ||
      Math.abs(change) <= SINGLE_ROUNDING * Math.abs(all - change);
    const uncovered = (detail: string): void => {
      if (!isCovered) {
        observations.push(observed("uncovered-output", read, { index, change, detail }));
      }
    };
    const [[variable, c] = [-1, NaN]] = left;
    if (terms.size === 0) {
      const hasScaleZero = read.forms.some(([, terms]) => terms.some(([, c]) => c === 0));
      uncovered(
        hasScaleZero ? "a value whose noise has scale 0 is read" : "a value without noise is read",
      );
    } else if (left.size === 0) {
      uncovered(NOT_COVERED);
    } else if (left.size === 1 || [...left.keys()].every((own) => noise.uses.get(own) === 1)) {
      if (left.size === 1) known.set(variable, isCovered ? 0 : -change / c);
      if (!isCovered) observations.push(coverBy([...left], { read, index, change }, noise));
    } else conditions.push({ kind: "equal", terms, by: -all, read, index, change: all });
  }
  return { observations, known, left: conditions };
}

/** Returns a change that noise which nothing else reads has to cover: by that which loses least. */
function coverBy(
  alone: readonly (readonly [number, number])[],
  { read, index, change }: Change,
  { run, variables }: Noise,
): Observation {
  const of = (...laws: readonly NoiseVariable["law"][]) =>
    alone.filter(([variable]) => laws.includes(variables[variable]!.law));
  const upwards = alone.filter(([variable, c]) =>
    shiftedLaw(variables[variable]!.law)?.isOneSided && -change / c > 0
  );
  const normal = of("normal");
  const [variable, c] = widest(of("laplace")) ?? normal[0] ?? widest(upwards) ?? widest(alone)!;
  const own = variables[variable]!, { law, p = 1, at: noiseAt } = own;
  // Normal noise is shifted together.
  const size = law === "normal" ? Math.hypot(...normal.map(([, c]) => c)) : Math.abs(c);
  const shift = -change / (Math.sign(c) * size);
  const lost = lossOfShift(own, shift), { scale, isWhole } = shiftedLaw(law) ?? {};
  if (lost === undefined) {
    return observed("not-followed", read, {
      index,
      noiseAt,
      detail: "the law of its noise is not known",
    });
  }
  const isBetween = isWhole === true && Math.abs(shift - Math.round(shift)) > ROUNDING;
  const loss = roundedLoss(isBetween ? { ...NO_LOSS, delta: 1 } : lost, change / c, own);
  return inBounds(loss, { read, index }, run) ?? observed(kindOf(loss), read, {
    index,
    change,
    law,
    scale: scale === undefined ? size : size * scale(p),
    noiseAt,
    loss,
  });
}

function widest(
  candidates: readonly (readonly [number, number])[],
): readonly [number, number] | undefined {
  return candidates.toSorted((a, b) => Math.abs(b[1]) - Math.abs(a[1]))[0];
}

function kindOf({ delta }: Loss): Difference {
  return delta > 0 ? "bounded-noise" : "shift";
}

/**
 * Returns an observation that bounded noise is not followed where something is chosen by chance, too: the same choice on both sides need not be the
 * one to compare with, as where it gives the noise its sign, or says between which bounds it is drawn.
 */
function inBounds(
  { delta }: Loss,
  { read, index }: Pick<Change, "read" | "index">,
  { reads, atoms }: Recording,
): Observation | undefined {
  const choice = delta > 0 ? reads.find((own) => isChoice(own, atoms)) : undefined;
  return choice && observed("not-followed", read, {
    index,
    detail: `what is chosen by chance at ${choice.at} may decide where bounded noise lies`,
  });
}

/**
 * Covers comparisons of noise: where it is only compared with one bound after another, the loss is the largest over what was seen and what
 * each comparison could have shown in its place. Comparisons of noise that is used elsewhere, too, are left as conditions.
 */
function coverComparisons(
  signs: readonly MovedSign[],
  { uses, variables }: Noise,
): { readonly observations: readonly Observation[]; readonly left: readonly ChangedCondition[] } {
  const alone = new Map<number, MovedSign[]>();
  for (const sign of signs) {
    const [[variable] = [-1]] = sign.terms;
    if (sign.terms.size === 1) alone.set(variable, [...alone.get(variable) ?? [], sign]);
  }
  const done = new Set<MovedSign>(), observations: Observation[] = [];
  for (const [variable, own] of alone) {
    const { law, middle = 0 } = variables[variable]!;
    if (uses.get(variable) !== own.length || distributionAt(law, 0) === undefined) continue;
    for (const sign of own) done.add(sign);
    const loss = lossOfComparisons(own, { variable, law, middle }), { read, index } = own[0]!;
    if (loss === 0) continue;
    const lost = { law: "comparison", loss: { ...NO_LOSS, pure: [loss] } };
    observations.push(observed("shift", read, { index, ...lost }));
  }
  const left = signs.filter((sign) => !done.has(sign))
    .map(({ read, index, terms, change, isAbove }): ChangedCondition => {
      const up = isAbove ? 1 : -1;
      const signed = new Map([...terms].map(([variable, c]) => [variable, c * up]));
      return { kind: "atLeast", terms: signed, by: -change * up, read, index, change };
    });
  return { observations, left };
}

/** Covers what is left by the shifts that a linear program finds. */
async function coverTogether(
  conditions: readonly ChangedCondition[],
  { run, variables }: Noise,
): Promise<readonly Observation[]> {
  const moved = conditions.filter(({ by }) => Math.abs(by) > STILL)
    .toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))[0];
  if (moved === undefined) return [];
  const { read, index, change } = moved;
  const shifts = await cheapestShifts(conditions, variables);
  if (shifts === undefined) {
    return [
      observed("uncovered-output", read, {
        index,
        ...(change === 0 ? {} : { change }),
        detail: NOT_COVERED,
      }),
    ];
  }
  const shifted = [...shifts].filter(([, shift]) => Math.abs(shift) > STILL);
  let loss = NO_LOSS;
  for (const [variable, shift] of shifted) {
    const own = lossOfShift(variables[variable]!, shift);
    if (own === undefined) {
      return [
        observed("not-followed", read, { index, detail: "the law of its noise is not known" }),
      ];
    }
    loss = composed(loss, own);
  }
  const { law, at: noiseAt } = variables[shifted[0]?.[0] ?? 0]!;
  return [
    inBounds(loss, moved, run) ?? observed(kindOf(loss), read, {
      index,
      change,
      law,
      noiseAt,
      loss,
      detail: "an order of noisy values",
    }),
  ];
}

/** Returns the loss of a shift of noise that is rounded: none but whole numbers can be covered, and 0 is more probable where all near it go there. */
function roundedLoss(loss: Loss, shift: number, { step, isCut }: NoiseVariable): Loss {
  if (step === undefined) return loss;
  const steps = shift / step;
  if (Math.abs(steps - Math.round(steps)) > SINGLE_ROUNDING * Math.max(1, Math.abs(steps))) {
    return { ...loss, delta: 1 };
  }
  return isCut === true ? { ...loss, pure: [...loss.pure, Math.LN2] } : loss;
}

/** Returns a change less what shifts that are known cover of it, and the terms that are left. */
function afterShifts(
  change: number,
  terms: ReadonlyMap<number, number>,
  known: ReadonlyMap<number, number>,
): [change: number, left: ReadonlyMap<number, number>] {
  if (known.size === 0) return [change, terms];
  const left = new Map<number, number>();
  let rest = change;
  for (const [variable, c] of terms) {
    const shift = known.get(variable);
    if (shift === undefined) left.set(variable, c);
    else rest += c * shift;
  }
  return [rest, left];
}
