import { assert } from "@std/assert";
import { audit } from "../../lib/judge/audit/audit.ts";
import type { AuditReport } from "../../lib/judge/audit/report.ts";
import { functionSubject } from "../../lib/judge/audit/subjects/function_subject.ts";
import { approximate, type Claim, pure } from "../../lib/core/mod.ts";
import { pairOf, replaceOne } from "../../lib/core/relations/relation.ts";
import type { Source } from "../../lib/core/mechanism/source.ts";
import { logBinomialTail } from "../../lib/core/numeric/binomial_tail.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { LONG } from "../long.ts";
import { isDecided, mostPassing } from "./decided.ts";

// Programs that keep their claim but for an event that only one dataset has. The report of the program without it says how rare
// such an event may be to be refuted with 90% power: here it has that probability, and is refuted as often as that.
const AUDITS = LONG ? 60 : 5;
const POWER = 0.9, TOLERANCE = 1e-3;

const claims = {
  pure: pure({ epsilon: 1, relation: replaceOne }),
  approximate: approximate({ epsilon: 1, delta: 1e-6, relation: replaceOne }),
};

function laplace(source: Source): number {
  const u = source.uniform() - 0.5;
  return -Math.sign(u) * Math.log1p(-2 * Math.abs(u));
}

const number = ([row]: readonly unknown[], source: Source): unknown =>
  Number(row) + laplace(source);
const word = ([row]: readonly unknown[], source: Source): unknown =>
  source.uniform() < (row === 1 ? 0.6 : 0.4) ? "yes" : "no";
const pair = ([row]: readonly unknown[], source: Source): unknown => [
  Number(row) + laplace(source),
  laplace(source),
];
const wholeNumber = ([row]: readonly unknown[], source: Source): unknown =>
  Math.round(50 * (Number(row) + laplace(source)));

/** What a program gives, and what it gives now and then on one dataset. */
const kinds: Record<string, readonly [typeof number, (source: Source) => unknown]> = {
  "an error": [number, () => {
    throw new Error("no answer");
  }],
  "an error with a message that never repeats": [number, (source) => {
    throw new Error(`no answer ${source.uniform()}`);
  }],
  "null": [number, () => null],
  "a number far outside": [number, (source) => 1e6 * source.uniform()],
  "one value among continuous ones": [number, () => 0.25],
  "a new category": [word, () => "maybe"],
  "a text that never repeats": [word, (source) => `id ${source.uniform()}`],
  "a longer list": [pair, () => [1, 2, 3]],
  "one whole number far outside": [wholeNumber, () => 1e5],
};

async function run(
  kind: string,
  { claim, seed, maxDraws, probability, side = 1 }: {
    claim: Claim;
    seed: number;
    maxDraws: number;
    probability: number;
    side?: number;
  },
): Promise<AuditReport> {
  const [usual, rare] = kinds[kind]!;
  const program = (data: readonly unknown[], source: Source): unknown =>
    data[0] === side && source.uniform() < probability ? rare(source) : usual(data, source);
  return await audit(functionSubject(program, { name: kind, source: new SeededSource(seed) }), {
    claim,
    pair: pairOf(replaceOne, { left: [0], right: [1] }),
    maxDraws,
    seed,
    shrink: false,
  });
}

const mostMissed = mostPassing(
  AUDITS,
  (missed) => logBinomialTail(missed, AUDITS, 1 - POWER) < Math.log(TOLERANCE),
);

/** Audits in which the event has the probability that the report speaks of, and how many refuted. */
async function refutedAtStated(
  kind: string,
  { claim, maxDraws }: { claim: Claim; maxDraws: number },
): Promise<{ refuted: number; probability: number }> {
  const without = await run(kind, { claim, seed: 1, maxDraws, probability: 0 });
  assert(without.verdict === "not-refuted", without.verdict);
  const probability = without.smallestEventProbability;
  let refuted = 0;
  for (let seed = 2; seed < 2 + AUDITS; seed++) {
    const done = seed - 2;
    if (!LONG && isDecided(refuted, { done, trials: AUDITS, most: AUDITS - mostMissed - 1 })) break;
    const { verdict } = await run(kind, { claim, seed, maxDraws, probability, side: seed % 2 });
    if (verdict === "refuted") refuted++;
  }
  return { refuted, probability };
}

/** Kinds whose outputs are found as those of another kind are: `deno task test:long` audits them. */
const LIKE_OTHERS: ReadonlySet<string> = new Set([
  "an error with a message that never repeats",
  "one value among continuous ones",
  "a longer list",
  "one whole number far outside",
]);

// Mutants: rare outputs without cells of their own; cells bet on by what a batch itself shows; the statement for draws instead of bets;
// that of rare cells for events too likely for them.
for (const kind of Object.keys(kinds)) {
  for (const [name, claim] of Object.entries(claims)) {
    for (const maxDraws of [4000, 40_000, 120_000]) {
      if (name === "approximate" && maxDraws === 40_000) continue;
      const isLong = maxDraws !== 40_000 || name === "approximate" || LIKE_OTHERS.has(kind);
      Deno.test({
        name:
          `audit() of ${maxDraws} draws refutes ${kind} on one dataset with the power that it states, ${name} claim`,
        ignore: isLong && !LONG,
        fn: async () => {
          const { refuted, probability } = await refutedAtStated(kind, { claim, maxDraws });
          if (LONG) {
            console.log(`${kind}, ${name}, ${maxDraws}: ${probability}, ${refuted} of ${AUDITS}`);
          }
          const most = maxDraws === 4000
            ? 0.2
            : name === "approximate"
            ? 5e-3
            : maxDraws === 40_000
            ? 6e-3
            : 1.5e-3;
          assert(probability < most, `${probability}`);
          assert(
            refuted >= AUDITS - mostMissed,
            `${refuted} of ${AUDITS} refuted at ${probability}`,
          );
        },
      });
    }
  }
}

// Mutant: an event that draws made for it do not show.
Deno.test("audit() shows a rare output as the event, with counts that exceed the claim", async () => {
  const report = await run("null", {
    claim: claims.pure,
    seed: 3,
    maxDraws: 400_000,
    probability: 4e-4,
  });
  assert(report.verdict === "refuted", report.verdict);
  const { event } = report;
  assert(event?.description === "kind(output) = null", event?.description);
  assert(event.exceedsClaim === true && event.epsilonLowerBound! > 1);
  assert(event.left.hits === 0 && event.right.hits > 20);
});
