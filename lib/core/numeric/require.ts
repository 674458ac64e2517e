/** The refusals of bad arguments, worded in one place: action, name, rule, value. Never rows. */

/** Throws unless `value` is a finite number above 0. */
export function requirePositive(action: string, name: string, value: number): void {
  if (!(typeof value === "number" && value > 0 && Number.isFinite(value))) {
    throw new RangeError(
      `Cannot ${action}: ${name} must be positive and finite: current value is ${value}`,
    );
  }
}

/** Throws unless `value` is a finite number of at least 0. */
export function requireNonNegative(action: string, name: string, value: number): void {
  if (!(typeof value === "number" && value >= 0 && Number.isFinite(value))) {
    throw new RangeError(
      `Cannot ${action}: ${name} must be at least 0 and finite: current value is ${value}`,
    );
  }
}

/** Throws unless `value` is an integer from `min` to `max`. */
export function requireInteger(
  action: string,
  name: string,
  value: number,
  { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } =
    {},
): void {
  if (!(Number.isSafeInteger(value) && value >= min && value <= max)) {
    throw new RangeError(
      `Cannot ${action}: ${name} must be an integer from ${min} to ${max}: current value is ${value}`,
    );
  }
}

/** Throws unless `value` is the order of a Rényi divergence: above 1 and finite. */
export function requireOrder(action: string, name: string, value: number): void {
  if (!(value > 1 && Number.isFinite(value))) {
    throw new RangeError(
      `Cannot ${action}: ${name} must be above 1 and finite: current value is ${value}`,
    );
  }
}

/** Throws unless `value` is in [0, 1). */
export function requireDelta(action: string, name: string, value: number): void {
  if (!(typeof value === "number" && value >= 0 && value < 1)) {
    throw new RangeError(
      `Cannot ${action}: ${name} must be in [0, 1): current value is ${value}`,
    );
  }
}

/** Throws unless `value` is in (0, 1). */
export function requireChance(action: string, name: string, value: number): void {
  if (!(typeof value === "number" && value > 0 && value < 1)) {
    throw new RangeError(`Cannot ${action}: ${name} must be in (0, 1): current value is ${value}`);
  }
}

/** Throws unless `value` is one of the texts that an option may be. */
export function requireOneOf<Choice extends string>(
  action: string,
  name: string,
  value: Choice,
  choices: readonly Choice[],
): void {
  if (choices.includes(value)) return;
  const texts = choices.map((choice) => JSON.stringify(choice)).join(" or ");
  throw new RangeError(
    `Cannot ${action}: ${name} must be ${texts}: current value is ${shownValue(value)}`,
  );
}

/** Kind that an option must have: a function, a list, a record, a relation, a source, text, a truth value, a signal or a date; with "?" it may be left out. */
export type FieldKind =
  | "function"
  | "list"
  | "record"
  | "relation"
  | "source"
  | "text"
  | "boolean"
  | "signal"
  | "date";

const KINDS: Readonly<
  Record<FieldKind, { readonly is: (value: never) => boolean; readonly rule: string }>
> = {
  function: { is: (value: unknown) => typeof value === "function", rule: "be a function" },
  list: {
    is: (value: unknown) => Array.isArray(value) || ArrayBuffer.isView(value),
    rule: "be an array",
  },
  record: {
    is: (value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value) ||
      typeof value === "function",
    rule: "be an object",
  },
  relation: {
    is: (value: { violation?: unknown } | null) => typeof value?.violation === "function",
    rule: "be a relation, such as replaceOne or addRemoveOne",
  },
  source: {
    is: (value: { uniform?: unknown; split?: unknown } | null) =>
      typeof value?.uniform === "function" && typeof value.split === "function",
    rule: "be a source, such as new SeededSource(1)",
  },
  text: { is: (value: unknown) => typeof value === "string", rule: "be text" },
  signal: { is: (value: unknown) => value instanceof AbortSignal, rule: "be an AbortSignal" },
  date: { is: (value: unknown) => value instanceof Date, rule: "be a Date" },
  boolean: { is: (value: unknown) => typeof value === "boolean", rule: "be true or false" },
};

/**
 * Throws unless options are an object that has what it must have, for callers without types; numbers are left to the checks of
 * their ranges. Returns the options.
 *
 * @param name what was called, for the error: `Cannot call laplace(): query must be a function: current value is undefined`.
 */
export function requireFields<Options>(
  name: string,
  options: Options,
  fields: Readonly<Record<string, FieldKind | `${FieldKind}?`>>,
): Options {
  requireKind(name, "options", options, "record");
  for (const [field, kind] of Object.entries(fields)) {
    const value = (options as Readonly<Record<string, unknown>>)[field];
    if (kind.endsWith("?")) {
      if (value === undefined) continue;
      requireKind(name, field, value, kind.slice(0, -1) as FieldKind);
    } else requireKind(name, field, value, kind as FieldKind);
  }
  return options;
}

/** Throws unless an argument is of a kind, as {@linkcode requireFields}. */
export function requireKind(name: string, what: string, value: unknown, kind: FieldKind): void {
  if (KINDS[kind].is(value as never)) return;
  throw new TypeError(
    `Cannot call ${name}(): ${what} must ${KINDS[kind].rule}: current value is ${
      shownValue(value)
    }`,
  );
}

/** A value as refusals show it: of texts, lists and records, which may be data, what they are. */
function shownValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "object") return Array.isArray(value) ? "an array" : "an object";
  if (typeof value === "function") return "a function";
  return typeof value === "string" ? "text" : String(value);
}
