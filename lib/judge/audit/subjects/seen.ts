import { UsedAsValue } from "../../../core/mechanism/declared_call.ts";
import { observe } from "../../../core/text/observed.ts";
import { SubjectFailure, Thrown } from "../kernel/subject.ts";

/** An output, or a part of one, that is not a plain list or record: what can be seen of it, as plain values. */
export class Seen {
  /** What it is: `Map`, `RangeError`, the name of a class, … */
  readonly form: string;
  /** Its parts by name: properties, and what is inside. */
  readonly parts: Readonly<Record<string, unknown>>;
  /** Wraps what was seen. */
  constructor(form: string, parts: Readonly<Record<string, unknown>>) {
    this.form = form;
    this.parts = parts;
  }

  /** Returns what reports show: its parts under its form. */
  toJSON(): Record<string, unknown> {
    return { [this.form]: this.parts };
  }
}

/** The deepest level that is looked at: outputs of more levels are refused. */
const DEEPEST = 100;

/**
 * Properties that a list has besides its items, and a record besides those that are enumerated, are looked for in one in
 * {@linkcode SOME} of the outputs with this many items: to list the keys of 10,000 numbers takes longer than many programs draw them.
 */
const MANY_ITEMS = 256, SOME = 64;

/**
 * Returns the output, with a {@linkcode Seen} in place of each object that is not a plain list or record, so that what sets it apart is
 * there for bets, and crosses to another thread. Typed arrays stay.
 */
export function seenOutput(output: unknown, depth = 0): unknown {
  if (typeof output !== "object" || output === null || depth > DEEPEST) return output;
  if (output instanceof Thrown || output instanceof Seen) return output;
  if (ArrayBuffer.isView(output) && !(output instanceof DataView)) return output;
  const keys = usualKeys(output);
  if (keys === undefined) return seenObject(output, depth);
  let copy: unknown[] | Record<string, unknown> | undefined;
  for (const key of keys) {
    const item = (output as Record<string | number, unknown>)[key];
    if (typeof item !== "object" || item === null) continue;
    const seen = seenOutput(item, depth + 1);
    if (seen === item) continue;
    copy ??= Array.isArray(output) ? [...output] : { ...output };
    (copy as Record<string | number, unknown>)[key] = seen;
  }
  return copy ?? output;
}

/**
 * Returns the places of a list without holes, or the keys of a record, where it has no other properties: faster than by all property
 * descriptors. `undefined` for other objects.
 */
function usualKeys(output: object): Iterable<string | number> | undefined {
  const prototype: unknown = Object.getPrototypeOf(output);
  if (!Object.isExtensible(output)) return undefined;
  if (prototype === Object.prototype) {
    const keys = Object.keys(output);
    const record = output as Record<string, unknown>;
    const isUsual = isPassedOver(keys.length, (at) => record[keys[at]!]) ||
      Reflect.ownKeys(output).length === keys.length;
    return isUsual ? keys : undefined;
  }
  if (prototype !== Array.prototype || !Array.isArray(output)) return undefined;
  const { length } = output;
  if (!isPassedOver(length, (at) => output[at]) && Reflect.ownKeys(output).length !== length + 1) {
    return undefined;
  }
  for (let i = 0; i < output.length; i++) {
    if (output[i] === undefined && !Object.hasOwn(output, i)) return undefined;
  }
  return output.keys();
}

/**
 * Returns true if the keys of an output of so many items are not listed. It depends on the output alone, on a hash of some of
 * its numbers: bets on a batch are a product over its outputs only if an output is read without regard to others.
 */
function isPassedOver(items: number, itemAt: (at: number) => unknown): boolean {
  if (items < MANY_ITEMS) return false;
  let hash = 0;
  for (let k = 0; k < ITEMS_HASHED; k++) {
    const item = itemAt(Math.floor(k * (items - 1) / (ITEMS_HASHED - 1)));
    if (typeof item !== "number") continue;
    double[0] = item;
    hash = Math.imul(hash ^ words[0]! ^ words[1]!, 0x9e3779b1);
  }
  return (hash >>> 16) % SOME !== 0;
}

/** Items that the hash is taken of. */
const ITEMS_HASHED = 16;

const double = new Float64Array(1), words = new Uint32Array(double.buffer);

function seenObject(object: object, depth: number): Seen {
  const { form, parts } = observe(object);
  return new Seen(
    form,
    Object.fromEntries(
      parts.map((
        [name, value, mark],
      ) => [
        mark === undefined || mark === "within" ? name : `${name} ${mark}`,
        seenOutput(value, depth + 1),
      ]),
    ),
  );
}

/**
 * Describes what a subject threw: its message, and where it is not a plain `Error`, its class, cause and fields.
 *
 * @throws {SubjectFailure} where it computed with its source: that is a wrong call, and none of its outputs.
 */
export function thrownBy(thrown: unknown): Thrown {
  if (thrown instanceof UsedAsValue) throw new SubjectFailure(thrown.message);
  if (!(thrown instanceof Error)) {
    return new Thrown(messageOf(thrown), new Seen("no error", { value: seenOutput(thrown) }));
  }
  const { form, parts: { message, ...parts } } = seenObject(thrown, 0);
  const isUsual = form === "Error" && Object.keys(parts).length === 1 && parts.name === "Error";
  return new Thrown(String(message), isUsual ? undefined : new Seen(form, parts));
}

function messageOf(thrown: unknown): string {
  try {
    return typeof thrown === "object" ? JSON.stringify(thrown) ?? "" : String(thrown);
  } catch {
    return "";
  }
}
