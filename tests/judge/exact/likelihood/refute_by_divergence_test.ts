import { assert, assertEquals } from "@std/assert";
import { type Claim, gaussian, renyi, zcdp } from "../../../../lib/core/mod.ts";
import type { ProgramSource, Real } from "../../../../lib/core/mechanism/continuous_draws.ts";
import { replaceOne as relation } from "../../../../lib/core/relations/relation.ts";
import { pairCases } from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import { refuteByDivergence } from "../../../../lib/judge/exact/likelihood/refute_by_divergence.ts";

type Program = (row: Real, source: ProgramSource) => unknown;

async function amountOf(
  program: Program,
  { claim, isPair = () => true }: { readonly claim: Claim; readonly isPair?: () => boolean },
): Promise<number | undefined> {
  const subject = {
    name: "it",
    run: (data: unknown, source: ProgramSource) => program((data as Real[])[0]!, source),
  };
  const { report } = await proveAlignment(subject, { claim, cases: pairCases([0], [1]) });
  return (await refuteByDivergence(subject, { claim, report, isPair }))?.amount;
}

const tiny = 1e-9;
const claims = [
  zcdp({ rho: tiny, relation }),
  gaussian({ mu: tiny, relation }),
  renyi({ order: 2, epsilon: tiny, relation }),
];

// Mutants: a draw that the output does not show; a pair that is none; a comparison of noise.
Deno.test("refuteByDivergence() refutes where each draw shows in the output, and nowhere else", async () => {
  const shown: Program = (x, source) => {
    const a = source.laplace({ scale: 1 }), b = source.gaussian({ deviation: 2 });
    return [source.sum(x, a, b), source.difference(a, b), "public"];
  };
  const hidden: Program = (x, source) =>
    source.sum(x, source.laplace({ scale: 1 }), source.laplace({ scale: 9 }));
  const compared: Program = (x, source) =>
    source.less(source.sum(x, source.laplace({ scale: 1 })), 0);
  const other: Program = (x, source) => source.sum(x, source.gumbel({ scale: 1 }));
  for (const claim of claims) {
    assert((await amountOf(shown, { claim }))! > 0.01, claim.kind);
    assertEquals(await amountOf(shown, { claim, isPair: () => false }), undefined);
    for (const program of [hidden, compared, other]) {
      assertEquals(await amountOf(program, { claim }), undefined, claim.kind);
    }
  }
});
