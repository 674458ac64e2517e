import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { pairOf, replaceOne } from "../../../lib/core/relation.ts";
import { largestMechanismLoss } from "../../../lib/exact/mechanism_loss.ts";
import { mechanismNamed, mechanismNames } from "../../../lib/mechanisms/registry.ts";
import { neighbours } from "../../../lib/testing/arbitraries.ts";

const options = { epsilon: 0.5, delta: 1e-3 };

for (const name of mechanismNames) {
  const { claim } = mechanismNamed(name, options);
  if (claim.kind !== "pure") continue;
  Deno.test(`largestMechanismLoss() finds no loss of ${name} above its claim on arbitrary neighbours`, () => {
    const mechanism = mechanismNamed(name, options);
    const pairs = fc.sample(neighbours(mechanism.domain, claim.relation), {
      numRuns: 30,
      seed: 20261121,
    });
    const { loss, left, right } = largestMechanismLoss(mechanism, { pairs, draws: 10, seed: 1 });
    assert(loss <= claim.epsilon * (1 + 1e-9), `loses ${loss}`);
    // A search that sees nothing would pass as well.
    assert(loss > 0.3 * claim.epsilon, `loses only ${loss}`);
    assertEquals(claim.relation.violation(left, right), undefined);
  });
}

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
    claim: mechanismNamed("laplace", options).claim,
    sample: () => 5,
    logDensity: (output: number, [row]: readonly number[]) =>
      row === 0 ? 0 : -Math.min(1, Math.abs(output - 5) / 10),
  };
  const pairs = [{ left: [0], right: [1] }];
  const { loss, output } = largestMechanismLoss(tent, { pairs, draws: 1, seed: 1 });
  assertAlmostEquals(loss, 1, 1e-9);
  assert(Math.abs(output - 5) >= 10 - 1e-9);
});

Deno.test("largestMechanismLoss() refuses mechanisms without a law, and no pairs", () => {
  const { claim } = mechanismNamed("laplace", options);
  const opaque = { name: "opaque", claim, sample: () => 0 };
  const pairs = [{ left: [0], right: [1] }];
  assertThrows(() => largestMechanismLoss(opaque, { pairs, seed: 1 }), RangeError, "must be known");
  const coin = mechanismNamed("randomised-response", options);
  assertThrows(
    () => largestMechanismLoss(coin, { pairs: [], seed: 1 }),
    RangeError,
    "not be empty",
  );
});
