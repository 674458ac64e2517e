import { assert, assertEquals, assertThrows } from "@std/assert";
import { describeClaim } from "../../../lib/core/claim.ts";
import type { Dataset, Domain } from "../../../lib/core/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism.ts";
import {
  addRemoveOne,
  changeEach,
  type Pair,
  pairOf,
  replaceOne,
} from "../../../lib/core/relation.ts";
import type { Source } from "../../../lib/core/source.ts";
import { largestMechanismLoss } from "../../../proofs/tools/mechanism_loss.ts";
import {
  mechanismNamed,
  mechanismNames,
  type RegisteredMechanism,
} from "../../../lib/mechanisms/registry.ts";
import { SecureSource } from "../../../lib/random/secure_source.ts";
import { SeededSource } from "../../../lib/random/seeded_source.ts";
import {
  exactDelta,
  exactRenyi,
  type OnGrid,
} from "../../../proofs/mechanisms/checks/exact_loss.ts";
import { assertSameLaw, assertStatedProbabilities } from "./stated_law.ts";
import { testDataset, testPairs } from "./test_pairs.ts";
import { weakened } from "./weakened.ts";
import { STILL_PRIVATE } from "./weaknesses.ts";

const DELTA = 1e-3;
/** Rounding of doubles in log-densities, absolute. */
const TOLERANCE = 1e-9;
/** Its ε is fixed. */
const OWN_EPSILON = "two-coin-survey";

/**
 * The share of ε that test pairs attain where the claim is not tight on small data: rounding raises
 * the sensitivity of vectors by a step, and selection needs candidates without any chance, sparse
 * vector endless streams, to lose all of ε. All others attain it.
 */
const ATTAINED: Readonly<Record<string, number>> = {
  "vector-laplace": 0.99,
  "vector-gaussian": 0.97,
  "snapping": 0.98,
  "exponential": 0.96,
  "base-2-exponential": 0.96,
  "noisy-max-gumbel": 0.96,
  "permute-and-flip": 0.97,
  "noisy-max-exponential": 0.97,
  "noisy-max": 0.94,
  "sparse-vector": 0.95,
  "numeric-sparse-vector": 0.95,
  "quantile": 0.95,
  "discrete-gaussian": 0.97,
};

/** No row of numbers gives their outputs back: texts, and null beside an end. */
const SINGLY: readonly string[] = ["k-ary-randomised-response", "numeric-sparse-vector"];

/** Eight answers far above the threshold, reported below, and then one far below, reported above. */
const farStream = (by: number): number[] => [...Array(8).fill(60 + by), -60 - by];
const candidateAlone = pairOf(changeEach({ by: 1 }), { left: [-5, 5, 5, 5], right: [-4, 4, 4, 4] });
const manyRows = Array<number>(100).fill(0.5);
/** Pairs, and outputs, on which some mechanisms lose most. */
const unitPair = pairOf(replaceOne, { left: [0], right: [1] });
const WORST: Readonly<Record<string, { pair: Pair; outputs?: readonly unknown[] }>> = {
  "gaussian": { pair: unitPair },
  "float-gaussian": { pair: unitPair },
  "classical-gaussian": { pair: unitPair },
  "vector-gaussian": { pair: pairOf(replaceOne, { left: [[1, 0]], right: [[-1, 0]] }) },
  "discrete-gaussian": { pair: pairOf(replaceOne, { left: [0], right: [5] }) },
  "exponential": { pair: candidateAlone },
  "base-2-exponential": { pair: candidateAlone },
  "noisy-max-gumbel": { pair: candidateAlone },
  "sparse-vector": {
    pair: pairOf(changeEach({ by: 1 }), { left: farStream(0), right: farStream(1) }),
  },
  "numeric-sparse-vector": {
    pair: pairOf(changeEach({ by: 1 }), { left: farStream(0), right: farStream(1) }),
    outputs: [[...Array(8).fill(null), 100]],
  },
  // So many rows that which fraction the mean is tells sum and number of them.
  "mean-of-unknown-size": {
    pair: pairOf(addRemoveOne, { left: manyRows, right: [...manyRows, 1] }),
  },
  // Nearly all points gain a rank, and one loses one.
  "quantile": {
    pair: pairOf(replaceOne, {
      left: [0, 1 / 64, 1 / 64, 1 / 64],
      right: [1, 1 / 64, 1 / 64, 1 / 64],
    }),
  },
};

const make = (name: string, epsilon: number): RegisteredMechanism =>
  mechanismNamed(name, { epsilon, delta: DELTA });

/** A source that nobody may use. */
const untouchable: Source = {
  kind: "seeded",
  uint32: used,
  uniform: used,
  fillUint32: used,
  split: used,
};
function used(): never {
  throw new Error("randomness was used");
}

/** The largest loss over test pairs, as a share of what the claim allows. */
function lossShare(mechanism: Mechanism, domain: Domain, epsilon: number): number {
  const source = new SeededSource(71);
  const { claim } = mechanism;
  const { pair: worst, outputs = [] } = WORST[mechanism.name] ?? {};
  if (claim.kind === "approximate") {
    return exactDelta(mechanism, worst!, epsilon) / claim.delta;
  }
  if (claim.kind === "zcdp") {
    const losses = exactRenyi(mechanism as OnGrid, worst!, [1.5, 2, 8]);
    return Math.max(...losses.map(({ order, loss }) => loss / (claim.rho * order)));
  }
  const pairs = testPairs({ domain, relation: claim.relation, count: 40 }, source);
  const search = { draws: 40, seed: 71 };
  const losses = [largestMechanismLoss(mechanism, { pairs, ...search }).loss];
  if (worst !== undefined) {
    losses.push(largestMechanismLoss(mechanism, { pairs: [worst], outputs, ...search }).loss);
  }
  return Math.max(...losses) / epsilon;
}

for (const name of mechanismNames) {
  const stillPrivate = STILL_PRIVATE.includes(name);
  const mutantDoes = stillPrivate ? "keeps it" : "fails";
  Deno.test(`${name} keeps its claim on all test pairs, attains it, and ${mutantDoes} with 15% less noise`, () => {
    for (const epsilon of name === "classical-gaussian" ? [0.5, 0.8] : [0.5, 1.5]) {
      const own = name === OWN_EPSILON ? Math.log(3) : epsilon;
      const mechanism = make(name, own);
      const share = lossShare(mechanism, mechanism.domain, own);
      assert(share <= 1 + TOLERANCE, `${share} of ${describeClaim(mechanism.claim)}`);
      const weak = lossShare(weakened(name, { epsilon, delta: DELTA }), mechanism.domain, own);
      assertEquals(weak > 1 + TOLERANCE, !stillPrivate);
      if (stillPrivate) continue;
      const least = ATTAINED[name] ?? (mechanism.claim.kind === "pure" ? 1 - 1e-6 : 0.99);
      assert(share >= least, `${share} of ${describeClaim(mechanism.claim)}, not ${least}`);
    }
  });
}

for (const name of mechanismNames) {
  const epsilon = name === "classical-gaussian" ? 0.5 : 1;
  const mechanism = make(name, epsilon);

  Deno.test(`${name} states a claim under a relation and a domain`, () => {
    assert(describeClaim(mechanism.claim).length > 0);
    assert(mechanism.claim.relation.name.length > 0);
    assert(mechanism.domain.size.max >= mechanism.domain.size.min);
  });

  Deno.test(`${name} repeats itself on equal seeds and not on others`, () => {
    const data = someData(mechanism);
    const run = (seed: number): unknown => {
      const source = new SeededSource(seed);
      return Array.from({ length: 60 }, () => mechanism.sample(data, source));
    };
    assertEquals(run(72), run(72));
    assert(JSON.stringify(run(72)) !== JSON.stringify(run(73)));
    // A secure source is taken too.
    mechanism.sample(data, new SecureSource());
  });

  Deno.test(`${name} draws with the probabilities it states`, () => {
    if (name.startsWith("float-")) return;
    const data = someData(mechanism);
    const source = new SeededSource(74);
    const draws = 6_000;
    const outputs = Array.from({ length: draws }, () => mechanism.sample(data, source));
    assertStatedProbabilities(mechanism, data, outputs);
  });

  Deno.test(`${name} draws a block of one as it draws one, and no more random numbers`, () => {
    if (mechanism.sampleMany === undefined) return;
    for (let seed = 77; seed < 87; seed++) {
      const data = someData(mechanism), [one, block] = [seed, seed].map((k) => new SeededSource(k));
      const output = [mechanism.sample(data, one!)].flat().map((value) => placed(value as number));
      const [...row] = mechanism.sampleMany(data, 1, block!);
      assertEquals(row.length, mechanism.width);
      row.forEach((value, i) => assertEquals(placed(value), placed(output[i])));
      assertEquals(block!.uint32(), one!.uint32());
    }
  });

  Deno.test(`${name} draws the same law in blocks`, () => {
    assertEquals(mechanism.sampleMany === undefined, SINGLY.includes(name));
    if (mechanism.sampleMany === undefined) return;
    const data = someData(mechanism);
    const source = new SeededSource(75);
    const count = 6_000, width = mechanism.width!;
    const block = mechanism.sampleMany(data, count, source);
    assertEquals(block.length, count * width);
    const single = Array.from({ length: count }, () => [mechanism.sample(data, source)].flat());
    for (let column = 0; column < width; column++) {
      assertSameLaw(
        Float64Array.from(single, (output) => placed(output[column] as number | undefined)),
        Float64Array.from({ length: count }, (_, i) => placed(block[i * width + column])),
      );
    }
  });

  Deno.test(`${name} refuses bad parameters and bad data before randomness is used`, () => {
    if (name !== OWN_EPSILON) {
      for (const bad of [0, -1, NaN, Infinity, -Infinity]) {
        assertThrows(() => make(name, bad), RangeError);
      }
    }
    for (const data of badData(mechanism)) {
      const error = assertThrows(() => mechanism.sample(data, untouchable), Error);
      assert(error instanceof RangeError || error instanceof TypeError, error.message);
      assert(error.message.startsWith("Cannot release"), error.message);
      assert(!error.message.includes("secret") && !error.message.includes("NaN"), error.message);
      assertThrows(() => mechanism.check!(data), error.constructor as typeof RangeError);
      if (mechanism.sampleMany !== undefined) {
        assertThrows(
          () => mechanism.sampleMany!(data, 3, untouchable),
          error.constructor as typeof RangeError,
          error.message,
        );
      }
    }
    mechanism.check!(someData(mechanism));
    // Good data does reach the source: the check above can fail.
    assertThrows(() => mechanism.sample(someData(mechanism), untouchable), Error, "was used");
  });
}

/** A number as it is, and what an output lacks beyond all of them. */
function placed(value: number | undefined): number {
  return value === undefined || Number.isNaN(value) ? Infinity : Number(value);
}

function someData({ domain }: RegisteredMechanism): Dataset {
  return testDataset(
    { ...domain, size: { min: domain.size.max, max: domain.size.max } },
    new SeededSource(70),
  );
}

/** Data of the right shape with one value that cannot be. */
function badData({ name, domain }: RegisteredMechanism): Dataset[] {
  const good = testDataset(
    { ...domain, size: { min: domain.size.max, max: domain.size.max } },
    new SeededSource(76),
  );
  switch (domain.rows.type) {
    case "number":
    case "integer":
      return [NaN, Infinity, "secret", undefined].map((bad) => good.with(0, bad))
        // These take any value: what is no time step counts nowhere.
        .filter(() => name !== "rappor" && name !== "tree-counts");
    case "vector":
      return [good.with(0, [NaN, 0]), good.with(0, [1])];
    case "boolean":
      // A count takes any row that its predicate takes.
      return name === "count" ? [] : [good.with(0, "secret")];
    case "category":
      // A histogram counts only its categories.
      return name === "histogram" ? [] : [good.with(0, "secret")];
    case "text":
    case "record":
      return [];
  }
}
