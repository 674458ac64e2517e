import { types } from "node:util";
import { isPlain, observe, type Observed } from "../../../core/text/observed.ts";

/** How deep outputs may be nested. */
const DEEPEST = 100;

/**
 * Returns a text for an output, the same only for outputs that cannot be told apart: values, kinds and classes, the order of
 * properties, and properties that JSON leaves out all count. Of an error the stack does not.
 *
 * @throws {TypeError} for an output that may hold more than can be seen: functions, symbols, proxies, promises, getters, private
 * fields, and objects of classes that are no errors.
 */
export function outputKey(output: unknown): string {
  return keyOf(output, new Map(), 0);
}

/** Returns the key of what a program throws, which is another one than that of the same value returned. */
export function thrownKey(thrown: unknown): string {
  return `thrown ${outputKey(thrown)}`;
}

/**
 * Returns a text for what an audit can see of an output: as `outputKey`, but nothing is refused for what it may hold besides, and the same
 * object twice is two equal ones.
 *
 * @throws {TypeError} for an output that is nested too deep.
 */
export function seenKey(output: unknown): string {
  return keyOf(output, undefined, 0);
}

/** Returns the key of an output. `places` are those of the objects so far; without them only what can be seen counts. */
function keyOf(output: unknown, places: Map<object, number> | undefined, depth: number): string {
  switch (typeof output) {
    case "number":
      return Object.is(output, -0) ? "-0" : String(output);
    case "boolean":
    case "undefined":
      return String(output);
    case "bigint":
      return `${output}n`;
    case "string":
      return JSON.stringify(output);
    case "object":
      return output === null ? "null" : objectKey(output, places, depth);
    default:
      return places === undefined ? `a ${typeof output}` : refused(`is a ${typeof output}`);
  }
}

function objectKey(
  output: object,
  places: Map<object, number> | undefined,
  depth: number,
): string {
  if (places !== undefined && types.isProxy(output)) return refused("is a proxy");
  if (depth > DEEPEST) return refused(`is nested more than ${DEEPEST} deep`);
  const place = places?.get(output);
  // The same object twice is not the same as two equal ones.
  if (place !== undefined) return `the ${place}th object`;
  places?.set(output, places.size);
  const of = (value: unknown): string => keyOf(value, places, depth + 1);
  if (isPlain(output)) {
    const fixed = isFixed(output) ? "fixed " : "";
    if (Array.isArray(output)) return `${fixed}[${output.map(of).join(",")}]`;
    const start = fixed + (Object.getPrototypeOf(output) === null ? "without a prototype " : "");
    const entries = Object.entries(output).map(([key, item]) =>
      `${JSON.stringify(key)}:${of(item)}`
    );
    return `${start}{${entries.join(",")}}`;
  }
  const { form, native, parts, hidden } = observed(output);
  if (places !== undefined) {
    if (hidden !== undefined) return refused(`is ${form}: ${hidden}`);
    if (!native && !(output instanceof Error)) return refused(`is ${form}`);
  }
  const entries = parts.map(([name, value, mark = ""]) =>
    `${JSON.stringify(name)}${mark}:${of(value)}`
  );
  const bytes = places === undefined ? "" : bytesOf(output, places);
  return `${form}${roomOf(output)}${bytes}${isFixed(output) ? " fixed" : ""} {${
    entries.join(",")
  }}`;
}

/** Returns what there is to see of an object. Its prototype may say that it is of a kind, and it is not. */
function observed(output: object): Observed {
  const isError = output instanceof Error && !(output instanceof DOMException);
  try {
    const seen = observe(output);
    return isError && !types.isNativeError(output) ? { ...seen, native: false } : seen;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return refused("is not what its prototype says, or its bytes are gone");
  }
}

/** Returns a text for which bytes a view shows: the same ones as another, or as many as there will be. */
function bytesOf(output: object, places: Map<object, number>): string {
  if (!ArrayBuffer.isView(output)) return "";
  const { buffer } = output;
  const place = places.get(buffer) ?? places.size;
  places.set(buffer, place);
  return ` of object ${place}${followsBytes(output) ? ", however long" : ""}`;
}

/** Returns true if a view is as long as its bytes are, when these are resized. */
function followsBytes(view: ArrayBufferView): boolean {
  if ((view.buffer as { resizable?: boolean }).resizable !== true) return false;
  const copy = structuredClone(view), bytes = copy.buffer as unknown as ResizableBytes;
  const { byteLength, byteOffset } = copy;
  if (bytes.byteLength < bytes.maxByteLength) {
    bytes.resize(bytes.maxByteLength);
    return copy.byteLength !== byteLength;
  }
  // Where they cannot grow: one that does not follow is out of bounds when they shrink.
  bytes.resize(byteOffset);
  try {
    return copy instanceof DataView ? copy.byteLength === 0 : [...copy as Uint8Array].length === 0;
  } catch {
    return false;
  }
}

/** A buffer that can be resized. */
interface ResizableBytes {
  readonly byteLength: number;
  readonly maxByteLength: number;
  resize(byteLength: number): void;
}

/** Returns true for a list or a record that is all that it shows. */
export const isPlainOutput = (value: object): boolean => !types.isProxy(value) && isPlain(value);

/** Returns true if a program that gets this output could see that it cannot grow. */
export function isFixed(output: object): boolean {
  return !Object.isExtensible(output) ||
    Array.isArray(output) && Object.getOwnPropertyDescriptor(output, "length")?.writable === false;
}

/** Returns a text for how far the bytes of an output can grow, if it has such bytes. */
function roomOf(output: object): string {
  const bytes: unknown = ArrayBuffer.isView(output) ? output.buffer : output;
  const isBuffer = bytes instanceof ArrayBuffer ||
    typeof SharedArrayBuffer === "function" && bytes instanceof SharedArrayBuffer;
  const { maxByteLength } = bytes as { maxByteLength?: number };
  return isBuffer && maxByteLength !== undefined && maxByteLength !== bytes.byteLength
    ? ` of at most ${maxByteLength} bytes`
    : "";
}

function refused(what: string): never {
  throw new TypeError(
    `Cannot compare outputs: they must be values that JSON can hold, or other plain values: current one ${what}`,
  );
}
