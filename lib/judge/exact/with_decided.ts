import { mapPlain } from "../../core/text/observed.ts";
import { isTraced, type Traced } from "../source/traced.ts";
import { isFixed, isPlainOutput } from "./enumeration/output_key.ts";

/** How deep outputs are looked into. */
const DEEPEST = 200;

/** Returns an output with what `decide` makes of followed values in their places. */
export function withDecided(output: unknown, decide: (value: Traced) => unknown): unknown {
  const copies = new Map<object, unknown>();
  const within = (value: unknown, depth: number): unknown => {
    if (isTraced(value)) return decide(value);
    if (typeof value !== "object" || value === null || !isPlainOutput(value) || depth > DEEPEST) {
      return value;
    }
    if (copies.has(value)) return copies.get(value);
    // The same list or record, so that one that comes twice stays the same.
    const copy = mapPlain(value, (each) => within(each, depth + 1)) as object;
    copies.set(value, copy);
    if (Array.isArray(copy) && isFixed(value)) {
      Object.defineProperty(copy, "length", { writable: false });
    }
    return Object.isExtensible(value) ? copy : Object.preventExtensions(copy);
  };
  return within(output, 0);
}
