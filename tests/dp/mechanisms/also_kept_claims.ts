import { assert, assertEquals } from "@std/assert";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { replaceOne } from "../../../lib/core/relations/relation.ts";

export const ORDERS = [1.001, 1.01, 1.1, 1.5, 2, 3, 5, 10, 30, 100, 1000];
export const relation = replaceOne;

/** ρ of the zCDP claim beside the claim. */
export function rhoBeside(mechanism: Pick<Mechanism, "name" | "claim" | "alsoKeeps">): number {
  const claims = mechanism.alsoKeeps ?? [];
  assertEquals(claims.map(({ kind }) => kind), ["zcdp"], mechanism.name);
  const [claim] = claims;
  assert(claim?.kind === "zcdp" && claim.relation === mechanism.claim.relation);
  return claim.rho;
}

/** max over orders of D_a(P‖Q)/a from the logarithms of the probabilities: the least ρ, at these orders. */
export function rhoBetween(p: readonly number[], q: readonly number[]): number {
  return Math.max(...ORDERS.map((order) => {
    const logs = p.map((log, i) => order * log + (1 - order) * q[i]!);
    const most = logs.reduce((a, b) => Math.max(a, b));
    const sum = logs.reduce((total, log) => total + Math.exp(log - most), 0);
    return (most + Math.log(sum)) / ((order - 1) * order);
  }));
}

/** Rounding of the computation of ρ near order 1, where it is divided by 10⁻³. */
export const SLACK = 1e-10;

/** The least ρ between integer noise and the same noise moved. */
export function shiftedRho(
  noise: { logProbability(value: number): number },
  { shift, reach }: { shift: number; reach: number },
): number {
  const values = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
  return rhoBetween(
    values.map((value) => noise.logProbability(value)),
    values.map((value) => noise.logProbability(value - shift)),
  );
}
