import { approximate, pure } from "../../../../lib/core/mod.ts";
import type { DiscreteSource } from "../../../../lib/core/mechanism/discrete_source.ts";
import { replaceOne as relation } from "../../../../lib/core/relations/relation.ts";
import { KnownLaws } from "../../../../lib/judge/exact/enumeration/branching_source.ts";
import {
  checkExactly,
  type ExactReport,
} from "../../../../lib/judge/exact/enumeration/check_exactly.ts";
import {
  enumerateOutputs,
  type OutputLaw,
} from "../../../../lib/judge/exact/enumeration/enumerate_outputs.ts";
import { FactorProducts } from "../../../../lib/judge/exact/enumeration/factor_products.ts";
import { discreteSource } from "../../../../lib/core/random/discrete_source.ts";
import { requireThat } from "../../../../proofs/engine/requirement.ts";

/** For paths. */
export type Program = (row: number, source: DiscreteSource) => unknown;

interface Options {
  readonly epsilon: number;
  readonly delta?: number;
  readonly maxBranches?: number;
  readonly remainder?: number;
}

/** Runs a program on the rows 0 and 1. */
export const shipped = (
  program: Program,
  { epsilon, delta = 0, ...options }: Options,
): ExactReport =>
  checkExactly(
    { name: "it", run: ([row], source) => program(row as number, discreteSource(source)) },
    {
      claim: (delta === 0
        ? pure({ epsilon, relation })
        : approximate({ epsilon, delta, relation })) as ReturnType<typeof pure>,
      datasets: [[0], [1]],
      neighbours: [[0, 1]],
      ...options,
    },
  ).report;

/** For paths. */
export const respond = (epsilon: number): Program => (row, source) =>
  row ^ source.choice({ exponents: [0, epsilon] });

/** For paths. */
export const BITS = 256;

/** For paths. */
export function lawOf(
  run: (source: DiscreteSource) => unknown,
  { cut = 0, maxBranches = 100_000 }: { cut?: number; maxBranches?: number } = {},
): OutputLaw {
  const laws = new KnownLaws({ scale: 12n, bits: BITS, products: new FactorProducts() });
  return enumerateOutputs((source) => run(discreteSource(source)), {
    laws,
    cut: cut === 0 ? 0n : BigInt(Math.round(cut * 2 ** 40)) << BigInt(BITS - 40),
    maxBranches,
  });
}

/** For paths. */
export const chances = (law: OutputLaw): Record<string, number> =>
  Object.fromEntries(
    [...law.outputs].map(([key, { lower }]) => [key, Number(lower) / 2 ** BITS] as const)
      .sort(([a], [b]) => a < b ? -1 : 1),
  );

/** Whether bounds hold a number and are close. */
export function requireBounds(
  { lower, upper }: { readonly lower: number; readonly upper: number },
  stated: number,
  width: number,
): void {
  requireThat(
    lower <= stated * (1 + 1e-15) && stated <= upper * (1 + 1e-15) && upper - lower <= width,
    () => `[${lower}, ${upper}] for ${stated}`,
  );
}
