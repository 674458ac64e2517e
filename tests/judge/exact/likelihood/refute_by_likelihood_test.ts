import { assert, assertEquals } from "@std/assert";
import { alignedForms } from "../../../../proofs/judge/exact/checks/aligned_forms.ts";
import { brokenForms } from "../../../../proofs/judge/exact/checks/broken_forms.ts";
import { approximate, type Claim, pure } from "../../../../lib/core/mod.ts";
import type { ProgramSource, Real } from "../../../../lib/core/mechanism/continuous_draws.ts";
import type { Domain } from "../../../../lib/core/relations/dataset.ts";
import { changeEach, type Relation } from "../../../../lib/core/relations/relation.ts";
import { relationNamed } from "../../../../lib/core/relations/relation_named.ts";
import { neighbourCases } from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import { refuteByLikelihood } from "../../../../lib/judge/exact/likelihood/refute_by_likelihood.ts";
import { dailyOf, LONG } from "../../../long.ts";
import { sparseVectorForm } from "../../../../proofs/judge/exact/checks/continuous_form.ts";

type Program = (answers: readonly Real[], source: ProgramSource) => unknown;
type Found = Awaited<ReturnType<typeof refuteByLikelihood>>;

async function refuted(
  program: Program,
  { claim, domain, relation }: {
    readonly claim: Claim;
    readonly domain: Domain;
    readonly relation: Relation;
  },
): Promise<Found> {
  const aligned = {
    name: "it",
    run: (data: unknown, source: ProgramSource) => program(data as number[], source),
  };
  const { details } = await proveAlignment(aligned, {
    claim,
    cases: neighbourCases(domain, relation)!,
  });
  return await refuteByLikelihood(aligned, {
    claim,
    details,
    whole: domain.rows.type === "integer",
    isPair: (left, right) => relation.violation(left as number[], right as number[]) === undefined,
  });
}

// Mutants: likelihoods that change sides; a loss that is rounded up; outputs of one path alone.
Deno.test("refuteByLikelihood() refutes published programs that break their claim, by no more than they lose", async () => {
  for (const { name, program, domain, relation: called, proved } of brokenForms) {
    const relation = relationNamed(called)!;
    const found = await refuted(program, {
      claim: pure({ epsilon: 1, relation }),
      domain,
      relation,
    });
    assert(
      found !== undefined && found.loss > 1 && found.loss <= proved,
      `${name}: ${found?.loss}`,
    );
    const { left, right } = found as { left: number[]; right: number[] };
    assertEquals(relation.violation(left, right), undefined, name);
  }
});

Deno.test("refuteByLikelihood() shows of true claims less than they lose", async () => {
  let shown = 0;
  for (
    const { name, program, domain, relation: called, proved } of dailyOf(
      alignedForms,
      (_, place) => place % 3 === 0,
    )
  ) {
    const relation = relationNamed(called)!, claim = pure({ epsilon: 0.98, relation });
    const found = await refuted(program, { claim, domain, relation });
    if (found !== undefined) shown++;
    assert(
      found === undefined || found.loss > 0.98 && found.loss <= proved,
      `${name}: ${found?.loss}`,
    );
  }
  assert(shown > (LONG ? 12 : 4), `${shown} of ${alignedForms.length}`);
});

const each = changeEach({ by: 1 });
const answers = (size: number, type: "number" | "integer" = "number"): Domain => ({
  rows: { type, min: -10, max: 10 },
  size: { min: size, max: size },
});

Deno.test("refuteByLikelihood() refutes sparse vectors with gaps, and of two kinds of noise, at lengths up to 8", async () => {
  const gap = sparseVectorForm({ cutoff: 1, thresholdScale: 2, answerScale: 3, above: "gap" });
  /** Answers far above cost an eighth, others above a quarter (Ding, Wang, Zhang, Kifer 2019); noise of four in place of 16 and 8. */
  const adaptive: Program = (list, source) => {
    const limit = source.laplace({ scale: 2 }), output: unknown[] = [];
    let spent = 0;
    for (const answer of list) {
      if (spent > 1 / 4) break;
      const [top, middle] = [0, 1].map(() =>
        source.difference(source.sum(answer, source.laplace({ scale: 4 })), limit)
      );
      if (source.less(2, top!)) {
        output.push(["top", top]);
        spent += 1 / 8;
      } else if (source.less(0, middle!)) {
        output.push(["middle", middle]);
        spent += 1 / 4;
      } else output.push("below");
    }
    return output;
  };
  const claim = pure({ epsilon: 1, relation: each });
  for (const [program, sizes] of [[gap, [4, 8]], [adaptive, [4]]] as const) {
    for (const size of sizes) {
      const found = await refuted(program, {
        claim,
        domain: answers(size, "integer"),
        relation: each,
      });
      assert(found !== undefined && found.loss > 1 && found.rank > 0, `${size}`);
      const { left, right } = found as { left: number[]; right: number[] };
      assert([...left, ...right].every(Number.isInteger));
    }
  }
  const few = await refuted(adaptive, { claim, domain: answers(2), relation: each });
  assertEquals(few, undefined);
});

Deno.test("refuteByLikelihood() takes outputs for one that are equal, however they were computed", async () => {
  // The same number always; where it was computed by the source the trace knows it by a form.
  const constant: Program = ([x], source) =>
    source.less(x!, source.laplace({ scale: 1 })) ? [3, "a"] : [source.sum(1, 2), "a"];
  // The place of an answer that is a number, or that number computed.
  const claim = pure({ epsilon: 0.25, relation: each }), domain = answers(1);
  assertEquals(await refuted(constant, { claim, domain, relation: each }), undefined);
  const other: Program = ([x], source) =>
    source.less(x!, source.laplace({ scale: 1 })) ? [3, "a"] : [source.sum(1, 3), "a"];
  const found = await refuted(other, { claim, domain, relation: each });
  assert(found !== undefined && found.loss <= 1);
});

Deno.test("refuteByLikelihood() counts δ, and says nothing of densities beside one", async () => {
  const half: Program = ([x], source) => source.less(x!, source.laplace({ scale: 1 / 2 }));
  const value: Program = ([x], source) => source.sum(x!, source.laplace({ scale: 1 / 2 }));
  const of = (program: Program, delta: number): Promise<Found> =>
    refuted(program, {
      claim: approximate({ epsilon: 1, delta, relation: each }),
      domain: answers(1),
      relation: each,
    });
  // At 0 against 1: 1/2 − e·e⁻²/2.
  const least = 1 / 2 - Math.exp(-1) / 2;
  assert(await of(half, least - 1e-6) !== undefined);
  assertEquals(await of(half, least + 1e-6), undefined);
  assertEquals(await of(value, 1e-6), undefined);
});
