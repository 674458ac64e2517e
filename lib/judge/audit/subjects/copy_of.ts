/**
 * Returns a copy of a dataset, for a program that may change it: no part that can be changed is shared with the original. Rows that are
 * objects of classes keep their methods; of their state only properties are copied, so that a class with private fields
 * throws when its copy is used. Functions are not copied.
 */
export function copyOf<Data>(data: Data): Data {
  return copied(data) as Data;
}

/** The depth from which `structuredClone` copies, which can copy a value that contains itself. */
const DEEPEST = 64;

function copied(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return structuredClone(value);
  if (Array.isArray(value)) return arrayCopied(value, depth);
  return isPlain(value) ? recordCopied({ ...value }, depth) : otherCopied(value, depth);
}

/** Copies an array. Most arrays hold no objects: to check that first is fastest. */
function arrayCopied(value: readonly unknown[], depth: number): unknown[] {
  let isFlat = true;
  for (let i = 0; isFlat && i < value.length; i++) isFlat = typeof value[i] !== "object";
  if (isFlat) return value.slice();
  const copy = new Array<unknown>(value.length);
  for (let i = 0; i < copy.length; i++) copy[i] = copied(value[i], depth + 1);
  return copy;
}

function isPlain(value: object): value is Record<string, unknown> {
  return Object.getPrototypeOf(value) === Object.prototype;
}

function recordCopied<Properties extends object>(copy: Properties, depth: number): Properties {
  for (const key of Object.keys(copy) as (keyof Properties)[]) {
    if (typeof copy[key] === "object") copy[key] = copied(copy[key], depth + 1) as never;
  }
  return copy;
}

function otherCopied(value: object, depth: number): object {
  if (value instanceof Map) {
    return new Map(Array.from(value, ([key, entry]) => [key, copied(entry, depth + 1)]));
  }
  if (value instanceof Set) return new Set(Array.from(value, (entry) => copied(entry, depth + 1)));
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Date) {
    return structuredClone(value);
  }
  const empty: object = Object.create(Object.getPrototypeOf(value));
  return recordCopied(Object.assign(empty, value), depth);
}
