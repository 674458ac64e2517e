import type { EventReport } from "../audit/counterexample/event_report.ts";
import type { Condition } from "../audit/model/encoding/condition.ts";
import { shortData } from "./short_data.ts";
import { longCount } from "./short_number.ts";

/** Characters of an example output that a sentence shows, and digits of its numbers. */
const EXAMPLE = 80, DIGITS = 4;

/** Returns an event in the program's own terms: what its outputs are, in how many of how many, with one of them. */
export function eventSentence(event: EventReport): string {
  const { left, right, conditions, constant = {} } = event;
  const [often, seldom] = left.hits / left.draws < right.hits / right.draws
    ? ["right", "left"] as const
    : ["left", "right"] as const;
  const count = (side: "left" | "right"): string =>
    `${longCount(event[side].hits)} of ${longCount(event[side].draws)}`;
  const what = answerOf(event) ?? conditions.map(inWords).join(" and ");
  const [{ feature } = { feature: "" }] = conditions;
  const every = (["left", "right"] as const).flatMap((side) =>
    typeof constant[side] === "number" ? [`on the ${side} ${feature} was ${constant[side]}`] : []
  );
  const values = every.length === 0 ? "" : ` ${capital(every.join(", "))} every time.`;
  const { example } = event;
  const isShown = example !== undefined && typeof example !== "number" &&
    !conditions.some(({ operator, value }) => operator === "=" && value === String(example));
  const shown = isShown ? `, as in ${shortData(withFewDigits(example), EXAMPLE)}` : "";
  return `${capital(what)} in ${count(often)} outputs on the ${often} dataset${shown}, and in ${
    count(seldom)
  } on the ${seldom}.${values}`;
}

/** Names the answer of a program whose outputs are yes and no, or texts. */
function answerOf({ conditions: [only, ...more], example }: EventReport): string | undefined {
  if (only === undefined || more.length > 0 || typeof only.value !== "string") return undefined;
  if (only.feature !== "output" || only.operator !== "=") return undefined;
  const said = typeof example === "boolean" ? example ? "yes" : "no" : JSON.stringify(only.value);
  return `the program said ${said}`;
}

/** Names of features are code, and stay as they are. */
function capital(text: string): string {
  return /^(the|on) /.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;
}

/** A value with its numbers in few digits. */
function withFewDigits(value: unknown): unknown {
  if (typeof value === "number") return Number(value.toPrecision(DIGITS));
  if (Array.isArray(value)) return value.map(withFewDigits);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withFewDigits(part)]));
}

/** A condition as a reader would say it. */
function inWords({ feature, operator, value }: Condition): string {
  if (feature === "kind(output)") {
    if (value === "error") {
      return operator === "=" ? "the program failed" : "the program did not fail";
    }
    return value === "null" || value === "NaN"
      ? `the output was ${operator === "=" ? "" : "not "}${value}`
      : `the output was ${operator === "=" ? "a" : "no"} ${value}`;
  }
  if (feature.startsWith("keys(") && operator === "=") {
    return `the keys of ${feature.slice(5, -1)} were just ${value === "" ? "none" : value}`;
  }
  if (feature === "repeats(output)" && operator === ">" && value === 0) {
    return "the output had the same number twice";
  }
  const inText = /^number (\d+) in (.*)$/.exec(feature);
  if (inText !== null && operator === "is") {
    return `the text of ${inText[2]} had ${
      inText[1] === "1" ? "no number" : "fewer numbers"
    } in it`;
  }
  if (feature.startsWith("form(") && value === "-0") {
    return `${feature.slice(5, -1)} was ${operator === "=" ? "" : "not "}-0`;
  }
  if (operator === "is") return `${feature} was missing or no number`;
  return `${feature} was ${OPERATORS[operator]}${
    typeof value === "number" || value === "true" || value === "false"
      ? value
      : JSON.stringify(value)
  }`;
}

const OPERATORS = { "<=": "at most ", ">": "above ", "=": "", "!=": "not " } as const;
