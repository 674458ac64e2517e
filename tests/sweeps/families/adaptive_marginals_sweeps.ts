import fc from "fast-check";
import { openBudget } from "../../../lib/dp/accounting/budget/budget.ts";
import type { Claim } from "../../../lib/core/claims/claim.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { concentratedLoss, LEAST_LOG } from "../../../lib/judge/recording/two_laws.ts";
import {
  adaptiveMarginals,
  type AdaptiveMarginalsOptions,
  type MarginalsCost,
  type SyntheticRows,
} from "../../../lib/dp/learners/synthetic/adaptive_marginals.ts";
import {
  adaptiveRounds,
  type CodedRow,
} from "../../../lib/dp/learners/synthetic/adaptive_rounds.ts";
import type { GridMechanism } from "../../../lib/dp/mechanisms/grid_mechanism.ts";
import type { Sides } from "../../../proofs/tools/density_ratio.ts";
import {
  below,
  epsilons,
  NOT_A_COUNT,
  NOT_OF_ROWS,
  NOT_POSITIVE,
  relationOf,
  rhos,
  rowRelations,
} from "../draws.ts";
import { neighbours } from "../neighbours.ts";
import { ScriptedSource } from "../scripted_source.ts";
import { epsilonOf } from "../shares.ts";
import { type Case, type Sweep, sweep } from "../sweep.ts";

/** What the mechanism is told, in plain values. */
type Marginals = MarginalsCost & {
  readonly relation: "replace-one" | "add-remove-one";
  readonly shape: readonly number[];
  readonly drawn: number;
  readonly mostCells: number;
};

type Pair = Sides<readonly CodedRow[]>;

function optionsOf({ relation, ...options }: Marginals): AdaptiveMarginalsOptions {
  return { ...options, relation: relationOf(relation) };
}

/** What a pair loses by a noisy marginal: by its values without noise and the scale of the noise. */
function measurementLoss(
  mechanism: GridMechanism<CodedRow, number[]>,
  { left, right }: Pair,
): number {
  const one = mechanism.sample(left, new ScriptedSource());
  const other = mechanism.sample(right, new ScriptedSource());
  const moves = one.map((value, i) => Math.abs(value - other[i]!));
  const { scaleInSteps } = mechanism.grid;
  return mechanism.claim.kind === "pure"
    ? moves.reduce((sum, move) => sum + move, 0) / scaleInSteps
    : moves.reduce((sum, move) => sum + move ** 2, 0) / (2 * scaleInSteps ** 2);
}

/** What a pair loses by a choice: by its chances, of which the logarithms' differences must not range over more than its ε. */
function choiceLoss(
  { distribution, claim }: Mechanism<CodedRow, unknown>,
  { left, right }: Pair,
  kind: Claim["kind"],
): number {
  const [one, other] = [left, right].map((data) =>
    distribution!(data).map(({ probability }) => Math.log(probability))
  ) as [number[], number[]];
  const ratios = one.flatMap((log, i) =>
    Math.min(log, other[i]!) < LEAST_LOG ? [] : log - other[i]!
  );
  const range = Math.max(...ratios) - Math.min(...ratios);
  if (range > epsilonOf(claim) * (1 + 1e-6) + 1e-14) return Infinity;
  if (kind === "zcdp") {
    return Math.max(
      concentratedLoss({ left: one, right: other }),
      concentratedLoss({ left: other, right: one }),
    );
  }
  return one.reduce((most, log, i) => {
    if (Math.max(log, other[i]!) < LEAST_LOG || log === other[i]) return most;
    return Math.max(most, Math.abs(log - other[i]!));
  }, 0);
}

/** The losses of everything that is drawn on the way to one output of the left side, over what may be lost. */
function share(
  { options, mechanism, source, ...pair }: Case<Marginals, CodedRow, SyntheticRows>,
): number {
  const whole = mechanism.claim, draws = source.split("rounds");
  if (whole.kind !== "zcdp" && whole.kind !== "pure") {
    throw new Error("another claim was asked for");
  }
  const total = whole.kind === "pure" ? whole.epsilon : whole.rho;
  const { relation, ...told } = optionsOf(options);
  let lost = 0;
  const watched = (one: Mechanism<CodedRow>): void => {
    lost += "grid" in one
      ? measurementLoss(one as GridMechanism<CodedRow, number[]>, pair)
      : choiceLoss(one, pair, whole.kind);
  };
  const budget = openBudget(whole);
  const { measured } = adaptiveRounds((one) => {
    budget.spend(one.claim, one.alsoKeeps);
    watched(one);
    return one.sample(pair.left, draws);
  }, {
    ...told,
    relation,
    whole,
    left: () => budget.remaining,
    mostCells: options.mostCells,
  });
  // The mechanism itself makes the same rounds, of the same words.
  const released = mechanism.sample(pair.left, source.split("rounds"));
  const seen = JSON.stringify(released.measured) === JSON.stringify(measured);
  return seen ? lost / total : Infinity;
}

const shapes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });
const shared = {
  relation: rowRelations,
  shape: shapes,
  drawn: fc.nat(5),
  mostCells: fc.constantFrom(4, 6, 64),
};

function marginalsSweep(
  { name, cost, badOptions }: {
    readonly name: string;
    readonly cost: fc.Arbitrary<MarginalsCost>;
    readonly badOptions: { readonly [Key in keyof Marginals]?: readonly unknown[] };
  },
): Sweep {
  return sweep<Marginals, CodedRow, SyntheticRows>({
    name,
    covers: ["adaptiveMarginals", "adaptiveRounds"],
    options: fc.tuple(fc.record(shared), cost).map(([one, other]) => ({ ...one, ...other })),
    make: (options) => adaptiveMarginals(optionsOf(options)),
    pair: ({ relation, shape }, source) =>
      neighbours<CodedRow>(source, {
        relation,
        rows: {
          row: (random: Source) => shape.map((values) => random.uint32() % values),
          opposite: (random, row) =>
            row.map((code, i) =>
              (code + 1 + below(random, Math.max(1, shape[i]! - 1))) % shape[i]!
            ),
          size: { min: relation === "replace-one" ? 1 : 0, max: 20 },
        },
      }),
    share,
    // Deviations are rounded up by a part in 10¹², and parts are kept below what is left.
    tolerance: 1e-9,
    attained: 0.89,
    cases: 20,
    shape: ({ rows, rowCount, measured }, { options: { shape, drawn } }) =>
      rows.length === drawn && rowCount >= 1 && measured.length > shape.length &&
      rows.every((row) => row.every((code, i) => code >= 0 && code < shape[i]!)),
    badOptions: {
      ...badOptions,
      relation: NOT_OF_ROWS,
      shape: [[], [0], [1.5], [2 ** 20]],
      drawn: [-1, 0.5, NaN, 2 ** 25],
      mostCells: NOT_A_COUNT.filter((count) => count !== undefined),
    },
    badData: ({ shape }) => [[[]], [shape.map(() => -1)], [shape], [shape.map(() => 0.5)]],
  });
}

/** Synthetic rows by measured marginals. */
export const adaptiveMarginalsSweeps: readonly Sweep[] = [
  marginalsSweep({
    name: "adaptiveMarginals() with Gaussian noise",
    cost: rhos.map((rho) => ({ rho })),
    badOptions: { rho: [...NOT_POSITIVE, 1e-30, 1e11] },
  }),
  marginalsSweep({
    name: "adaptiveMarginals() with Laplace noise",
    cost: epsilons.map((epsilon) => ({ epsilon })),
    badOptions: { epsilon: [...NOT_POSITIVE, 1e-30, 1e11] },
  }),
];
