import { assert } from "@std/assert";
import type { Dataset } from "../../../lib/core/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism.ts";
import { chiSquarePValue } from "../random/chi_square.ts";
import { coordinate, type OnGrid, reachOf } from "../../../proofs/mechanisms/checks/exact_loss.ts";

/** Pearson's test of outputs against the density or distribution stated: false-alarm rate 1e-6. */
export function assertStatedProbabilities(
  mechanism: Mechanism,
  data: Dataset,
  outputs: readonly unknown[],
): void {
  const { keys, chances } = "grid" in mechanism
    ? firstCoordinate(mechanism as OnGrid, data, outputs)
    : wholeOutputs(mechanism, data, outputs);
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const observed = [...chances.keys()].map((key) => counts.get(key) ?? 0);
  const expected = [...chances.values()].map((chance) => chance * keys.length);
  observed.forEach((count, i) =>
    assert(count === 0 || expected[i]! > 0, "an output has no chance")
  );
  // What is in none of the cells.
  const rest = keys.length - expected.reduce((a, b) => a + b, 0);
  assert(rest > -1e-6 * keys.length, `the probabilities sum to ${1 - rest / keys.length}`);
  observed.push(keys.length - observed.reduce((a, b) => a + b, 0));
  expected.push(rest);
  assert(expected.filter((mean) => mean > 0.5).length > 1);
  assert(chiSquarePValue(observed, expected) > 1e-6);
}

/** Outputs to be counted, as texts, and the chances of some that do not depend on those counted. */
interface Cells {
  readonly keys: readonly string[];
  readonly chances: ReadonlyMap<string, number>;
}

function wholeOutputs(mechanism: Mechanism, data: Dataset, outputs: readonly unknown[]): Cells {
  const keys = outputs.map((output) => JSON.stringify(output));
  if (mechanism.distribution !== undefined) {
    const chances = mechanism.distribution(data).map((
      { output, probability },
    ) => [JSON.stringify(output), probability] as const);
    return { keys, chances: new Map(chances) };
  }
  // The first half says which outputs to count in the second.
  const chances = new Map<string, number>();
  keys.slice(0, keys.length / 2).forEach((key, i) =>
    chances.set(key, Math.exp(mechanism.logDensity!(outputs[i], data)))
  );
  return { keys: keys.slice(keys.length / 2), chances };
}

function firstCoordinate(mechanism: OnGrid, data: Dataset, outputs: readonly unknown[]): Cells {
  const reach = reachOf(mechanism), { granularity } = mechanism.grid;
  const logs = coordinate(mechanism, data, 0);
  return {
    keys: outputs.map((output) => String([output].flat()[0] as number / granularity)),
    chances: new Map(Array.from(logs, (log, k) => [String(k - reach), Math.exp(log)] as const)),
  };
}
