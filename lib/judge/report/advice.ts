import type { EventReport } from "../audit/counterexample/event_report.ts";
import type { RefutedReport } from "../audit/report.ts";
import { ratesDiffer } from "../../core/numeric/rates_differ.ts";
import { roundedDown } from "./bound.ts";
import { ratesOf } from "./event_rates.ts";
import { groupedNumber, shortNumber } from "./short_number.ts";

/** A tail keeps its ratio, or loses it, by so many standard errors of the log ratio beyond; this much is a clear growth. */
const STANDARD_ERRORS = 3, CLEAR_GROWTH = 0.25;
/** Log ratios further out than this are no mistake in a scale: they are found by other rules. */
const LARGEST_MISTAKE = 8;
/** A log ratio this close to a whole multiple of the claim, as a share, is one. */
const NEAR_MULTIPLE = 0.05;

/** Facts of a refutation from which advice is chosen. */
type Refutation = Pick<RefutedReport, "event" | "pair" | "claim">;

/** Returns advice on a refutation, as far as the event and the pair tell; a sentence each. Rules that do not fit say nothing. */
export function adviceOn({ event, pair, claim }: Refutation): string[] {
  if (event === null) return [];
  const about = { event, claim, pair: pair ?? { left: null, right: null } };
  const fitting = RULES.map((rule) => rule(about)).filter((sentence) => sentence !== undefined);
  return [ratioSentence(about), ...fitting];
}

/** A refutation with an event. */
interface About {
  readonly event: EventReport;
  readonly claim: RefutedReport["claim"];
  readonly pair: { readonly left: unknown; readonly right: unknown };
}

type Side = "left" | "right";

/** Each reads one kind of mistake off an event, or nothing. */
const RULES: readonly ((about: About) => string | undefined)[] = [
  noAnswer,
  missingKey,
  copiedValue,
  ownAnswer,
  lengthOfOutput,
  sameNumbers,
  lowBits,
  noNoise,
  cutOff,
  scaleOfNoise,
];

/** The side on which the event is more frequent, and the other one. */
function sidesOf(event: EventReport): readonly [often: Side, seldom: Side] {
  const { left, right } = ratesOf(event);
  return left > right ? ["left", "right"] : ["right", "left"];
}

/** What a program gives in place of an answer, and how that is said. */
const NO_ANSWER = {
  error: ["fails", "an error"],
  null: ["gives null", "null"],
  NaN: ["gives NaN", "NaN"],
} as const;

function noAnswer({ event, pair }: About): string | undefined {
  const [condition, ...more] = event.conditions;
  if (condition?.feature !== "kind(output)" || more.length > 0) return undefined;
  if (!Object.hasOwn(NO_ANSWER, condition.value)) return undefined;
  const [does, what] = NO_ANSWER[condition.value as keyof typeof NO_ANSWER];
  const [often, seldom] = sidesOf(event), isThis = condition.operator === "=";
  const side = isThis ? often : seldom, data = pair[side], { hits, draws } = event[seldom];
  const where = hits > 0 && hits < draws
    ? `more often on the ${side} dataset`
    : Array.isArray(data) && data.length === 0
    ? "on empty data"
    : `on the ${side} dataset`;
  return `The program ${does} ${where}, and ${what} is an output: give a noisy answer there too.`;
}

function missingKey({ event, pair }: About): string | undefined {
  const [{ feature, operator } = { feature: "", operator: "<=" }, ...more] = event.conditions;
  const key = /^output\.([^.[\]]+)$/.exec(feature)?.[1];
  const isKeys = feature === "keys(output)";
  if (more.length > 0 || !(isKeys || (key !== undefined && operator === "is"))) return undefined;
  const [often, seldom] = sidesOf(event);
  if (key === undefined) {
    return "The keys of the output follow the data: give every key that there may be, or choose keys by a noisy threshold.";
  }
  // There, but no number.
  if (typeof event.example === "object" && Object.hasOwn(event.example ?? {}, key)) {
    return undefined;
  }
  const isNever = event[often].hits === event[often].draws;
  return isNever && holds(pair[seldom], key) && !holds(pair[often], key)
    ? `Key ${key} is in the output only where the data have ${key}: give every key that there may be, with noise, or choose keys by a noisy threshold.`
    : `Whether key ${key} is in the output follows the data: give every key that there may be, or choose keys by a noisy threshold.`;
}

/** Returns true if a value is among those in some data. */
function holds(data: unknown, value: string | boolean): boolean {
  if (Array.isArray(data)) return data.some((part) => holds(part, value));
  if (typeof data === "object" && data !== null) {
    return Object.values(data).some((part) => holds(part, value));
  }
  return data === value;
}

function copiedValue({ event, pair }: About): string | undefined {
  const [{ feature, operator, value } = { feature: "", operator: "<=", value: 0 }, ...more] =
    event.conditions;
  if (more.length > 0 || operator !== "=" || !/^output[.[\]\w]*$/.test(feature)) return undefined;
  const [often, seldom] = sidesOf(event);
  const isText = typeof value === "string" && holds(pair[often], value) &&
    !holds(pair[seldom], value);
  return isText && Math.min(event.left.hits, event.right.hits) === 0
    ? `${feature} is ${value} only where a row has it: give values from a list fixed beforehand, chosen with noise.`
    : undefined;
}

/** A row's own answer that comes through too often, as in randomised response. */
function ownAnswer({ event, pair, claim }: About): string | undefined {
  const [{ feature, operator, value } = { feature: "", operator: "<=", value: 0 }, ...more] =
    event.conditions;
  const [often, seldom] = sidesOf(event), rates = ratesOf(event);
  if (more.length > 0 || operator !== "=" || !/^output[.[\]\w]*$/.test(feature)) return undefined;
  if (rates[seldom] === 0 || typeof value !== "string" || claim.kind !== "pure") return undefined;
  const isTruth = value === "true" || value === "false",
    answer = isTruth ? value === "true" : value;
  if (!holds(pair[often], answer) || holds(pair[seldom], answer)) return undefined;
  const most = isTruth
    ? ` Of two answers the true one may come in ${
      shortNumber(roundedDown(100 / (1 + Math.exp(-claim.epsilon)), 3), 3)
    }%, where either is wrong equally often.`
    : "";
  return `${value} is a value of the ${often} dataset alone, and comes through in ${
    shortNumber(100 * rates[often], 3)
  }% of its outputs: draw an answer that ignores the row more often.${most}`;
}

function lengthOfOutput({ event }: About): string | undefined {
  const { feature } = event.conditions[0] ?? { feature: "" };
  return event.conditions.length === 1 && /^(length|count)\(output[^>=]*\)$/.test(feature)
    ? "The length of the output follows the data: make it a length fixed beforehand, or one with noise."
    : undefined;
}

function sameNumbers({ event }: About): string | undefined {
  return event.conditions.length === 1 && event.conditions[0]!.feature === "repeats(output)"
    ? "Equal rows get equal numbers: draw noise, or a pseudonym, anew for each row."
    : undefined;
}

function lowBits({ event }: About): string | undefined {
  return event.conditions.some(({ feature }) => /^(lowestBit|undoes)\(/.test(feature))
    ? "The last bits of doubles tell the data: draw discrete noise, or round the noisy value to a grid fixed beforehand (Mironov 2012)."
    : undefined;
}

function noNoise(about: About): string | undefined {
  const { constant, conditions: [condition, ...more] } = about.event;
  if (constant === undefined || condition === undefined || more.length > 0) return undefined;
  const { feature } = condition;
  // What is missing or no number on both sides, and the kind, the keys and the length of an output, have no noise to begin with.
  if (!/^(output[^\s(]*|number \d+ in output\S*)$/.test(feature)) return undefined;
  const fixed = (["left", "right"] as const).filter((side) =>
    constant[side] !== undefined && constant[side] !== "NaN"
  );
  if (fixed.length === 0) return undefined;
  const where = fixed.length === 2 ? "" : ` on the ${fixed[0]} dataset`;
  if (typeof constant[fixed[0]!] === "number") {
    return fixed.length === 2
      ? `On each dataset ${feature} was the same in every draw, as where noise is missing, or drawn once and used again.`
      : `${feature} was the same in every draw${where}, as where noise is left out there, or has a scale that these data make 0.`;
  }
  return copiedValue(about) !== undefined
    ? undefined
    : `${feature} is the same every time${where}: choose it with noise, drawn anew each time.`;
}

/** A law that was cut off where it was dense: the weight of what is left follows the data. */
function cutOff({ event: { beyond, conditions: [condition] } }: About): string | undefined {
  if (beyond?.end === undefined) return undefined;
  const isAbove = condition!.operator === ">", end = shortNumber(beyond.end, 3);
  return `No ${condition!.feature} was seen ${
    isAbove ? "above" : "below"
  } ${end}, and many near it, as where noise is drawn again ` +
    "until the output is in range: what is left then weighs more on one dataset. Draw once, and clamp.";
}

/** The tail of additive noise: its ratio says which share of the scale is missing. */
function scaleOfNoise({ event, claim }: About): string | undefined {
  const { beyond, conditions: [condition] } = event;
  if (beyond === undefined || beyond.end !== undefined || condition === undefined) return undefined;
  if (claim.kind !== "pure") return undefined;
  const ratio = logRatio(event.left.hits / event.left.draws, event.right.hits / event.right.draws);
  const further = logRatio(beyond.left / event.left.draws, beyond.right / event.right.draws);
  if (!(ratio > claim.epsilon && ratio < LARGEST_MISTAKE)) return undefined;
  const error = STANDARD_ERRORS * Math.sqrt(1 / beyond.left + 1 / beyond.right);
  if (further - ratio > Math.max(error, CLEAR_GROWTH * ratio)) {
    return `Further out the ratio grows (${shortNumber(Math.exp(further), 3)} times at ${
      shortNumber(beyond.threshold, 3)
    }), as with Gaussian noise, which keeps no pure ε: claim (ε, δ) or ρ, or add Laplace noise.`;
  }
  if (Math.abs(further - ratio) > error || error > ratio - claim.epsilon) return undefined;
  const times = ratio / claim.epsilon;
  const tail =
    `Further out in the tail of ${condition.feature} the ratio stays, as with Laplace noise`;
  const whole = Math.round(times);
  if (whole >= 2 && Math.abs(times - whole) <= NEAR_MULTIPLE * whole) {
    const moves = claim.relation.name === "replace-one" && whole === 2
      ? ": a replaced row may leave one place and enter another"
      : "";
    return `${tail} of 1/${whole} of the scale that the claim needs, or a sensitivity that is ${whole} times what was taken${moves}.`;
  }
  return `${tail} whose scale is about ${
    shortNumber(100 * (1 - 1 / times), 2)
  }% too small for the claim, or too small a sensitivity.`;
}

function logRatio(p: number, q: number): number {
  return Math.abs(Math.log(p / q));
}

/** The least ε whose factor is not 1 as it is rounded here. */
const LEAST_SAID = 1e-3;

function ratioSentence({ event, claim }: About): string {
  if (!ratesDiffer(event.left, event.right)) {
    return "The event was about as frequent on one dataset as on the other.";
  }
  const { left, right } = ratesOf(event);
  const [high, low] = left > right ? [left, right] : [right, left];
  const ratio = low === 0
    ? "The event was seen on one dataset only"
    : `The event is ${
      groupedNumber(high / low, 3)
    } times as frequent on one dataset as on the other`;
  const allowed = claim.kind === "pure" || claim.kind === "approximate"
    ? `; the claim allows ${
      claim.epsilon < LEAST_SAID
        ? "hardly any difference"
        : `${shortNumber(Math.exp(claim.epsilon), 4)} times`
    }` + (claim.kind === "approximate" ? ` and ${claim.delta} on top` : "")
    : "";
  return `${ratio}${allowed}.`;
}
