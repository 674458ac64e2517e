import { readFileSync } from "node:fs";
import process from "node:process";
import { InvalidArgumentError } from "commander";
import { parseBareJson } from "../../lib/core/text/bare_json.ts";
import { parseEvent } from "../../lib/judge/audit/model/encoding/event_rule.ts";
import { withoutByteOrderMark } from "./byte_order_mark.ts";
import { reasonOf } from "./reason_of.ts";

/** Prefix of a value that names an environment variable. */
const ENVIRONMENT = "env:";

/** A URL, or the one that a variable of the environment holds: arguments can be read by every process of the machine. */
export function urlValue(text: string): string {
  if (!text.startsWith(ENVIRONMENT)) return text;
  const url = process.env[text.slice(ENVIRONMENT.length)];
  if (url === undefined || url === "") {
    throw new InvalidArgumentError("The environment has no such variable.");
  }
  return url;
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A finite decimal number; commander names the option and the value when it is not one. */
function decimal(text: string): number {
  if (!DECIMAL.test(text) || !Number.isFinite(Number(text))) {
    throw new InvalidArgumentError("It must be a finite decimal number.");
  }
  return Number(text);
}

/** A number above `above`. */
export function numberAbove(above: number): (text: string) => number {
  return (text) => {
    const value = decimal(text);
    if (!(value > above)) throw new InvalidArgumentError(`It must be above ${above}.`);
    return value;
  };
}

/** A number above 1, or `infinity`. */
export function powerValue(text: string): number {
  return text.toLowerCase() === "infinity" ? Infinity : numberAbove(1)(text);
}

/** A number in [0, 1). */
export function deltaValue(text: string): number {
  const value = decimal(text);
  if (!(value >= 0 && value < 1)) throw new InvalidArgumentError("It must be in [0, 1).");
  return value;
}

/** A number in (0, 1). */
export function alphaValue(text: string): number {
  const value = decimal(text);
  if (!(value > 0 && value < 1)) throw new InvalidArgumentError("It must be in (0, 1).");
  return value;
}

/** An integer from `min` to `max`. */
export function integerFrom(
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const value = decimal(text);
    if (!(Number.isSafeInteger(value) && value >= min && value <= max)) {
      throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
    }
    return value;
  };
}

/** One more event, as reports print it, after those given before. */
export function eventValues(text: string, before: readonly string[] = []): readonly string[] {
  try {
    parseEvent(text);
  } catch (error) {
    throw new InvalidArgumentError(`It must be a rule as reports print it: ${reasonOf(error)}.`);
  }
  return [...before, text];
}

/** One more rule of datasets, after those given before. */
export function ruleValues(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Any JSON value, kept with its text. */
export interface JsonValue {
  readonly text: string;
  readonly value: unknown;
}

/** Reads JSON, in which NaN, Infinity and -Infinity may stand without quotes. */
export function jsonValue(text: string): JsonValue {
  try {
    return { text, value: parseBareJson(withoutByteOrderMark(text), exactNumber) };
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw error;
    // Of the parser's message only the position helps a user.
    const at = error instanceof Error && /position (\d+)/.exec(error.message)?.[1];
    const place = at ? `: it is none from character ${Number(at) + 1} on` : "";
    throw new InvalidArgumentError(`It must be JSON${place}.`);
  }
}

/** Reads what rows are, from JSON that is given or from a file: a schema of a table has many lines. */
export function rowsValue(text: string): JsonValue {
  return jsonOrFileValue(text, " dpcheck schema drafts one.");
}

/** Reads JSON that is given, or that a file has; `hint` says where such a file comes from. */
export function jsonOrFileValue(text: string, hint = ""): JsonValue {
  if (!/\.json$/i.test(text)) return jsonValue(text);
  let content: string;
  try {
    content = readFileSync(text, "utf8");
  } catch (error) {
    throw new InvalidArgumentError(
      `It must be JSON, or a file of it: ${reasonOf(error)}.${hint}`,
    );
  }
  return jsonValue(content);
}

/** Refuses numbers that a double cannot hold, since the program would get others. */
function exactNumber(_: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (typeof value !== "number" || source === undefined) return value;
  const isWhole = /^-?\d+$/.test(source);
  if (Number.isFinite(value) && !(isWhole && BigInt(source) !== BigInt(value))) return value;
  throw new InvalidArgumentError(
    `Its numbers must be doubles, whole ones exactly: ${source} would be read as ${value}. Use a string.`,
  );
}

/** The most rows of a dataset that pairs are searched among: each pair is held in memory, and sent whole. */
const MOST_ROWS = 1_000_000;

/** `A..B` or `A`: how many rows datasets have. */
export function sizeValue(text: string): { min: number; max: number } {
  const match = /^(\d+)(?:\.\.(\d+))?$/.exec(text);
  const min = Number(match?.[1]), max = Number(match?.[2] ?? match?.[1]);
  if (match === null || !(min <= max && max <= MOST_ROWS)) {
    throw new InvalidArgumentError(
      `It must be A..B or A: integers from 0 to ${MOST_ROWS}, A at most B.`,
    );
  }
  return { min, max };
}

/** The value of `--lifetime`. */
export function lifetimeValue(text: string): string {
  return oneOf(text, ["session", "user", "service"]);
}

/** The value of `--restart-keeps`. */
export function restartValue(text: string): string {
  return oneOf(text, ["everything", "nothing"]);
}

function oneOf(text: string, choices: readonly string[]): string {
  if (choices.includes(text)) return text;
  throw new InvalidArgumentError(`It must be ${choices.join(" or ")}.`);
}
