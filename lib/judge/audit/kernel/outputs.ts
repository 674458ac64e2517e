/** Returns the number of outputs. */
export function countOf(outputs: Outputs): number {
  return outputs.kind === "values" ? outputs.values.length : outputs.values.length / outputs.width;
}

/** Rows of doubles, one row an output. */
export interface OutputBlock {
  /** Tells it from other outputs. */
  readonly kind: "block";
  /** Doubles of an output. */
  readonly width: number;
  /** All outputs, one after the other. */
  readonly values: Float64Array;
  /** Where outputs are records of numbers: their keys, in the order in which all of them are written. */
  readonly keys?: readonly string[];
}

/** Outputs of one subject on one dataset: a block of doubles, or any values. */
export type Outputs =
  | OutputBlock
  | { readonly kind: "values"; readonly values: readonly unknown[] };

/**
 * Packs outputs into a block of doubles where that loses nothing: all numbers (width 1), or all arrays of two or more numbers
 * and of one length, or all records of two or more numbers with the same keys in the same order. Arrays and records of one number
 * stay values, so that a block of width 1 always means plain numbers, also where another batch of the same subject has both.
 */
export function packOutputs(values: readonly unknown[]): Outputs {
  const records = packRecords(values);
  if (records !== undefined) return records;
  const width = commonWidth(values);
  if (width === 0) return { kind: "values", values };
  const block = new Float64Array(values.length * width);
  if (width === 1) {
    for (let i = 0; i < values.length; i++) block[i] = values[i] as number;
  } else {
    for (let i = 0; i < values.length; i++) block.set(values[i] as ArrayLike<number>, i * width);
  }
  return { kind: "block", width, values: block };
}

/** Joins consecutive batches: a block when all are blocks of one width, otherwise values. */
export function joinOutputs(given: readonly Outputs[]): Outputs {
  // A batch may have no outputs of a side, and so no form.
  const parts = given.filter((part) => countOf(part) > 0);
  if (parts.length === 1) return parts[0]!;
  const first = parts[0];
  if (first?.kind === "block" && parts.every((part) => isBlockLike(part, first))) {
    let length = 0;
    for (const part of parts) length += part.values.length;
    const values = new Float64Array(length);
    let offset = 0;
    for (const part of parts) {
      values.set(part.values as Float64Array, offset);
      offset += part.values.length;
    }
    return { ...first, values };
  }
  const values: unknown[] = [];
  for (const part of parts) for (const value of outputValues(part)) values.push(value);
  return { kind: "values", values };
}

/**
 * Divides outputs that were drawn in the order of coins among the two sides. This is done when all are drawn: the number of
 * outputs of a side must not reach a program, by the memory that it takes, before its last output.
 */
export function dealOutputs(outputs: Outputs, order: Uint8Array): PairOutputs {
  if (outputs.kind === "values") {
    const sides: [unknown[], unknown[]] = [[], []];
    for (let i = 0; i < order.length; i++) sides[order[i] as 0 | 1].push(outputs.values[i]);
    return { left: packOutputs(sides[0]), right: packOutputs(sides[1]) };
  }
  const { width, values } = outputs;
  let right = 0;
  for (let i = 0; i < order.length; i++) right += order[i]!;
  // Each side has one place more than it needs: every output is written to both and only one of them advances, which is faster
  // than a branch.
  const sides = [
    new Float64Array((order.length - right + 1) * width),
    new Float64Array((right + 1) * width),
  ] as const;
  if (width === 1) {
    for (let i = 0, l = 0, r = 0; i < order.length; i++) {
      const coin = order[i]!;
      sides[0][l] = sides[1][r] = values[i]!;
      l += 1 - coin;
      r += coin;
    }
  } else {
    const filled: [number, number] = [0, 0];
    for (let i = 0, at = 0; i < order.length; i++) {
      const side = order[i] as 0 | 1;
      const own = sides[side];
      for (let j = 0, to = filled[side]; j < width; j++) own[to++] = values[at++]!;
      filled[side] += width;
    }
  }
  return {
    left: { ...outputs, values: sides[0].subarray(0, -width) },
    right: { ...outputs, values: sides[1].subarray(0, -width) },
  };
}

/** Yields the outputs one by one: rows of a block as numbers (width 1), arrays or records. */
export function* outputValues(outputs: Outputs): Generator<unknown> {
  if (outputs.kind === "values" || outputs.width === 1) {
    yield* outputs.values;
    return;
  }
  for (let i = 0; i < outputs.values.length; i += outputs.width) yield rowAt(outputs, i);
}

/** Returns the output whose numbers begin at place `at` of a block. */
export function rowAt({ width, values, keys }: OutputBlock, at: number): unknown {
  if (keys === undefined) return Array.from(values.subarray(at, at + width));
  const record: Record<string, number> = {};
  for (let k = 0; k < width; k++) record[keys[k]!] = values[at + k]!;
  return record;
}

/** Returns true if outputs are a block whose rows have the form of another one's. */
export function isBlockLike(
  part: Outputs,
  { width, keys }: { readonly width: number; readonly keys?: readonly string[] | undefined },
): part is OutputBlock {
  if (part.kind !== "block" || part.width !== width) return false;
  if (part.keys === keys) return true;
  return keys !== undefined && part.keys !== undefined &&
    keys.every((key, k) => key === part.keys![k]);
}

/** Records of two or more numbers with the same keys, as columns of numbers; `undefined` for other values. */
function packRecords(values: readonly unknown[]): OutputBlock | undefined {
  const [first] = values;
  if (!isPlainRecord(first)) return undefined;
  const keys = Object.keys(first), width = keys.length;
  // The key changes the object's class where it is set, and is no column.
  if (width < 2 || keys.includes("__proto__")) return undefined;
  const block = new Float64Array(values.length * width);
  for (let i = 0, at = 0; i < values.length; i++) {
    const record = values[i];
    if (!isPlainRecord(record)) return undefined;
    const own = Object.keys(record);
    if (own.length !== width) return undefined;
    for (let k = 0; k < width; k++) {
      const key = keys[k]!, value = record[key];
      if (own[k] !== key || typeof value !== "number") return undefined;
      block[at++] = value;
    }
  }
  return { kind: "block", width, values: block, keys };
}

function isPlainRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null &&
    Object.getPrototypeOf(value) === Object.prototype;
}

/** Returns 1 for numbers, w for arrays of w ≥ 2 numbers each, 0 for anything else. */
function commonWidth(values: readonly unknown[]): number {
  const first = values[0];
  if (typeof first === "number") {
    for (let i = 1; i < values.length; i++) if (typeof values[i] !== "number") return 0;
    return 1;
  }
  if (!isNumberArray(first) || first.length < 2) return 0;
  for (let i = 1; i < values.length; i++) {
    const value = values[i];
    if (!isNumberArray(value) || value.length !== first.length) return 0;
  }
  return first.length;
}

function isNumberArray(value: unknown): value is ArrayLike<number> {
  if (value instanceof Float64Array) return true;
  if (!Array.isArray(value)) return false;
  for (let i = 0; i < value.length; i++) if (typeof value[i] !== "number") return false;
  return true;
}

/** Outputs on the two datasets of a pair, each side's in the order in which they were drawn. */
export interface PairOutputs {
  /** The outputs on the left dataset. */
  readonly left: Outputs;
  /** The outputs on the right one. */
  readonly right: Outputs;
  /**
   * How many outputs of a side were asked for and did not come, where the subject knows their coins by now. They are never
   * asked for again, for the answer could depend on coins that are known; and they are not dropped either, for then a subject
   * could drop what it is about to lose its bets on. Bets on them are settled as if the worst output had come.
   */
  readonly lost?: Readonly<Record<"left" | "right", number>>;
  /**
   * How many outputs of a side were not asked for, because the time was over: nothing was seen of their coins. A draw in the order of its
   * coins ends between two outputs; blocks do not, for their coins are known by then.
   */
  readonly unasked?: Readonly<Record<"left" | "right", number>>;
}
