import { bareJson } from "../../core/text/bare_json.ts";
import { type Claim, describeClaim } from "../../core/claims/claim.ts";
import { type Pair, sameRow } from "../../core/relations/relation.ts";
import { type Assessment, Tier } from "./assessment.ts";
import type { Observation } from "./comparison/observation.ts";
import type { Place } from "./recording.ts";
import { shownNumber } from "./shown_number.ts";
import { amountOf, symbolOf } from "./amount_of.ts";
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

/** Returns the kind of what an assessment shows. */
export function kindOf({ tier, worst, costs }: Assessment, claim: Claim): FindingKind {
  if (worst === undefined) return "spent-more-than-once";
  // A shift that costs too much may be the worst of what is not covered, too.
  if (worst.kind !== "shift" && worst.kind !== "not-followed") {
    if (tier !== Tier.costly) return worst.kind;
    if (worst.kind === "bounded-noise" || worst.kind === "all-outcomes") return worst.kind;
  }
  const own = parameterOf(worst.loss, claim);
  return costs > 1 && own <= claimedAmount(claim) * (1 + 1e-6)
    ? "spent-more-than-once"
    : "too-little-noise";
}

/** Returns the change that the noise under a value pays for within the whole claim; null where that has no one answer. */
export function paidBy({ law, scale }: Observation, claim: Claim): number | null {
  if (scale === undefined) return null;
  const isPure = ["laplace", "logistic", "discrete Laplace", "exponential"].includes(law ?? "");
  if (isPure) {
    return scale * (paidChange("laplace", claim) ?? NaN);
  }
  if (law === "cauchy") {
    const paid = paidChange("laplace", claim);
    return paid === undefined ? null : 2 * scale * Math.sinh(paid / 2);
  }
  if (law === "normal") {
    const paid = paidChange("normal", claim);
    return paid === undefined ? null : scale * paid;
  }
  return null;
}

/** Puts what was found into a sentence without a full stop: of two runs with the same noise, and no more than these show. */
export function sentenceOf(assessment: Assessment, claim: Claim): string {
  const { tier, chosenAt, allOutcomes } = assessment;
  const sentence = findingOf(assessment, claim);
  return chosenAt === undefined || allOutcomes !== undefined || tier === Tier.broken
    ? sentence
    : `${sentence}; the draws at ${chosenAt} have the same outcomes on both sides: if they choose rows, what that amplifies is not seen`;
}

function findingOf(assessment: Assessment, claim: Claim): string {
  const { worst, pair, loss, costs } = assessment;
  const what = changeOf(pair);
  switch (kindOf(assessment, claim)) {
    case "spent-more-than-once": {
      const all = `${amountOf(claim, parameterOf(loss, claim))} in all, where ${
        describeClaim(claim)
      } is claimed`;
      return assessment.isPromised === true
        ? `${costs} declared mechanisms whose values move, the last at ${
          placeOf(assessment.declared?.reads.at(-1))
        }, promise ${all}: ${what}`
        : `to keep ${costs} noisy values the same, the costliest at ${
          placeOf(worst)
        }, costs ${all}: ${what} each moves by no more than its own noise pays for`;
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
      return `the noise at ${placeOf(worst)} depends on the data: ${what} ${worst!.detail}${
        isByRows(worst!, pair) ? ", as where a noisy value is divided by the number of rows" : ""
      }`;
    case "control-flow":
      return `the steps of the program depend on the data at ${placeOf(worst)}: ${what} ${
        worst!.detail
      }`;
    case "uncovered-output":
      return uncovered(assessment, what);
    case "all-outcomes":
      return byAllOutcomes(assessment, { claim, what });
    case "bounded-noise":
      return `the noise at ${placeOf(worst)} does not have all values: ${what} the value moves by ${
        shownNumber(Math.abs(worst!.change ?? NaN))
      }, and noise that is shifted by as much has values that it cannot have, with probability ${
        shownNumber(worst!.loss.delta)
      }`;
    case "too-little-noise":
      return tooLittle(worst!, { claim, what, own: parameterOf(worst!.loss, claim) });
  }
}

function tooLittle(
  worst: Observation,
  { claim, what, own }: {
    readonly claim: Claim;
    readonly what: string;
    /** Its own loss, as the parameter of the claim. */
    readonly own: number;
  },
): string {
  const { law, scale, change = NaN, noiseAt } = worst, moved = Math.abs(change);
  const times = Number.isFinite(own)
    ? `${shownNumber(own / claimedAmount(claim))} times the claim`
    : `no ${symbolOf(claim)} covers that`;
  if (change === Infinity) {
    return `the value at ${placeOf(worst)} ${worst.detail}: ${what} no noise covers that`;
  }
  if (law === "density") {
    return `the density of what ${worst.detail} at ${placeOf(worst)} puts out changes: ${what} ${
      byFactor(worst.loss.pure[0]!)
    } at the point 0, ${times}`;
  }
  if (worst.detail !== undefined && scale === undefined) {
    return `to keep ${worst.detail} at ${placeOf(worst)} the noise must shift: ${what} ${
      Number.isFinite(own) ? `that costs ${amountOf(claim, own)}, ` : ""
    }${times}`;
  }
  if (law === "draw" || law === "comparison") {
    return `the chances of a draw at ${placeOf(worst)} change: ${what} ${
      byFactor(worst.loss.pure[0]!)
    }, ${times}`;
  }
  const paid = paidBy(worst, claim);
  const drawn = noiseAt === undefined || noiseAt === worst.at ? "" : ` (drawn at ${noiseAt})`;
  const at = `${placeOf(worst)}${drawn}`;
  if (scale === undefined) {
    return `${law ?? "a declared mechanism"} at ${placeOf(worst)}: ${what} its value moves by ${
      shownNumber(moved)
    }, which costs ${amountOf(claim, own)} of what it declares, ${times}`;
  }
  const noise = law === "normal"
    ? `normal noise of deviation ${shownNumber(scale)}`
    : `noise of scale ${shownNumber(scale)}`;
  // Noise that was rounded pays for less than its scale says.
  if (paid !== null && moved <= paid * (1 + 1e-9) && Number.isFinite(own)) {
    return `${noise} at ${at} is rounded: ${what} the value moves by ${
      shownNumber(moved)
    }, which costs ${amountOf(claim, own)}, ${times}`;
  }
  return paid === null
    ? `${noise} at ${at} keeps no such claim: ${what} the value moves by ${shownNumber(moved)}`
    : `${noise} at ${at} hides a change of at most ${
      shownNumber(paid)
    }; ${what} the value moves by ${shownNumber(moved)}: ${times}`;
}

/** Returns in words by how much a chance changes. */
function byFactor(loss: number): string {
  if (loss === Infinity) return "from some to none";
  const factor = Math.exp(loss);
  return `by a factor of ${
    Number.isFinite(factor) ? shownNumber(factor) : `e^${shownNumber(loss)}`
  }`;
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
  }: ${
    unseen === 0
      ? amountForPair(claim, parameter)
      : amountForPair(claim, parameter).replace("=", "≥")
  }`;
}

function amountForPair(claim: Claim, parameter: number): string {
  if (!Number.isFinite(parameter)) return `no ${symbolOf(claim)} holds for this pair`;
  const amount = `${amountOf(claim, parameter)} for this pair`;
  // Of zero-concentrated claims some orders alone are looked at.
  return claim.kind === "zcdp" ? amount.replace("=", "≥") : amount;
}

const LONGEST_OUTPUT = 40;

function shownOutput(output: unknown): string {
  const text = bareJson(output)!;
  return text.length <= LONGEST_OUTPUT ? text : `${text.slice(0, LONGEST_OUTPUT)}…`;
}

/** Returns an output that changes although all noise was the same. */
function uncovered({ worst, runs, pair }: Assessment, what: string): string {
  const place = worst!.at === "" ? "" : ` after ${placeOf(worst)}`;
  if (worst!.detail !== undefined) {
    const moves = worst!.change === undefined
      ? ""
      : ` it moves by ${shownNumber(Math.abs(worst!.change))}`;
    return `${worst!.detail}${place === "" ? "" : ` at ${placeOf(worst)}`}: ${what}${moves}`;
  }
  const sides = pair.left.length >= pair.right.length
    ? ["left", "right"] as const
    : ["right", "left"] as const;
  const [n, m] = sides.map((side) => pair[side].length) as [number, number];
  const [from, to] = sides.map((side) => runs[side === "left" ? 0 : 1].output);
  const how = typeof from !== "number" || typeof to !== "number"
    ? ""
    : ` it goes from ${shownNumber(from)} to ${shownNumber(to)}${
      from !== to && from * n !== 0 && n !== m &&
        Math.abs(from * n - to * m) <= 1e-9 * Math.abs(from * n)
        ? ", as where it is divided by the number of rows"
        : ""
    }`;
  return `what is put out${place} changes where no noise covers it: ${what}${how}`;
}

/** Returns true if the noise changes as the number of rows does. */
function isByRows({ ratio }: Observation, { left, right }: Pick<Pair, "left" | "right">): boolean {
  const rows = left.length / right.length;
  return ratio !== undefined && rows !== 1 && rows > 0 && rows < Infinity &&
    [rows, 1 / rows].some((factor) => Math.abs(ratio - factor) <= 1e-9 * factor);
}

function placeOf(worst: Place | undefined): string {
  if (worst === undefined || worst.at === "") return "an unknown line";
  return worst.in === undefined ? worst.at : `${worst.at} (in ${worst.in})`;
}

/** Returns how far a relation between lists of answers lets them move. */
export function changeOf({ left, right }: Pick<Pair, "left" | "right">): string {
  const [long, short] = left.length >= right.length ? [left, right] : [right, left];
  if (long.length === short.length) {
    const changed = long.flatMap((row, i) => sameRow(row, short[i]) ? [] : [i + 1]);
    return changed.length === 1 ? `with row ${changed[0]} replaced` : "from one side to the other";
  }
  const at = long.findIndex((row, i) => i >= short.length || !sameRow(row, short[i]));
  const isRemoved = long.length === short.length + 1 &&
    short.every((row, i) => sameRow(row, long[i < at ? i : i + 1]));
  return isRemoved ? `with row ${at + 1} removed` : "from one side to the other";
}
