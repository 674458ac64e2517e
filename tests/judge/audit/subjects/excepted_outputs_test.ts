import { assert, assertEquals, assertRejects } from "@std/assert";
import { audit } from "../../../../lib/judge/audit/audit.ts";
import { PointEvidence } from "../../../../lib/judge/audit/kernel/betting/point_evidence.ts";
import { Predictor } from "../../../../lib/judge/audit/model/prediction/predictor.ts";
import { exceptOutputs } from "../../../../lib/judge/audit/subjects/excepted_outputs.ts";
import { functionSubject } from "../../../../lib/judge/audit/subjects/function_subject.ts";
import { type Outputs, packOutputs } from "../../../../lib/judge/audit/kernel/outputs.ts";
import type { Subject } from "../../../../lib/judge/audit/kernel/subject.ts";
import { approximate, pure } from "../../../../lib/core/mod.ts";
import { pairOf, replaceOne } from "../../../../lib/core/relations/relation.ts";
import type { Source } from "../../../../lib/core/mechanism/source.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { terminalReport } from "../../../../lib/judge/report/terminal.ts";

const pair = pairOf(replaceOne, { left: [0], right: [1] });
const claim = pure({ epsilon: 1, relation: replaceOne });

/** Draws these numbers. */
function drawing(values: readonly number[]): Subject {
  const outputs = packOutputs(values);
  return {
    name: "numbers",
    draw: () => outputs,
    drawInOrder: () => Promise.resolve({ left: outputs, right: packOutputs([1, 2]) }),
    close: () => Promise.resolve(),
  };
}

/** A batch of these outputs with one of three of them excepted. */
async function excepted(values: readonly number[]): Promise<Outputs> {
  return await exceptOutputs(drawing(values), (x) => x === 7).draw([0], values.length);
}

// The share of δ is charged for every draw: without the excepted ones, bets would pay too much.
Deno.test("bets on (ε, δ) are charged δ for excepted outputs too", async () => {
  const wealthAfter = async (values: readonly number[]): Promise<number> => {
    const evidence = new PointEvidence({
      grid: Float64Array.of(0.5),
      claimIndex: 0,
      alpha: 0.05,
      points: [[{ epsilon: 0.5, delta: 0.1 }]],
    });
    const predictor = new Predictor();
    const both = Array.from({ length: 400 }, (_, i) => i % 2), ones = both.map(() => 1);
    for (let k = 0; k < 8; k++) predictor.observe(packOutputs(both), packOutputs(ones));
    evidence.add(predictor.observe(await excepted(values), packOutputs([1])));
    return evidence.logEValue;
  };
  assert(await wealthAfter([1, 7, 7, 7, 7]) < await wealthAfter([1]));
});

/**
 * An easy leak (one answer in five is a crash on the left dataset only) and a hidden one: of the others, the answer is
 * right 19 times out of 20.
 */
function leaks({ hidden }: { hidden: boolean }): Subject {
  const run = ([bit]: readonly number[], source: Source): unknown => {
    if (bit === 0 && source.uniform() < 0.2) throw new Error("no class 1 and nothing to fit");
    return source.uniform() < (hidden ? 0.95 : 0.5) ? bit : 1 - bit!;
  };
  return functionSubject(run as never, { source: new SeededSource(3), name: "two leaks" });
}
const crash = "output = no class 1 and nothing to fit";
const options = { claim, pair, seed: 2112, maxDraws: 6000, shrink: false };

Deno.test("audit() finds the next leak when the first one is excepted, and nothing where there is none", async () => {
  const first = await audit(leaks({ hidden: true }), options);
  assertEquals([first.verdict, first.except], ["refuted", undefined]);
  const next = await audit(leaks({ hidden: true }), { ...options, except: [crash] });
  assertEquals([next.verdict, next.except], ["refuted", [crash]]);
  assert(next.event!.description !== crash && !next.event!.description.includes("NaN"));
  // Draws that satisfy the excepted event stay draws.
  assert(Math.abs(next.event!.left.draws / next.event!.right.draws - 1) < 0.1);
  // The answer 1 comes with 0.95 on the one side, and with 0.8 · 0.05 on the other.
  assert(next.epsilonLowerBound <= Math.log(0.95 / 0.04));
  assert(terminalReport(next).includes(`excepted event were left out: ${crash}.`));

  assertEquals((await audit(leaks({ hidden: false }), options)).verdict, "refuted");
  const rest = await audit(leaks({ hidden: false }), { ...options, except: [crash] });
  assertEquals(rest.verdict, "not-refuted");
  const all = await audit(leaks({ hidden: true }), {
    ...options,
    except: ["output <= 1", crash],
  });
  assert(all.verdict === "inconclusive" && all.reason.includes("excepted"));
});

Deno.test("audit() refuses to except what is no rule, and in recorded outputs", async () => {
  const subject = leaks({ hidden: true });
  for (const [except, kind] of [[["all"], RangeError], [crash as never, TypeError]] as const) {
    await assertRejects(() => audit(subject, { ...options, except }), kind, "except");
  }
  const recorded = { left: packOutputs(Array(60).fill(0)), right: packOutputs(Array(60).fill(1)) };
  await assertRejects(
    () => audit({ ...subject, recorded }, { ...options, except: [crash] }),
    RangeError,
    "recorded",
  );
});

/** Four answers of five are "skip"; the others keep ε = 1, with nothing to spare. */
function seldomAnswers(): Subject {
  const run = ([bit]: readonly number[], source: Source): unknown =>
    source.uniform() < 0.8 ? "skip" : source.uniform() < 1 / (1 + Math.exp(-1)) ? bit : 1 - bit!;
  return functionSubject(run as never, { source: new SeededSource(6), name: "seldom answers" });
}

// Mutants: a test of as many guesses as if all outputs were left, of which most are never made; bets seen as on all draws.
Deno.test("audit() says what it could have seen in the outputs that are not excepted", async () => {
  const relation = replaceOne;
  for (const claimed of [claim, approximate({ epsilon: 1, delta: 1e-3, relation })]) {
    const seen = async (except: readonly string[]): Promise<number> => {
      const audited = { ...options, claim: claimed, maxDraws: 40_000, except };
      return (await audit(seldomAnswers(), audited)).detectableEpsilon ?? Infinity;
    };
    const all = await seen([]), besides = await seen(["output = skip"]);
    // Without the exception the two other answers together are the event of the figure, besides it one of them.
    assert(
      besides > 0.98 * all && besides < 1.08 * all,
      `${besides} where ${all} is seen without`,
    );
  }
});
