import { assert, assertEquals } from "@std/assert";
import type { SearchSpace } from "../../lib/audit/propose.ts";
import { Session } from "../../lib/audit/session.ts";
import { type Confirmation, confirmPair, shrinkPair } from "../../lib/audit/shrink.ts";
import { complexity } from "../../lib/audit/simplify.ts";
import { mechanismSubject } from "../../lib/audit/subjects/mechanism_subject.ts";
import { pure } from "../../lib/core/claim.ts";
import type { Mechanism } from "../../lib/core/mechanism.ts";
import { pairOf, replaceOne } from "../../lib/core/relation.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";

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

function session(truthful: number, maxDraws: number): Session {
  return new Session(mechanismSubject(above(truthful), { source: new SeededSource(8) }), {
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
    session: session(truthful, 200_000),
    confirmSession: session(truthful, 50_000),
  });
}

Deno.test("confirmPair() refutes a broken pair and gives up on one that holds", async () => {
  const broken = await confirmPair(pair, {
    ...settings,
    session: session(0.95, 1e5),
    maxDraws: 1e5,
  });
  assert(broken.refuted && broken.eValue >= 20 && broken.draws < 3000);
  const limit = { ...settings, session: session(0.7, 1e5), maxDraws: 3000 };
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

Deno.test("shrinkPair() keeps a pair that shows nothing as it is, unconfirmed", async () => {
  const { pair: same, refuted } = await shrink(0.5);
  assertEquals(same, pair);
  assertEquals(refuted, false);
});

Deno.test("shrinkPair() only confirms when it knows no domain", async () => {
  const { pair: same, refuted } = await shrinkPair(pair, {
    ...settings,
    space: undefined,
    session: session(0.95, 1e5),
    confirmSession: session(0.95, 1e5),
  });
  assert(refuted);
  assertEquals(same, pair);
});

Deno.test("shrinkPair() falls back on the pair it began with when the last word fails", async () => {
  const { pair: kept, refuted } = await shrinkPair(pair, {
    ...settings,
    space,
    session: session(0.95, 1e5),
    confirmSession: session(0.5, 3000),
  });
  assert(refuted);
  assertEquals(kept, pair);
});
