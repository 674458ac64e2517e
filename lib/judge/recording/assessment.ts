/**
 * What the runs on a pair show, and how grave it is.
 *
 * @module
 */
import type { AllOutcomes } from "./all_outcomes.ts";
import type { Claim } from "../../core/claims/claim.ts";
import type { Pair } from "../../core/relations/relation.ts";
import { bareJson } from "../../core/text/bare_json.ts";
import type { Comparison, Observation } from "./comparison/observation.ts";
import { composed, type Loss, NO_LOSS, shareOf } from "./loss.ts";
import { lossOfDeclared } from "./loss_of_declared.ts";
import { type Place, placeAlone, type Read, type Recording } from "./recording.ts";

/** How grave it is what a pair shows. */
export enum Tier {
  /** All that was read can be covered by the noise, for what the claim allows. */
  covered,
  /** It costs more than the claim. */
  costly,
  /** Something that no shift of noise covers. */
  uncovered,
  /** A declaration that two runs refute. */
  broken,
}

/** What the runs on a pair show. */
export interface Assessment {
  readonly pair: Pair;
  readonly tier: Tier;
  /** The composed loss of all shifts as a multiple of the claim: the largest of the runs. NaN where noise was not followed. */
  readonly share: number;
  readonly loss: Loss;
  /** What makes the tier, or costs most. */
  readonly worst: Observation | undefined;
  /** How many values cost something. */
  readonly costs: number;
  /** Why noise was not followed. */
  readonly notFollowed: string | undefined;
  /** Where noise was not followed: how far outputs at the same seeds are apart ({@linkcode distanceAtSeeds}). */
  readonly distance?: number;
  /** The loss that all declared mechanisms whose values move promise together. */
  readonly declared: { readonly loss: Loss; readonly reads: readonly Read[] } | undefined;
  /** The runs that show it, the first on the left dataset. */
  readonly runs: readonly [Recording, Recording];
  /** Where it seems to draw which rows take part, or in which order: such draws are kept on the neighbour. */
  readonly chosenAt?: string;
  /** The noise that shows it, counted from the first. */
  readonly noise?: number;
  /** Whether the loss is what declared mechanisms promise, whatever their values move by. */
  readonly isPromised?: true;
  /** The last read that shows it, where what comes after differs between runs on the same data. */
  readonly index?: number;
  /** How the runs were made that show it. */
  readonly look?: Pick<Look, "datasets" | "seed" | "meet"> & Seen;
  /** What the laws of the outputs show, where all outcomes of discrete draws were forced. */
  readonly allOutcomes?: AllOutcomes;
  /** Whether the runs or the time ended before all policies were looked at. */
  readonly isCut?: true;
}

/** What a replay showed, and what was a read in it. */
export interface Seen {
  readonly comparison: Comparison;
  readonly asReads: readonly string[];
}

/** How a pair was run. */
export interface Look {
  /** The dataset of the first run, and the neighbour. */
  readonly datasets: readonly [unknown, unknown];
  readonly runs: readonly [Recording, Recording];
  /** The runs, the one on the left dataset first. */
  readonly shown: readonly [Recording, Recording];
  readonly seed: number;
  readonly meet: boolean;
}

/** Shares above 1 by no more than this are rounding. */
export const EXACT = 1e-6;
/** Scales that were found by sampling are known to so much. */
const SAMPLED = 0.03;
/** Why runs of the same noise do not compare a loop. */
const REDRAWN =
  "noise is drawn again until it fits, which the same draws on both sides do not compare";

/** What is said of noise that is compared on one side alone: what the comparison lets through may be as rare as the claim allows. */
const RARE = {
  kind: "not-followed",
  detail:
    "noise is compared on one side alone, and how rarely that lets something through is not seen",
} as const;

/** Returns what a comparison of two runs shows about a pair. */
export function judge(
  pair: Pair,
  { observations: all, loss, isSampled, declared, redrawnAt }: Comparison,
  { runs, claim }: { readonly runs: Assessment["runs"]; readonly claim: Claim },
): Assessment {
  const observations = claim.kind === "approximate" && claim.delta > 0 && runs.some(partsByNoise)
    ? all.map((own) => own.kind === "control-flow" ? { ...own, ...RARE } : own)
    : all;
  const share = shareOf(loss, claim);
  const isCostly = share > 1 + (isSampled ? SAMPLED : EXACT);
  const notFollowed = observations.find(({ kind }) => kind === "not-followed") ??
    (isCostly && redrawnAt !== undefined
      ? { kind: "not-followed" as const, ...redrawnAt, loss: NO_LOSS, detail: REDRAWN }
      : undefined);
  const broken = observations.find(({ kind }) => kind === "declaration-broken");
  const uncovered = observations.find(({ kind }) =>
    kind !== "shift" && kind !== "not-followed" && kind !== "bounded-noise"
  );
  const costliest = observations.filter(({ loss }) => loss !== NO_LOSS)
    .sort((a, b) => shareOf(b.loss, claim) - shareOf(a.loss, claim));
  const tier = broken !== undefined
    ? Tier.broken
    : notFollowed !== undefined
    ? Tier.covered
    : uncovered !== undefined
    ? Tier.uncovered
    : isCostly
    ? Tier.costly
    : Tier.covered;
  return {
    pair,
    tier,
    share: notFollowed === undefined ? share : NaN,
    loss,
    worst: broken ?? (notFollowed === undefined ? uncovered ?? costliest[0] : notFollowed),
    costs: costliest.length,
    notFollowed: notFollowed?.detail,
    declared: declared.length === 0 ? undefined : { loss: promised(declared), reads: declared },
    runs,
  };
}

/** Returns true if a replay parts from its run where noise is compared with something. */
function partsByNoise({ apart }: Recording): boolean {
  return apart?.expected?.kind === "sign" || apart?.met?.kind === "sign";
}

/** Returns the loss of declared mechanisms together, each of all that it declares. */
function promised(reads: readonly Read[]): Loss {
  return reads.reduce((sum, { declared }) => composed(sum, lossOfDeclared(declared!)), NO_LOSS);
}

/** Returns an assessment with a reason why the pair cannot be compared in place of what it showed. */
export function unfollowed(
  judged: Assessment,
  { detail, ...place }: Place & { readonly detail?: string },
): Assessment {
  const own = {
    kind: "not-followed",
    ...placeAlone(place),
    loss: NO_LOSS,
    detail: detail!,
  } as const;
  const { chosenAt: _, ...rest } = judged;
  return {
    ...rest,
    tier: Tier.covered,
    share: NaN,
    loss: NO_LOSS,
    worst: own,
    notFollowed: own.detail,
  };
}

/** Returns what a comparison shows before a read, without that read and all later ones. */
export function withoutFrom(comparison: Comparison, end: number): Comparison {
  const observations = comparison.observations.filter(({ index = 0 }) => index < end);
  return {
    ...comparison,
    observations,
    loss: observations.reduce((sum, { loss }) => composed(sum, loss), NO_LOSS),
    declared: comparison.declared.filter((read) => observations.some(({ at }) => at === read.at)),
  };
}

/** Returns true if one assessment is graver than another: by tier, by whether the runs went other ways, then by share, and where noise was not followed by distance. */
export function isGraver(one: Assessment, other: Assessment): boolean {
  if (one.tier !== other.tier) return one.tier > other.tier;
  const [went, otherWent] = [one, other].map(({ worst }) => worst?.kind === "control-flow");
  if (went !== otherWent) return went!;
  if (Number.isNaN(one.share) && Number.isNaN(other.share)) {
    return (one.distance ?? 0) > (other.distance ?? 0);
  }
  return one.share > other.share || (Number.isNaN(other.share) && !Number.isNaN(one.share));
}

/** Returns a key that is equal for assessments that show the same at the same place. */
export function keyOfFinding({ tier, worst }: Assessment): string {
  return bareJson([tier, worst?.kind ?? "", worst?.at ?? ""])!;
}
