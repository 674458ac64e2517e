import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { pure } from "../../../lib/core/mod.ts";
import { pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { largestMechanismLoss } from "../../../proofs/tools/mechanism_loss.ts";
import { mechanismNamed } from "../../../lib/dp/mechanisms/registry.ts";
import { requireMechanismLosses } from "./search_cases.ts";

Deno.test("largestMechanismLoss() rejects a mechanism with 0.87 of its noise, with a witness", () => {
  const claim = 0.5, weak = mechanismNamed("float-laplace", { epsilon: claim / 0.87 });
  const pair = pairOf(replaceOne, { left: [0], right: [1] });
  const found = largestMechanismLoss(weak, { pairs: [pair], draws: 1, seed: 1 });
  assertAlmostEquals(found.loss, claim / 0.87, 1e-9);
  assertEquals([found.left, found.right], [[0], [1]]);
});

Deno.test("largestMechanismLoss() climbs from drawn outputs to the one that tells most", () => {
  // Where the two densities cross their ratio is 1: it grows to either side, up to 1 at ±10.
  const tent = {
    name: "tent",
    claim: mechanismNamed("laplace", { epsilon: 0.5 }).claim,
    sample: () => 5,
    logDensity: (output: number, [row]: readonly number[]) =>
      row === 0 ? 0 : -Math.min(1, Math.abs(output - 5) / 10),
  };
  const pairs = [{ left: [0], right: [1] }];
  const { loss, output } = largestMechanismLoss(tent, { pairs, draws: 1, seed: 1 });
  assertAlmostEquals(loss, 1, 1e-9);
  assert(Math.abs(output - 5) >= 10 - 1e-9);
});

// Mutants: losses of one sign only; 0 against 0 taken for a loss; outputs of several numbers taken for single ones, and the
// other way round; texts climbed from.
Deno.test("largestMechanismLoss() finds the losses of laws, and climbs from numbers and lists of numbers", () => {
  requireMechanismLosses(largestMechanismLoss);
});

const asked = { name: "by hand", claim: pure({ epsilon: 1, relation: replaceOne }) };
const sides = { left: [0], right: [1] };

// Mutants: losses of one sign only; 0 against 0 taken for a loss.
// Mutants: outputs of several numbers taken for single ones, and the other way round; texts climbed from.
Deno.test("largestMechanismLoss() keeps the first of equal losses", () => {
  const same = {
    ...asked,
    sample: () => "a",
    logDensity: (_: string, [row]: readonly number[]) => row!,
  };
  const pairs = [sides, { left: [1], right: [0] }];
  const found = largestMechanismLoss<number, string>(same, { pairs, outputs: ["b"], seed: 1 });
  assertEquals([found.left, found.right, found.output], [[0], [1], "b"]);
});

Deno.test("largestMechanismLoss() climbs from outputs that are given as well", () => {
  // A needle at 70 to 71, flat elsewhere.
  const needle = {
    ...asked,
    sample: () => 0,
    logDensity: (y: number, [row]: readonly number[]) =>
      row === 0 ? 0 : Math.max(0, 0.5 - Math.abs(y - 70.5)),
  };
  const search = { pairs: [sides], outputs: [70.1], seed: 1 };
  assertAlmostEquals(largestMechanismLoss<number, number>(needle, search).loss, 0.5, 1e-3);
});
