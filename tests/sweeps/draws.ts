import fc, { type Arbitrary } from "fast-check";
import {
  addRemoveOne,
  asserted,
  type Relation,
  replaceOne,
} from "../../lib/core/relations/relation.ts";
import type { SeededSource } from "../../lib/core/random/seeded_source.ts";

/** A number from `min` to `max`, on a logarithmic scale, the ends and `often` more than others. */
export function scaled(
  { min, max, often = [] }: {
    readonly min: number;
    readonly max: number;
    readonly often?: readonly number[];
  },
): Arbitrary<number> {
  const from = Math.log(min), to = Math.log(max);
  const logs = fc.nat(1_000_000).map((part) => from + (to - from) * part / 1_000_000);
  return fc.oneof(
    { arbitrary: fc.constantFrom(min, max, ...often), weight: 1 },
    { arbitrary: logs.map((log) => Math.min(max, Math.max(min, Math.exp(log)))), weight: 3 },
  );
}

/** Every ε that claims are swept over, in nats. */
export const epsilons: Arbitrary<number> = scaled({ min: 1e-6, max: 50, often: [0.1, 1, 3] });

/** ε of at least 0.01, where an exact law is summed over the whole noise. */
export const moderateEpsilons: Arbitrary<number> = scaled({ min: 0.01, max: 50, often: [0.1, 1] });

/** Every ρ. */
export const rhos: Arbitrary<number> = scaled({ min: 1e-6, max: 50, often: [0.5] });

/** Every δ. */
export const deltas: Arbitrary<number> = scaled({ min: 1e-12, max: 0.5, often: [1e-5] });

/** Dimensions from 1 to `max`, small ones more than others. */
export function dimensions(max = 200): Arbitrary<number> {
  return fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: Math.min(max, 6) }), weight: 3 },
    { arbitrary: fc.integer({ min: 1, max }), weight: 1 },
    { arbitrary: fc.constant(max), weight: 1 },
  );
}

/** The relations of rows by name, so that options print. */
export const rowRelations: Arbitrary<"replace-one" | "add-remove-one"> = fc.constantFrom(
  "replace-one",
  "add-remove-one",
);

const RELATIONS: Readonly<Record<string, Relation>> = {
  "replace-one": replaceOne,
  "add-remove-one": addRemoveOne,
  "asserted": asserted,
};

/** The relation of a name. */
export function relationOf(name: string): Relation {
  return RELATIONS[name]!;
}

/** What is no relation of rows. */
export const NOT_OF_ROWS: readonly unknown[] = ["asserted"];

/** What is never a positive finite number. */
export const NOT_POSITIVE: readonly unknown[] = [0, -1, NaN, Infinity, -Infinity, undefined, "1"];

/** What is never an integer of at least 1. */
export const NOT_A_COUNT: readonly unknown[] = [0, -1, 1.5, NaN, Infinity, undefined];

/** What is never a granularity. */
export const NOT_A_STEP: readonly unknown[] = [0, -1, 3, 0.3, NaN, Infinity, undefined];

/** One of them. */
export function pick<Value>(source: SeededSource, values: readonly Value[]): Value {
  return values[source.uint32() % values.length]!;
}

/** An integer from 0 to `below` − 1. */
export function below(source: SeededSource, count: number): number {
  return source.uint32() % count;
}

/** Whether something of this probability happens. */
export function chance(source: SeededSource, probability: number): boolean {
  return source.uniform() < probability;
}
