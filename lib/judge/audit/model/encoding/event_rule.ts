import { lowestBitExponent } from "./lowest_bit_exponent.ts";
import { categoryOf, formOf, kindOf, numbersInText, partsOf, walk } from "./walk_output.ts";

/** Whether an output satisfies a rule. */
type OutputRule = (output: unknown) => boolean;

/** In place of a part that an output does not have. */
const MISSING = Symbol("missing");

/** One condition: a feature, an operator, a value. */
const CONDITION = /^(\w+\(.*?\)|number \d+ in .*?|output.*?) (<=|>|!=|=|is) (.*)$/s;
/** A path into an output, as in `output`, `output[2]`, `output.list[0].age`. */
const PATH = /^output(?:\[\d+\]|\.[^.[\]()]+)*$/;
/** A number as reports print it. */
const NUMBER = /^-?(?:\d+\.?\d*(?:e[+-]?\d+)?|Infinity)$/i;

/**
 * Reads a rule about outputs, as reports print it: conditions joined by "and", each a feature, an operator (`<=`, `>`, `=`, `!=`
 * or `is`) and a value, as in `output[0] <= 3.5 and output[1] = yes`. Missing numbers satisfy only `is NaN`.
 *
 * @throws {RangeError} when the text is not such a rule
 */
export function parseEvent(text: string): OutputRule {
  const conditions = conditionsIn(text).map((condition) => conditionOf(condition, text));
  return (output) => conditions.every((holds) => holds(output));
}

function refuse(text: string, why: string): never {
  throw new RangeError(
    `Cannot except an event: except must be a rule as reports print it: current value is ${text}: ${why}`,
  );
}

/** Returns the conditions of a rule: a text in one may itself hold the word "and". */
function conditionsIn(text: string): string[] {
  const conditions: string[] = [];
  for (const part of text.split(" and ")) {
    if (conditions.length === 0 || CONDITION.test(part)) conditions.push(part);
    else conditions.push(`${conditions.pop()!} and ${part}`);
  }
  return conditions;
}

function conditionOf(condition: string, text: string): OutputRule {
  const match = CONDITION.exec(condition);
  if (match === null) refuse(text, `"${condition}" is not a feature, an operator and a value`);
  const [, feature, operator, value] = match as unknown as [string, string, string, string];
  const compared = NUMBER.test(value) ? Number(value) : NaN;
  const number = numberOf(feature);
  if (operator === "is") {
    if (value !== "NaN") refuse(text, `"is" goes with NaN`);
    if (number === undefined) refuse(text, `"${feature}" is not a feature that may be NaN`);
    return (output) => Number.isNaN(number(output));
  }
  if (operator === "<=" || operator === ">") {
    if (Number.isNaN(compared)) refuse(text, `"${value}" is not a number`);
    if (number === undefined) refuse(text, `"${feature}" is not a feature that is a number`);
    return operator === "<="
      ? (output) => number(output) <= compared
      : (output) => number(output) > compared;
  }
  const category = textOf(feature, { isTruth: value === "true" || value === "false" });
  if (category === undefined && (number === undefined || Number.isNaN(compared))) {
    refuse(text, `"${feature}" is not a feature that can be compared with "${value}"`);
  }
  return (output) => {
    const own = category?.(output);
    if (own !== undefined) {
      // A number is compared with numbers, as long as no text is the same.
      const isText = Number.isNaN(compared) || NUMBER.test(own);
      return operator === "=" ? own === value : isText && own !== value;
    }
    const x = number?.(output) ?? NaN;
    return operator === "=" ? x === compared : x === x && compared === compared && x !== compared;
  };
}

/** Returns true if what stands at a path of the outputs of these sides is true or false, wherever it could be compared with a number. */
export function isOfTruths(path: string, sides: readonly Iterable<unknown>[]): boolean {
  const at = lookUp(path);
  let isFound = false;
  if (at === undefined) return false;
  for (const outputs of sides) {
    for (const output of outputs) {
      const value = at(output);
      if (typeof value === "boolean") isFound = true;
      else if (!Number.isNaN(asNumber(value))) return false;
    }
  }
  return isFound;
}

/** Returns the value at a path of an output. */
function lookUp(path: string): ((output: unknown) => unknown) | undefined {
  if (!PATH.test(path)) return undefined;
  const steps = path.slice("output".length).match(/\[\d+\]|\.[^.[\]]+/g) ?? [];
  return (output) => {
    let value = output;
    for (const step of steps) {
      const kind = kindOf(value);
      const isIndex = step.startsWith("[");
      if (isIndex ? kind !== "array" : kind !== "record" && kind !== "error") return MISSING;
      const key = isIndex ? step.slice(1, -1) : step.slice(1);
      const parts = isIndex ? value as Record<string, unknown> : partsOf(value as object);
      if (!Object.hasOwn(parts, key)) return MISSING;
      value = parts[key];
    }
    return value;
  };
}

/** Returns a number as encoders have it; NaN where there is none. */
function asNumber(value: unknown): number {
  const kind = value === MISSING ? "other" : kindOf(value);
  return kind === "number" || kind === "boolean" ? Number(value) : NaN;
}

/**
 * Returns a feature that is a text: a category, a kind or the keys of a record; with `isTruth` also true or false. `undefined` for outputs
 * that have none.
 */
function textOf(
  feature: string,
  { isTruth }: { readonly isTruth: boolean },
): ((output: unknown) => string | undefined) | undefined {
  const [, name, inside] = /^(kind|keys|form)\((.*)\)$/.exec(feature) ?? [];
  const at = lookUp(inside ?? feature);
  if (at === undefined) return undefined;
  return (output) => {
    const value = at(output);
    if (value === MISSING) return undefined;
    const kind = kindOf(value);
    if (name === "kind") return kind;
    if (name === "form") return formOf(value, kind);
    if (name === "keys" && kind !== "record" && kind !== "error") return undefined;
    if (isTruth && kind === "boolean") return String(value);
    const isText = kind === "string" || kind === "error" || (name === "keys" && kind === "record");
    return isText ? categoryOf(value, kind) : undefined;
  };
}

/** Returns a feature that is a number; NaN where the output has none. */
function numberOf(feature: string): ((output: unknown) => number) | undefined {
  return difference(feature) ?? odd(feature) ?? numberAt(feature) ?? numberInText(feature) ??
    ofPath(feature) ??
    ofWhole(feature);
}

function numberAt(path: string): ((output: unknown) => number) | undefined {
  const at = lookUp(path);
  return at && ((output) => asNumber(at(output)));
}

function difference(feature: string): ((output: unknown) => number) | undefined {
  const parts = feature.split(" - ");
  const [first, second] = parts.map((part) => numberAt(part) ?? numberInText(part));
  if (parts.length !== 2 || first === undefined || second === undefined) return undefined;
  return (output) => first(output) - second(output);
}

function numberInText(feature: string): ((output: unknown) => number) | undefined {
  const [, place, path] = /^number (\d+) in (.*)$/.exec(feature) ?? [];
  const at = path === undefined ? undefined : lookUp(path);
  if (at === undefined) return undefined;
  return (output) => {
    const value = at(output);
    return typeof value === "string" ? numbersInText(value)[Number(place) - 1] ?? NaN : NaN;
  };
}

/** Returns the parity of conditions of the form "number > threshold", between commas. */
function odd(feature: string): ((output: unknown) => number) | undefined {
  const [, inside] = /^odd\((.*)\)$/.exec(feature) ?? [];
  if (inside === undefined) return undefined;
  const conditions: OutputRule[] = [];
  for (const part of inside.split(/(?<= > [^ ,]+), /)) {
    const [, path, threshold] = /^(.*) > ([^ ]+)$/.exec(part) ?? [];
    const number = path === undefined ? undefined : numberAt(path) ?? numberInText(path);
    if (number === undefined || !NUMBER.test(threshold!)) return undefined;
    conditions.push((output) => number(output) > Number(threshold));
  }
  return (output) => conditions.reduce((sum, holds) => sum + Number(holds(output)), 0) % 2;
}

/** Lengths, and features of the bits of one double. */
function ofPath(feature: string): ((output: unknown) => number) | undefined {
  const [, name, inside] = /^(length|lowestBit|undoes)\((.*)\)$/.exec(feature) ?? [];
  if (inside === undefined) return undefined;
  const [path = "", shift = "0", ...more] = inside.split(" - ");
  const centre = NUMBER.test(shift) ? Number(shift) : NaN;
  if (name !== "length") {
    const number = numberAt(path) ?? numberInText(path);
    if (number === undefined || more.length > 0 || Number.isNaN(centre)) return undefined;
    return name === "lowestBit"
      ? (output) => lowestBitExponent(number(output) - centre)
      : (output) => {
        const x = number(output);
        return x - centre + centre === x ? 1 : 0;
      };
  }
  const at = lookUp(inside);
  if (at === undefined) return undefined;
  return (output) => {
    const value = at(output);
    const hasLength = typeof value === "string" || (value !== MISSING && kindOf(value) === "array");
    return hasLength ? (value as ArrayLike<unknown>).length : NaN;
  };
}

/** Statistics of all numbers of an output, in the order in which reports list them: those in texts come last. */
function ofWhole(feature: string): ((output: unknown) => number) | undefined {
  const [, plain] = /^(sum|min|max|argmin|argmax|count|repeats)\(output\)$/.exec(feature) ?? [];
  if (plain !== undefined) {
    const statistic = STATISTICS[plain as keyof typeof STATISTICS];
    return (output) => statistic(numbersOf(output));
  }
  const [, name, operator, value] = /^(count|first)\(output (>|=) (.*)\)$/.exec(feature) ?? [];
  if (value === undefined || !NUMBER.test(value)) return undefined;
  const limit = Number(value);
  if (name === "first") {
    if (operator !== "=") return undefined;
    return (output) => {
      const numbers = numbersOf(output), place = numbers.indexOf(limit);
      return place < 0 ? numbers.length : place;
    };
  }
  return operator === "="
    ? (output) => numbersOf(output).filter((x) => x === limit).length
    : (output) => numbersOf(output).filter((x) => x > limit).length;
}

/** The statistics of {@linkcode ofWhole}; NaN is missing. */
const STATISTICS = {
  sum: (numbers: readonly number[]) => numbers.reduce((sum, x) => x === x ? sum + x : sum, 0),
  min: (numbers: readonly number[]) => Math.min(...numbers.filter((x) => x === x)),
  max: (numbers: readonly number[]) => Math.max(...numbers.filter((x) => x === x)),
  argmin: (numbers: readonly number[]) => numbers.indexOf(STATISTICS.min(numbers)),
  argmax: (numbers: readonly number[]) => numbers.indexOf(STATISTICS.max(numbers)),
  count: (numbers: readonly number[]) => numbers.filter((x) => x === x).length,
  repeats: (numbers: readonly number[]) =>
    numbers.filter((x, i) => numbers.indexOf(x) !== i && x === x).length,
} as const;

function numbersOf(output: unknown): number[] {
  const numbers: number[] = [], inTexts: number[] = [];
  walk(output, "output", (_path, value, kind) => {
    if (kind === "number" || kind === "boolean" || kind === "NaN") numbers.push(Number(value));
    else if (kind === "string") inTexts.push(...numbersInText(value as string));
  });
  return [...numbers, ...inTexts];
}
