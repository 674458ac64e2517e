import { bareJson } from "../core/bare_json.ts";
import { type Claim, describeClaim } from "../core/claim.ts";
import { type Pair, sameRow } from "../core/relation.ts";
import { type Assessment, Tier } from "./assess_pair.ts";
import type { Observation } from "./compare_runs.ts";
import { shownNumber } from "./shown_number.ts";
import { claimedAmount, paidChange, parameterOf } from "./loss.ts";

/** The kinds of findings, as they stand in JSON. */
export type FindingKind =
  | "too-little-noise"
  | "spent-more-than-once"
  | "noise-depends-on-data"
  | "control-flow"
  | "uncovered-output"
  | "bounded-noise"
  | "all-outcomes"
  | "declaration-broken";

/** The kind of what an assessment shows. */
export function kindOf({ tier, worst, costs }: Assessment, claim: Claim): FindingKind {
  if (worst === undefined) return "spent-more-than-once";
  if (tier !== Tier.costly) return worst.kind as FindingKind;
  if (worst.kind === "bounded-noise" || worst.kind === "all-outcomes") return worst.kind;
  const own = parameterOf(worst.loss, claim);
  return costs > 1 && own <= claimedAmount(claim) * (1 + 1e-6)
    ? "spent-more-than-once"
    : "too-little-noise";
}

/** The change that the noise under a value pays for within the whole claim; null where that has no one answer. */
export function paidBy({ law, scale }: Observation, claim: Claim): number | null {
  if (scale === undefined) return null;
  const isPure = ["laplace", "logistic", "discrete Laplace", "exponential"].includes(law ?? "");
  if (isPure) {
    return scale * (paidChange("laplace", claim) ?? NaN);
  }
  if (law === "normal") {
    const paid = paidChange("normal", claim);
    return paid === undefined ? null : scale * paid;
  }
  return null;
}

/** What was found, in a sentence without a full stop. */
export function sentenceOf(assessment: Assessment, claim: Claim): string {
  const { tier, chosenAt, allOutcomes } = assessment;
  const sentence = findingOf(assessment, claim);
  return chosenAt === undefined || allOutcomes !== undefined || tier === Tier.broken
    ? sentence
    : `${sentence}; the draws at ${chosenAt} have the same outcomes on both sides, so that what sampling amplifies is not seen`;
}

function findingOf(assessment: Assessment, claim: Claim): string {
  const { worst, pair, share, loss, costs } = assessment;
  const what = changeOf(pair), times = `${shownNumber(share)} times the claim`;
  switch (kindOf(assessment, claim)) {
    case "spent-more-than-once": {
      const all = parameterOf(loss, claim);
      return `${costs} noisy values, the costliest at ${placeOf(worst)}, spend ${
        shownNumber(all)
      } in all, where ${
        describeClaim(claim)
      } is claimed: ${what} each moves by no more than its own noise pays for`;
    }
    case "declaration-broken":
      return worst!.detail === "monotonic"
        ? `${worst!.law} at ${
          placeOf(worst)
        } declares utilities that a row moves in one direction; ${what} some rise and others fall`
        : `${worst!.law} at ${placeOf(worst)} declares a sensitivity of ${
          shownNumber(worst!.scale!)
        }; ${what} its value moves by ${shownNumber(worst!.change!)}`;
    case "noise-depends-on-data":
      return isByRows(worst!, pair)
        ? `the result at ${
          placeOf(worst)
        } is divided by the number of rows, which no noise covers: ${what} its noise changes, too: ${
          worst!.detail
        }`
        : `the noise at ${placeOf(worst)} depends on the data: ${worst!.detail}`;
    case "control-flow":
      return `the steps of the program depend on the data at ${placeOf(worst)}: ${worst!.detail}`;
    case "uncovered-output":
      return uncovered(assessment, what);
    case "all-outcomes":
      return byAllOutcomes(assessment, { claim, what });
    case "bounded-noise":
      return `the noise at ${placeOf(worst)} is ${
        worst!.law === "uniform" ? "bounded" : "one-sided"
      }: ${what} the value moves by ${
        shownNumber(Math.abs(worst!.change ?? NaN))
      }, and outputs of probability ${
        shownNumber(worst!.loss.delta)
      } on one side cannot come on the other`;
    case "too-little-noise":
      return tooLittle(worst!, { claim, what, times });
  }
}

function tooLittle(
  worst: Observation,
  { claim, what, times }: { readonly claim: Claim; readonly what: string; readonly times: string },
): string {
  const { law, scale, change = NaN, noiseAt } = worst, moved = Math.abs(change);
  if (change === Infinity) {
    return `the value at ${placeOf(worst)} ${worst.detail}: ${what} no noise covers that`;
  }
  if (law === "density") {
    return `the density of what ${worst.detail} at ${
      placeOf(worst)
    } puts out changes: ${what} by a factor of ${
      shownNumber(Math.exp(worst.loss.pure[0]!))
    } at the point 0, ${times}`;
  }
  if (worst.detail !== undefined && scale === undefined) {
    return `${worst.detail} at ${placeOf(worst)} must stay: ${what} that costs ${times}`;
  }
  if (law === "draw" || law === "comparison") {
    return `the chances of a draw at ${placeOf(worst)} change: ${what} by a factor of ${
      shownNumber(Math.exp(worst.loss.pure[0]!))
    }, ${times}`;
  }
  const paid = paidBy(worst, claim);
  const drawn = noiseAt === undefined || noiseAt === worst.at ? "" : ` (drawn at ${noiseAt})`;
  const at = `${placeOf(worst)}${drawn}`;
  if (scale === undefined) {
    return `the value at ${placeOf(worst)} moves by ${shownNumber(moved)}: ${times}`;
  }
  const noise = law === "normal"
    ? `normal noise of deviation ${shownNumber(scale)}`
    : `noise of scale ${shownNumber(scale)}`;
  return paid === null
    ? `${noise} at ${at} keeps no such claim: ${what} the value moves by ${shownNumber(moved)}`
    : `${noise} at ${at} pays for a change of ${shownNumber(paid)}; ${what} the value moves by ${
      shownNumber(moved)
    }: ${times}`;
}

/** Chances of an output that all ways to draw give. */
function byAllOutcomes(
  { allOutcomes, worst, pair: { left, right } }: Assessment,
  { claim, what }: { readonly claim: Claim; readonly what: string },
): string {
  const { parameter, output: { output, error }, chances, paths, unseen } = allOutcomes!;
  const [from, to] = left.length >= right.length ? chances : [chances[1], chances[0]];
  const ways = paths[0] === paths[1]
    ? `all ${paths[0]} outcomes`
    : `all outcomes, ${paths[0]} on one side and ${paths[1]} on the other,`;
  const event = error === undefined ? `out = ${shownOutput(output)}` : `the error ${error}`;
  const rest = unseen === 0 ? "" : `, but for a probability of ${shownNumber(unseen)},`;
  return `${ways} of its draws (${
    placeOf(worst)
  })${rest} were forced: ${what} P(${event}) goes from ${shownNumber(from)} to ${
    shownNumber(to)
  }: ${unseen === 0 ? amountOf(claim, parameter) : amountOf(claim, parameter).replace("=", "≥")}`;
}

function amountOf(claim: Claim, parameter: number): string {
  if (!Number.isFinite(parameter)) return `no ${symbolOf(claim)} holds for this pair`;
  const value = String(Number(parameter.toPrecision(5)));
  switch (claim.kind) {
    case "pure":
      return `ε = ${value} for this pair`;
    case "approximate":
      return `ε = ${value} at δ = ${claim.delta} for this pair`;
    case "renyi":
      return `ε = ${value} at order ${claim.order} for this pair`;
    case "zcdp":
      return `ρ ≥ ${value} for this pair`;
    case "gaussian":
      return `μ = ${value} for this pair`;
  }
}

function symbolOf({ kind }: Claim): string {
  return kind === "zcdp" ? "ρ" : kind === "gaussian" ? "μ" : "ε";
}

const LONGEST_OUTPUT = 40;

function shownOutput(output: unknown): string {
  const text = bareJson(output)!;
  return text.length <= LONGEST_OUTPUT ? text : `${text.slice(0, LONGEST_OUTPUT)}…`;
}

/** An output that changes although all noise was the same. */
function uncovered({ worst, runs, pair }: Assessment, what: string): string {
  const [left, right] = runs.map(({ output }) => output);
  const place = worst!.at === "" ? "" : ` after ${placeOf(worst)}`;
  const [n, m] = [pair.left.length, pair.right.length];
  const isDivided = typeof left === "number" && typeof right === "number" && n !== m &&
    Math.abs(left * n - right * m) <= 1e-9 * Math.abs(left * n);
  if (isDivided) {
    return `the result is divided by the number of rows${place}, which no noise covers: ${what} it changes from ${
      shownNumber(left)
    } to ${shownNumber(right)}`;
  }
  if (worst!.detail !== undefined) {
    const moves = worst!.change === undefined
      ? ""
      : ` it moves by ${shownNumber(Math.abs(worst!.change))}`;
    return `${worst!.detail}${place === "" ? "" : ` at ${placeOf(worst)}`}: ${what}${moves}`;
  }
  return `what is put out${place} changes where no noise covers it: ${what}`;
}

/** Whether the noise changes as the number of rows does. */
function isByRows({ ratio }: Observation, { left, right }: Pick<Pair, "left" | "right">): boolean {
  const rows = left.length / right.length;
  return ratio !== undefined && rows !== 1 && rows > 0 && rows < Infinity &&
    [rows, 1 / rows].some((factor) => Math.abs(ratio - factor) <= 1e-9 * factor);
}

function placeOf(worst: Observation | undefined): string {
  if (worst === undefined || worst.at === "") return "an unknown line";
  return worst.in === undefined ? worst.at : `${worst.at} (in ${worst.in})`;
}

/** How the datasets of a pair differ, as the begin of a clause. */
export function changeOf({ left, right }: Pick<Pair, "left" | "right">): string {
  const [long, short] = left.length >= right.length ? [left, right] : [right, left];
  if (long.length === short.length) {
    const changed = long.flatMap((row, i) => sameRow(row, short[i]) ? [] : [i + 1]);
    return changed.length === 1 ? `with row ${changed[0]} replaced` : "from one side to the other";
  }
  const at = long.findIndex((row, i) => i >= short.length || !sameRow(row, short[i]));
  return `with row ${at + 1} removed`;
}
