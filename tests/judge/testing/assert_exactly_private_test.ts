import { gaussianDelta } from "../../../lib/core/numeric/gaussian_delta.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { gaussian, zcdp } from "../../../lib/core/mod.ts";
import type { ProgramSource, Real } from "../../../lib/core/mechanism/continuous_draws.ts";
import type { DiscreteSource } from "../../../lib/core/mechanism/discrete_source.ts";
import {
  changeEach,
  pairOf,
  replaceOne as relation,
} from "../../../lib/core/relations/relation.ts";
import { randomisedResponse } from "../../../lib/dp/mechanisms/randomised_response.ts";
import { assertExactlyPrivate } from "../../../lib/judge/testing/assert_exactly_private.ts";
import { NotTraceable } from "../../../lib/judge/exact/alignment/traced_value.ts";
import { AssertionError } from "../../../lib/judge/testing/assertion_error.ts";

const pair = pairOf(relation, { left: [false], right: [true] });
const answer = ([truth]: boolean[], source: DiscreteSource): boolean =>
  source.bernoulli({ probability: 0.75 }) === truth;
const domain = { rows: { type: "boolean" }, size: { min: 1, max: 2 } } as const;

// Mutants: a report in place of an error; the mechanism's claim under no name but its own.
Deno.test("assertExactlyPrivate() throws unless the claim holds", async () => {
  assertEquals(
    (await assertExactlyPrivate(answer, { epsilon: 1.1, relation, pair })).verdict,
    "holds",
  );
  const error = await assertRejects(
    () => assertExactlyPrivate(answer, { epsilon: 1, relation, pair }),
    AssertionError,
    "REFUTED  answer does not keep 1-DP",
  );
  assertEquals((error.report as { verdict: string }).verdict, "refuted");
  assertEquals(
    (await assertExactlyPrivate(answer, { epsilon: 1, delta: 0.1, relation, pair })).verdict,
    "holds",
  );
  const survey = randomisedResponse({ epsilon: 2 });
  const decided = await assertExactlyPrivate(survey, { domain });
  assert("attained" in decided && decided.attained);
  await assertRejects(() => assertExactlyPrivate(survey, { domain, epsilon: 1.9 }), AssertionError);
  const noisy = (data: boolean[], source: DiscreteSource): number =>
    Number(data[0]) + source.discreteLaplace({ rate: 0.001 });
  await assertRejects(
    () => assertExactlyPrivate(noisy, { epsilon: 1, relation, pair, maxBranches: 50 }),
    AssertionError,
    "UNDECIDED",
  );
});

Deno.test("assertExactlyPrivate() refuses what is missing or of another kind", async () => {
  await assertRejects(
    () => assertExactlyPrivate(answer, { epsilon: 1, pair }),
    RangeError,
    "relation",
  );
  await assertRejects(
    () => assertExactlyPrivate(answer, { epsilon: 1, relation }),
    RangeError,
    "domain",
  );
  await assertRejects(() => assertExactlyPrivate(answer, { pair }), RangeError, "missing");
  await assertRejects(
    () => assertExactlyPrivate(answer, { claim: zcdp({ rho: 1, relation }), pair }),
    RangeError,
    "zcdp",
  );
});

const each = changeEach({ by: 1 });
const answers = { rows: { type: "number", min: -10, max: 10 }, size: { min: 3, max: 3 } } as const;
const largest =
  (scale: number, kind: "laplace" | "gumbel" = "laplace") =>
  (list: Real[], source: ProgramSource): number =>
    source.indexOfLargest(list.map((x) => source.sum(x, source[kind]({ scale }))));

// Mutants: the audit's verdict in place of the proof's; a refutation without its pair; a claim that is not refuted taken for proved.
Deno.test("assertExactlyPrivate() proves continuous noise, and shows the pair and event of a refutation", async () => {
  const max = largest(2);
  const proved = await assertExactlyPrivate(max, { epsilon: 1, relation: each, domain: answers });
  assertEquals([proved.verdict, proved.epsilon], ["holds", 1]);
  const likely = await assertRejects(
    () => assertExactlyPrivate(largest(0.5), { epsilon: 1, relation: each, domain: answers }),
    AssertionError,
    "likelihoods",
  );
  const { refuted } = likely.report as {
    refuted: { left: number[]; right: number[]; loss: number };
  };
  assert(refuted.loss > 1);
  assertEquals(each.violation(refuted.left, refuted.right), undefined);
  const broken = await assertRejects(
    () =>
      assertExactlyPrivate(largest(0.5, "gumbel"), { epsilon: 1, relation: each, domain: answers }),
    AssertionError,
    "REFUTED",
  );
  const { verdict, audit } = broken.report as {
    verdict: string;
    audit: { verdict: string; pair: { left: number[]; right: number[] }; event: unknown };
  };
  assertEquals([verdict, audit.verdict], ["not proved", "refuted"]);
  assertEquals(each.violation(audit.pair.left, audit.pair.right), undefined);
  assert(audit.event !== null);
  const noisy = (list: Real[], source: ProgramSource): Real[] =>
    list.map((x) => source.sum(x, source.gaussian({ deviation: 4 })));
  const claim = gaussian({ mu: 0.4331, relation: each });
  assertEquals((await assertExactlyPrivate(noisy, { claim, domain: answers })).verdict, "holds");
  // No audit of a million draws sees these: a pure claim of noise that exceeds its ε once in 10¹⁶ outputs, and a δ of 10⁻⁹ that is a hundredth too small.
  const delta = gaussianDelta(Math.sqrt(3) / 4, 2.5);
  const keeps = { relation: each, domain: answers };
  for (
    const [wrong, says] of [
      [{ epsilon: 4 }, "whose loss no ε bounds"],
      [{ epsilon: 2.5, delta: 0.99 * delta }, "with this δ"],
    ] as const
  ) {
    const { report } = await assertRejects(
      () => assertExactlyPrivate(noisy, { ...wrong, ...keeps }),
      AssertionError,
      says,
    );
    const { left, right } = (report as { refuted: { left: number[]; right: number[] } }).refuted;
    assertEquals(each.violation(left, right), undefined);
  }
  const { verdict: kept } = await assertExactlyPrivate(noisy, {
    epsilon: 2.5,
    delta: 1.01 * delta,
    ...keeps,
  });
  assertEquals(kept, "holds");
});

Deno.test("assertExactlyPrivate() refutes by datasets of the domain alone", async () => {
  // Half of a whole number is worst for the proof, and no row of the domain.
  const program = ([x]: Real[], source: ProgramSource): Real => {
    const isBetween = source.less(0, x!) && source.less(x!, 1);
    return source.sum(isBetween ? 99 : source.multiple(3, x!), source.laplace({ scale: 1 }));
  };
  const { report } = await assertRejects(
    () =>
      assertExactlyPrivate(program, {
        epsilon: 1,
        delta: 0.01,
        relation,
        domain: { rows: { type: "integer", min: 0, max: 1 }, size: { min: 1, max: 1 } },
      }),
    AssertionError,
    "REFUTED",
  );
  const { left, right } = (report as { audit: { pair: { left: number[]; right: number[] } } }).audit
    .pair;
  assertEquals([...left, ...right].toSorted(), [0, 1]);
});

Deno.test("assertExactlyPrivate() says of continuous noise what it neither proves nor refutes, and refuses what it cannot trace", async () => {
  // It loses ln((2 − e^−.3)/e^−.7), .9305, which no shift of the noise shows.
  const above = ([x]: Real[], source: ProgramSource): unknown =>
    source.less(0.3, source.sum(x!, source.laplace({ scale: 1 })));
  const beside = pairOf(each, { left: [0], right: [1] });
  await assertRejects(
    () => assertExactlyPrivate(above, { epsilon: 0.94, relation: each, pair: beside }),
    AssertionError,
    "NOT PROVED",
  );
  // A third is rounded down, so that its noise loses more than 3. No audit is made, for none sees it.
  const rounded = (list: Real[], source: ProgramSource): unknown =>
    list.map((x) => source.sum(x, source.laplace({ scale: 1 / 3 })));
  const exceeded = await assertRejects(
    () => assertExactlyPrivate(rounded, { epsilon: 9, relation: each, domain: answers }),
    AssertionError,
    "Only rounding exceeds the claim",
  );
  assert(!("audit" in (exceeded.report as object)));
  const plus = (list: Real[], source: ProgramSource): number =>
    Number(list[0]) + Number(source.laplace({ scale: 1 }));
  await assertRejects(
    () => assertExactlyPrivate(plus, { epsilon: 1, relation: each, domain: answers }),
    NotTraceable,
  );
  await assertRejects(
    () =>
      assertExactlyPrivate(largest(2), {
        epsilon: 1,
        relation: each,
        domain: answers,
        maxBranches: 2,
      }),
    NotTraceable,
    "more than 2 paths",
  );
});
