import { composed, NO_LOSS } from "../loss.ts";
import { placeAlone, type Read, type Recording } from "../recording.ts";
import { compareDeclared } from "./compare_declared.ts";
import { compareDraws } from "./compare_draws.ts";
import { compareForms } from "./compare_forms.ts";
import { compareOrders } from "./compare_orders.ts";
import { compareOutputs } from "./compare_outputs.ts";
import { controlFlow, noiseOnOneSide } from "./control_flow.ts";
import { coverChanges } from "./cover_changes.ts";
import { type ShownByReads, together } from "./moved_values.ts";
import type { Comparison } from "./observation.ts";
import { placesOfOtherArguments } from "./other_arguments.ts";
import { redrawn } from "./redrawn.ts";
import { unitOf } from "./rounding.ts";

/**
 * Compares a run on one dataset with its replay on a neighbour: the coupling that keeps everything that was read (the identity alignment
 * of Zhang, Kifer 2017), with its composed loss, and what no shift of noise covers.
 */
export async function compareRuns(
  first: Recording,
  second: Recording,
  { areNested = false }: {
    /** Whether one dataset has all rows of the other. Default: false. */
    readonly areNested?: boolean;
  } = {},
): Promise<Comparison> {
  const asReads = placesOfOtherArguments(first, second);
  const nothing = { loss: NO_LOSS, isSampled: false, asReads, declared: [] };
  if (asReads.length > 0) return { ...nothing, observations: [] };
  const notFollowed = first.notFollowed ?? second.notFollowed;
  if (notFollowed !== undefined) {
    const drawn = [first, second].flatMap(({ notFollowedAt = [], atoms, reads }) =>
      [
        notFollowedAt,
        ...atoms,
        ...reads,
      ].flat()
    );
    const unfollowed = {
      kind: "not-followed",
      ...placeAlone(drawn[0]),
      loss: NO_LOSS,
      detail: notFollowed,
    } as const;
    return { ...nothing, observations: [noiseOnOneSide(first, second) ?? unfollowed] };
  }
  if (second.apart !== undefined || second.reads.length !== first.reads.length) {
    return { ...nothing, observations: [controlFlow(first, second)] };
  }
  const shown = shownByReads(first, second, areNested);
  const output = compareOutputs(first, second);
  const covered = await coverChanges(first, shown);
  const observations = [
    ...shown.observations,
    ...output === undefined ? [] : [output],
    ...covered.observations,
  ];
  const redrawnAt = redrawn([...shown.values, ...shown.orders], shown.signs);
  return {
    ...(redrawnAt === undefined ? {} : { redrawnAt: placeAlone(redrawnAt) }),
    observations,
    loss: observations.reduce((sum, { loss }) => composed(sum, loss), NO_LOSS),
    isSampled: covered.isSampled || first.isSampled === true,
    asReads: [],
    declared: shown.declared,
  };
}

/**
 * Returns by how much the values under noise move up together from a run to its replay on a neighbour, each in units of its noise: below 0 where they
 * move down, `undefined` where there are none, or the runs cannot be compared.
 */
export function movedTogether(first: Recording, second: Recording): number | undefined {
  const isLost = [first, second].some(({ error, notFollowed, apart }) =>
    (error ?? notFollowed ?? apart) !== undefined
  );
  if (isLost || second.reads.length !== first.reads.length) return undefined;
  const { values, signs } = shownByReads(first, second, false);
  const moved = [...values, ...signs].filter(({ terms }) => terms.size > 0);
  return moved.length === 0
    ? undefined
    : moved.reduce((sum, { terms, change }) => sum + change / unitOf(terms), 0);
}

function shownByReads(first: Recording, second: Recording, areNested: boolean): ShownByReads {
  const runs = [first, second] as const;
  return together(
    first.reads.flatMap((read, index) =>
      compareReads(read, second.reads[index]!, { index, areNested, runs })
    ),
  );
}

function compareReads(
  a: Read,
  b: Read,
  { index, areNested, runs }: {
    readonly index: number;
    readonly areNested: boolean;
    readonly runs: readonly [Recording, Recording];
  },
): readonly Partial<ShownByReads>[] {
  switch (a.kind) {
    case "draw":
      return [compareDraws(a, b, index)];
    case "primitive":
      return [compareDeclared(a, b, { index, areNested })];
    case "largest":
    case "smallest":
      return [compareOrders(a, b, { index, atoms: runs[0].atoms })];
    default:
      return compareForms(a, b, { index, runs });
  }
}
