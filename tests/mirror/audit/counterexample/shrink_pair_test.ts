import { assert, assertEquals } from "@std/assert";
import type { SearchSpace } from "../../../../lib/audit/search/mutate_pairs.ts";
import { Sampler } from "../../../../lib/audit/drawing/sampler.ts";
import {
  type Confirmation,
  confirmPair,
  shrinkPair,
} from "../../../../lib/audit/counterexample/shrink_pair.ts";
import { complexity } from "../../../../lib/audit/counterexample/smaller_pairs.ts";
import { mechanismSubject } from "../../../../lib/audit/subjects/mechanism_subject.ts";
import { pure } from "../../../../lib/core/claim.ts";
import type { Mechanism } from "../../../../lib/core/mechanism.ts";
import { addRemoveOne, type Pair, pairOf, replaceOne } from "../../../../lib/core/relation.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const claim = pure({ epsilon: 1, relation: replaceOne });
const space: SearchSpace = {
  relation: replaceOne,
  domain: { rows: { type: "integer", min: 0, max: 9 }, size: { min: 1, max: 6 } },
};

/** Randomised response about "is there a row above 5?", true with the given probability. */
function above(truthful: number): Mechanism<number, number> {
  return {
    name: "above",
    claim,
    sample: (data, source) => Number(data.some((x) => x > 5) === source.uniform() < truthful),
  };
}

const pair = pairOf(replaceOne, { left: [3, 4, 1, 2], right: [3, 4, 7, 2] });

function sampler(truthful: number, maxDraws: number): Sampler {
  return new Sampler(mechanismSubject(above(truthful), { source: new SeededSource(8) }), {
    labels: new SeededSource(9),
    maxDraws,
    maxSeconds: Infinity,
  });
}

const settings = { claim, alpha: 0.05, bits: false };

function shrink(truthful: number, from = pair): Promise<Confirmation> {
  return shrinkPair(from, {
    ...settings,
    space,
    sampler: sampler(truthful, 200_000),
    confirmSampler: () => sampler(truthful, 50_000),
  });
}

Deno.test("confirmPair() refutes a claim on a pair that breaks it, and ends at maxDraws on one that keeps it", async () => {
  const broken = await confirmPair(pair, {
    ...settings,
    sampler: sampler(0.95, 1e5),
    maxDraws: 1e5,
  });
  assert(broken.refuted && broken.eValue >= 20 && broken.draws < 3000);
  const limit = { ...settings, sampler: sampler(0.7, 1e5), maxDraws: 3000 };
  const holds = await confirmPair(pair, limit);
  assertEquals(holds.refuted, false);
  assert(holds.draws >= 3000 && holds.draws < 3300);
});

Deno.test("shrinkPair() reduces a refuted pair to one row and simple values", async () => {
  const { pair: small, refuted } = await shrink(0.95);
  assert(refuted);
  assertEquals(small.left.length, 1);
  assert(complexity(small) < complexity(pair));
  const sides = [small.left[0], small.right[0]] as number[];
  assert(Math.min(...sides) === 0 && Math.max(...sides) > 5, `${sides}`);
});

Deno.test("shrinkPair() leaves a pair that is not refuted unchanged and unconfirmed", async () => {
  const { pair: same, refuted } = await shrink(0.5);
  assertEquals(same, pair);
  assertEquals(refuted, false);
});

Deno.test("shrinkPair() only confirms when the domain is not known", async () => {
  const { pair: same, refuted } = await shrinkPair(pair, {
    ...settings,
    space: undefined,
    sampler: sampler(0.95, 1e5),
    confirmSampler: () => sampler(0.95, 1e5),
  });
  assert(refuted);
  assertEquals(same, pair);
});

Deno.test("shrinkPair() gives the pair it began with when the confirmation fails", async () => {
  const { pair: kept, refuted } = await shrinkPair(pair, {
    ...settings,
    space,
    sampler: sampler(0.95, 1e5),
    confirmSampler: () => sampler(0.5, 3000),
  });
  assert(refuted);
  assertEquals(kept, pair);
});

/** A sum of numbers in [0, 1] with four fifths of the noise: only pairs with a row of nearly 1 refute ε = 1. */
const sum: Mechanism<number, number> = {
  name: "sum",
  claim: pure({ epsilon: 1, relation: addRemoveOne }),
  sample(data, source): number {
    const u = source.uniform() - 0.5;
    return data.reduce((a, b) => a + b, 0) - 0.8 * Math.sign(u) * Math.log(1 - 2 * Math.abs(u));
  },
};
const numbers: SearchSpace = {
  relation: addRemoveOne,
  domain: { rows: { type: "number", min: 0, max: 1 }, size: { min: 0, max: 5 } },
};

/** Shrinks a pair for the sum; with the samplers for tried pairs and, if there was one, for the confirmation. */
async function shrinkSum(
  seed: number,
  from: Pair,
): Promise<{ found: Confirmation; trying: Sampler; last: Sampler | undefined; before: number }> {
  const begin = (label: string, maxDraws: number): Sampler =>
    new Sampler(mechanismSubject(sum, { source: new SeededSource(seed).split(label) }), {
      labels: new SeededSource(seed).split(`${label} labels`),
      maxDraws,
      maxSeconds: Infinity,
    });
  const trying = begin("trying", 300_000);
  let last: Sampler | undefined, before = 0;
  const found = await shrinkPair(from, {
    claim: sum.claim,
    alpha: 0.01,
    bits: false,
    space: numbers,
    sampler: trying,
    confirmSampler: () => {
      before = trying.draws;
      return last = begin("last", 100_000);
    },
    // An audit hands its own settings over, among them how many draws it may make.
    ...{ maxDraws: Infinity },
  });
  return { found, trying, last, before };
}

// Mutants: a tried pair that may take all draws; rows matched by their place where one side has one more; one pass over the
// smaller pairs.
Deno.test("shrinkPair() reaches the smallest pair, though most smaller ones are not refuted", async () => {
  const from = [
    pairOf(addRemoveOne, { left: [1, 0, 0, 0, 0], right: [0, 0, 0, 0] }),
    pairOf(addRemoveOne, { left: [0, 0.47302492810694763], right: [0, 1, 0.47302492810694763] }),
  ];
  const ends = [];
  for (let seed = 1; seed <= 20; seed++) {
    const { found } = await shrinkSum(seed, from[seed % 2]!);
    assert(found.refuted);
    ends.push([...found.pair.left, ...found.pair.right].join());
  }
  assertEquals(ends, ends.map(() => "1"));
});

// Mutants: the clock of the confirmation starts with the first tried pair; a confirmation where nothing was made smaller; the
// draws on tried pairs taken for it.
Deno.test("shrinkPair() begins the confirmation when the pair is chosen, if it is another one", async () => {
  const large = await shrinkSum(1, pairOf(addRemoveOne, { left: [0, 1], right: [0] }));
  assert(large.before > large.found.draws && large.before === large.trying.draws);
  assertEquals(large.last!.draws, large.found.draws);
  const smallest = await shrinkSum(2, pairOf(addRemoveOne, { left: [1], right: [] }));
  assertEquals(smallest.last, undefined);
  assertEquals(smallest.found.pair.left, [1]);
});

// Mutant: pairs that failed are tried again after each step.
Deno.test("shrinkPair() tries a pair once in each pass", async () => {
  const from = pairOf(addRemoveOne, { left: [0.7, 1, 0.6, 0.9], right: [0.7, 0.6, 0.9] });
  const { found, trying } = await shrinkSum(3, from);
  assertEquals(found.pair.left, [1]);

  assert(trying.draws < 60_000, `${trying.draws}`);
});

// Mutant: a tried pair gets a few times the draws that refuted the larger pair, however few these were.
Deno.test("shrinkPair() gives a smaller pair some hundred draws, though the larger one took few", async () => {
  const leak: Mechanism<number, number> = {
    name: "leak",
    claim,
    sample: (data, source) => {
      const high = data.some((x) => x > 5);
      return Number(high === (data.length > 1 || source.uniform() < 0.79));
    },
  };
  const begin = (seed: number): Sampler =>
    new Sampler(mechanismSubject(leak, { source: new SeededSource(seed) }), {
      labels: new SeededSource(seed + 1),
      maxDraws: 200_000,
      maxSeconds: Infinity,
    });
  const found = await shrinkPair(pair, {
    ...settings,
    space,
    sampler: begin(1),
    confirmSampler: () => begin(3),
  });

  assertEquals([found.pair.left.length, found.refuted], [1, true]);
});
