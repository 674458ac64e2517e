import type { DiscreteLaw } from "../../lib/core/discrete_law.ts";
import { addRemoveOne, replaceOne } from "../../lib/core/relation.ts";
import { rangeQuery } from "../../lib/learners/queries/box_query.ts";
import { cellOf, finiteDomain } from "../../lib/learners/queries/finite_domain.ts";
import { type HistogramQuery, linearQuery } from "../../lib/learners/queries/linear_query.ts";
import { mwemMechanism, type sampleMwem } from "../../lib/learners/queries/mwem.ts";
import { toNumber } from "../../lib/numeric/rational.ts";
import type { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireThat } from "../engine/requirement.ts";
import { scriptedSource } from "./scripted_source.ts";

/** MWEM with its draws in hand: what is chosen, measured, and made of it. */
export function requireMwemRounds(sample: typeof sampleMwem, source: SeededSource): void {
  const below = (n: number): number => Math.floor(source.uniform() * n);
  const domain = finiteDomain({ shape: [2, 3, 2] });
  // A number of rows that noise takes beyond what is exact, or below one, is held there.
  for (
    const [noise, held] of [[2 ** 40, 2 ** 31], [-(2 ** 40), 1], [2 ** 31 - 3, 2 ** 31 - 1], [
      9,
      11,
    ]]
  ) {
    let drawn = 0;
    const { size } = sample(
      scriptedSource(({ kind }) =>
        kind === "exponential coin" ? 1 : kind === "discrete laplace" && drawn++ === 0 ? noise! : 0
      ),
      {
        domain,
        queries: [rangeQuery(domain, { 0: [0, 0] })],
        rounds: 1,
        epsilon: 1,
        relation: addRemoveOne,
        rows: [0, 1],
      },
    );
    requireEqual(size, held, "the number of rows");
  }
  for (let k = 0; k < 40; k++) {
    const linear = k % 3 === 0, unit = linear ? 2 ** -16 : 1;
    const queries: HistogramQuery[] = Array.from({ length: 3 }, (_, i) => {
      const ends = (values: number): [number, number] => {
        const from = below(values);
        return [from, from + below(values - from)];
      };
      return linear && i !== 1
        ? linearQuery(domain, () => below(5) / 4)
        : rangeQuery(domain, { 0: ends(2), 1: ends(3), 2: ends(2) });
    });
    const weightOf = (query: HistogramQuery, cell: number): number =>
      "weights" in query ? query.weights[cell]! : weightInBox(query, cell);
    const relation = k % 2 === 0 ? replaceOne : addRemoveOne,
      rounds = 1 + k % 4,
      epsilon = 0.5 + k % 3;
    const output = k % 4 < 2 ? "average" : "last", replays = k % 5 === 0 ? 2 : 0;
    const n = 4 + below(30), rows = Array.from({ length: n }, () => below(12));
    // The first proposal is turned down, the second is taken; noise of all sizes, and far beyond n.
    const parts = 2 * rounds + (relation === replaceOne ? 0 : 1), rate = epsilon / parts;
    const noises = Array.from(
      { length: rounds + 1 },
      () => (below(9) - 4) * (k % 7 === 6 ? 2000 : 1),
    );
    const proposals = Array.from({ length: 2 * rounds }, () => below(3));
    const exponents: number[] = [];
    let proposed = 0, coins = 0, drawn = 0;
    const scripted = scriptedSource((law: DiscreteLaw) => {
      if (law.kind === "uniform") return proposals[proposed++]!;
      if (law.kind === "exponential coin") {
        exponents.push(toNumber(law.exponent));
        return coins++ % 2;
      }
      requireThat(law.kind === "discrete laplace", "another draw");
      requireNear(toNumber(law.rate), rate * unit, {
        relative: 1e-12,
        what: "the rate of the noise",
      });
      return noises[drawn++]!;
    });
    const given = { domain, queries, rounds, epsilon, relation, output, replays } as const;
    const { size, histogram, measurements, claim } = sample(scripted, { ...given, rows });
    requireEqual([claim.epsilon, claim.relation === relation], [epsilon, true]);
    const counts = new Array<number>(12).fill(0);
    for (const row of rows) counts[row]!++;
    const answer = (of: readonly number[], query: HistogramQuery): number =>
      of.reduce((sum, mass, cell) => sum + mass * weightOf(query, cell), 0);
    let at = 0;
    const total = relation === replaceOne ? n : Math.max(1, n + noises[at++]! * unit);
    requireNear(size, total, { what: "the number of rows" });
    let current = new Array<number>(12).fill(total / 12);
    const sums = new Array<number>(12).fill(0);
    const measured: { query: number; value: number }[] = [];
    const update = ({ query, value }: { query: number; value: number }): void => {
      const step = (value - answer(current, queries[query]!)) / (2 * total);
      const held = Math.min(50, Math.max(-50, step));
      const raised = current.map((mass, cell) =>
        mass * Math.exp(held * weightOf(queries[query]!, cell))
      );
      const all = raised.reduce((a, b) => a + b);
      current = raised.map((mass) => mass * total / all);
    };
    for (let round = 0; round < rounds; round++) {
      current.forEach((mass, cell) => sums[cell]! += mass / rounds);
      const errors = queries.map((query) =>
        Math.abs(Math.round(answer(current, query) * 2 ** 20) - answer(counts, query) * 2 ** 20)
      );
      // Both proposals are kept with the chance that their errors give them.
      for (const half of [0, 1]) {
        const query = proposals[2 * round + half]!;
        requireNear(
          exponents[2 * round + half]!,
          (Math.max(...errors) - errors[query]!) * rate / 2 / 2 ** 20,
          { absolute: 3e-6, what: "the chance of a choice" },
        );
      }
      const query = proposals[2 * round + 1]!;
      const value = answer(counts, queries[query]!) + noises[at++]! * unit;
      measured.push({ query, value });
      update(measured.at(-1)!);
      for (let pass = 0; pass < replays; pass++) measured.forEach(update);
    }
    requireEqual(measurements.map(({ query }) => query), measured.map(({ query }) => query));
    measurements.forEach(({ value }, i) =>
      requireNear(value, measured[i]!.value, { absolute: 1e-9, what: "a measurement" })
    );
    (output === "last" ? current : sums).forEach((mass, cell) =>
      requireNear(histogram[cell]!, mass, {
        relative: 1e-6,
        absolute: 1e-9,
        what: `cell ${cell} of run ${k}`,
      })
    );
    // As a mechanism: queries with their values, the size, the cells.
    [proposed, coins, drawn] = [0, 0, 0];
    const mechanism = mwemMechanism({ ...given, sizes: { min: 1, max: 9 } });
    const flat = mechanism.sample(rows, scripted);
    requireEqual(flat, [
      ...measurements.flatMap(({ query, value }) => [query, value]),
      size,
      ...histogram,
    ]);
    requireEqual(mechanism.domain, {
      rows: { type: "integer", min: 0, max: 11 },
      size: { min: 1, max: 9 },
    });
  }

  function weightInBox(
    { lower, upper }: { lower: readonly number[]; upper: readonly number[] },
    cell: number,
  ): number {
    for (let a = lower[0]!; a <= upper[0]!; a++) {
      for (let b = lower[1]!; b <= upper[1]!; b++) {
        for (let c = lower[2]!; c <= upper[2]!; c++) {
          if (cellOf(domain, [a, b, c]) === cell) return 1;
        }
      }
    }
    return 0;
  }
}
