/**
 * Reads JSON of a known form and no other: what has a key more, a number where there is a text, or a key twice is rejected.
 *
 * @module
 */

/** Gives what a value is read as. @throws {Error} for a value of another form. */
export type Reader<T> = (value: unknown, where: string) => T;

/** @throws {Error} `rejected: what`, unless the condition holds. */
export function demand(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`rejected: ${what}`);
}

/** Reads a text that is JSON without a space or a key too many, as `JSON.stringify` writes it, and a line end. */
export function readJson<T>(text: string, reader: Reader<T>): T {
  const value: unknown = JSON.parse(text);
  // A key that comes twice, 1e999 and 1.0 are written otherwise.
  demand(JSON.stringify(value) + "\n" === text, "JSON that is not written as JSON.stringify does");
  return reader(value, "certificate");
}

/** Reads any value. */
export const anything: Reader<unknown> = (value: unknown): unknown => value;

/** Reads one of these texts, numbers, booleans or null. */
export function oneOf<const T extends string | number | boolean | null>(
  ...values: readonly T[]
): Reader<T> {
  return (value, where) => {
    demand(values.includes(value as T), where);
    return value as T;
  };
}

/** Reads a text. */
export const string: Reader<string> = (value: unknown, where: string): string => {
  demand(typeof value === "string", where);
  return value;
};

/** Reads a number. */
export const number: Reader<number> = (value: unknown, where: string): number => {
  demand(typeof value === "number", where);
  return value;
};

/** Reads a number above 0. */
export const positive: Reader<number> = (value: unknown, where: string): number => {
  demand(typeof value === "number" && value > 0, where);
  return value;
};

/** Reads 0, 1, 2, … */
export const place: Reader<number> = (value: unknown, where: string): number => {
  demand(Number.isSafeInteger(value) && (value as number) >= 0, where);
  return value as number;
};

/** Reads a whole number in decimal, of at most 20,000 digits. */
export const integer: Reader<bigint> = (value: unknown, where: string): bigint => {
  demand(typeof value === "string" && /^(0|-?[1-9]\d{0,19999})$/.test(value), where);
  return BigInt(value);
};

/** Reads what a reader reads, or null. */
export function orNull<T>(reader: Reader<T>): Reader<T | null> {
  return (value, where) => value === null ? null : reader(value, where);
}

/** Reads a list. */
export function list<T>(reader: Reader<T>): Reader<T[]> {
  return (value, where) => {
    demand(Array.isArray(value), where);
    return value.map((each, i) => reader(each, `${where}[${i}]`));
  };
}

/** Reads a list of two. */
export function pair<A, B>(first: Reader<A>, second: Reader<B>): Reader<[A, B]> {
  return (value, where) => {
    demand(Array.isArray(value) && value.length === 2, where);
    return [first(value[0], `${where}[0]`), second(value[1], `${where}[1]`)];
  };
}

/** Reads a record with any keys. */
export function entries<T>(reader: Reader<T>): Reader<Map<string, T>> {
  return (value, where) => {
    demand(typeof value === "object" && value !== null && !Array.isArray(value), where);
    return new Map(
      Object.entries(value).map(([key, each]) => [key, reader(each, `${where}.${key}`)]),
    );
  };
}

/** Reads a record with these keys and no others. */
export function record<T>(readers: { readonly [Key in keyof T]: Reader<T[Key]> }): Reader<T> {
  const keys = Object.keys(readers) as (keyof T & string)[];
  return (value, where) => {
    const found = entries(anything)(value, where);
    demand(
      found.size === keys.length && keys.every((key) => found.has(key)),
      `${where} must have ${keys.join(", ")}`,
    );
    return Object.fromEntries(
      keys.map((key) => [key, readers[key](found.get(key), `${where}.${key}`)]),
    ) as T;
  };
}
