import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { pure } from "../../../lib/core/claim.ts";
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

const asked = { name: "by hand", claim: pure({ epsilon: 1, relation: replaceOne }) };
const sides = { left: [0], right: [1] };

// Mutants: losses of one sign only; 0 against 0 taken for a loss.
Deno.test("largestMechanismLoss() of a law counts losses of either sign, and 0 against 0 for nothing", () => {
  const chances = [[0, 0.1, 0.9], [0, 0.5, 0.5]];
  const mechanism = {
    ...asked,
    sample: (): number => 1,
    distribution: ([row]: readonly number[]) =>
      chances[row!]!.map((probability, output) => ({ output, probability })),
  };
  const { loss, output } = largestMechanismLoss(mechanism, { pairs: [sides], seed: 1 });
  assertAlmostEquals(loss, Math.log(5), 1e-12);
  assertEquals(output, 1);
  assertThrows(
    () => largestMechanismLoss(mechanism, { pairs: [sides], seed: 1, draws: 0 }),
    RangeError,
  );
});

// Mutants: outputs of several numbers taken for single ones, and the other way round; texts climbed from.
Deno.test("largestMechanismLoss() climbs from numbers and lists of numbers, not from other outputs", () => {
  const logDensity = (y: readonly number[], [row]: readonly number[]): number =>
    -y.reduce((sum, value) => sum + Math.abs(value - row!), 0);
  // What is drawn lies in the middle, where nothing is lost.
  const lists = { ...asked, sample: () => [0.5, 0.5], logDensity };
  const found = largestMechanismLoss<number, number[]>(lists, { pairs: [sides], seed: 1 });
  assertAlmostEquals(found.loss, 2, 1e-3);
  assertEquals(found.output.length, 2);
  const single = {
    ...asked,
    sample: () => 0.5,
    logDensity: (y: number, data: readonly number[]) => logDensity([y], data),
  };
  const one = largestMechanismLoss<number, number>(single, { pairs: [sides], seed: 1 });
  assertAlmostEquals(one.loss, 1, 1e-3);
  assertEquals(typeof one.output, "number");
  const texts = {
    ...asked,
    sample: () => "a",
    logDensity: (y: string, [row]: readonly number[]) =>
      y === "a" ? [-Infinity, -1][row!]! : -Infinity,
  };
  const said = largestMechanismLoss<number, string>(texts, {
    pairs: [sides],
    outputs: ["b"],
    seed: 1,
  });
  assertEquals([said.loss, said.output], [Infinity, "a"]);
  const same = { ...texts, logDensity: () => -Infinity };
  assertEquals(largestMechanismLoss<number, string>(same, { pairs: [sides], seed: 1 }).loss, 0);
});

Deno.test("largestMechanismLoss() draws twenty outputs on either side where none are asked for", () => {
  const drawn = [0, 0];
  const texts = {
    ...asked,
    sample: ([row]: readonly number[]) => (drawn[row!]!++, "a"),
    logDensity: (y: string) => {
      assertEquals(y, "a", "outputs that are no numbers are looked at as they are");
      return -1;
    },
  };
  largestMechanismLoss<number, string>(texts, { pairs: [sides], seed: 1 });
  assertEquals(drawn, [20, 20]);
});

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

Deno.test("largestMechanismLoss() counts e^−40 as nothing where it climbs", () => {
  // Uniform on [0, 1], or on [0.2, 1.2]: what is drawn is in both, what is left of 0.2 in one.
  const uniform = {
    ...asked,
    sample: () => 0.5,
    logDensity: (y: number, [row]: readonly number[]) =>
      y >= 0.2 * row! && y <= 1 + 0.2 * row! ? 0 : -Infinity,
  };
  assertEquals(largestMechanismLoss<number, number>(uniform, { pairs: [sides], seed: 1 }).loss, 40);
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
