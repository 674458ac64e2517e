import { Buffer } from "node:buffer";

// Values as JSON that come back as they were: arrays of numbers, and the numbers that JSON lacks.

const ARRAYS = {
  f64: Float64Array,
  i32: Int32Array,
  u32: Uint32Array,
  i8: Int8Array,
} as const;

type ArrayName = keyof typeof ARRAYS;

/** The value as one that JSON carries. */
export function toPortable(value: unknown): unknown {
  if (typeof value === "number") return isPlain(value) ? value : { $number: String(value) };
  if (value === undefined) return { $undefined: true };
  if (typeof value !== "object" || value === null) return value;
  if (ArrayBuffer.isView(value)) {
    const name = (Object.keys(ARRAYS) as ArrayName[]).find((key) => value instanceof ARRAYS[key]);
    if (name === undefined) {
      throw new TypeError("Cannot send a value: its arrays must be of numbers");
    }
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return { $array: name, bytes: bytes.toString("base64") };
  }
  if (Array.isArray(value)) return value.map(toPortable);
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, toPortable(own)]));
}

/** The value that {@linkcode toPortable} made portable. @throws {TypeError} when it did not. */
export function fromPortable(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(fromPortable);
  const record = value as Record<string, unknown>;
  if ("$number" in record) return numberOf(record.$number);
  if ("$undefined" in record) return undefined;
  if ("$array" in record) return arrayOf(record);
  return Object.fromEntries(Object.entries(record).map(([key, own]) => [key, fromPortable(own)]));
}

function isPlain(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function numberOf(text: unknown): number {
  switch (text) {
    case "NaN":
    case "Infinity":
    case "-Infinity":
      return Number(text);
    case "0":
      return -0;
    default:
      throw new TypeError("Cannot read a value: it must be one that was made portable");
  }
}

function arrayOf({ $array: name, bytes }: Record<string, unknown>): ArrayBufferView {
  if (typeof name !== "string" || !Object.hasOwn(ARRAYS, name) || typeof bytes !== "string") {
    throw new TypeError("Cannot read a value: it must be one that was made portable");
  }
  const View = ARRAYS[name as ArrayName], read = Buffer.from(bytes, "base64");
  const own = new Uint8Array(read);
  if (own.length % View.BYTES_PER_ELEMENT !== 0) {
    throw new TypeError("Cannot read a value: it must be one that was made portable");
  }
  return new View(own.buffer);
}
