import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { type Pair, pairOf } from "../../../lib/core/relations/relation.ts";
import { largestMechanismLoss } from "../../tools/mechanism_loss.ts";
import { mechanismNamed, mechanismNames } from "../../../lib/dp/mechanisms/registry.ts";
import { cornerPairs } from "./checks/corner_datasets.ts";
import { exactDelta, exactRenyi, type OnGrid } from "./checks/exact_loss.ts";
import { all, atMost, short } from "../../engine/outcome.ts";
import { type CheckOptions, type Outcome, theorem } from "../../engine/theorem.ts";

/** Mechanisms by name, and the ε they are made with as a multiple of the ε claimed. */
interface Shipped {
  readonly names: readonly string[];
  readonly strength: number;
}

/** The (ε, δ) claimed. */
const EPSILON = 0.5, DELTA = 1e-3;

/** Outputs drawn from either side of a pair, and the orders of Rényi divergences. */
const DRAWS = 15, ORDERS = [1.5, 2, 8];

/** Those whose worst case is not among small datasets have theorems of their own. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "two-coin-survey": "mechanisms/randomised_response",
  "sparse-vector": "mechanisms/shipped_sparse_vector",
  "numeric-sparse-vector": "mechanisms/shipped_sparse_vector",
};

/** All others: their laws are known exactly, in floating point as densities of real numbers. */
const exactlyKnown: readonly string[] = mechanismNames.filter((name) =>
  !Object.hasOwn(ELSEWHERE, name)
);

const made = (
  name: string,
  strength = 1,
): Mechanism & { domain: NonNullable<Mechanism["domain"]> } =>
  mechanismNamed(name, { epsilon: strength * EPSILON, delta: DELTA });

/** Where Gaussian mechanisms lose most: the whole of their sensitivity, along one coordinate. */
function farthest({ domain, claim: { relation } }: ReturnType<typeof made>): Pair {
  const { rows } = domain;
  const [left, right] = rows.type === "vector"
    ? [[1, 0], [-1, 0]]
    : rows.type === "number" || rows.type === "integer"
    ? [rows.min, rows.max]
    : [];
  return pairOf<unknown>(relation, { left: [left], right: [right] });
}

/** Neighbours that corners of the domain do not come near. */
const WORST: Readonly<Record<string, readonly { left: unknown[]; right: unknown[] }[]>> = {
  // Nearly all points gain a rank, and one loses one.
  "quantile": [{
    left: [0, 1 / 64, 1 / 64, 1 / 64],
    right: [1, 1 / 64, 1 / 64, 1 / 64],
  }],
};

/** The loss of a mechanism beside that of its claim: |ln P/Q|, δ at ε, or a Rényi divergence. */
function lossOf(name: string, { strength, seed }: CheckOptions & { readonly strength: number }): {
  readonly loss: number;
  readonly bound: number;
} {
  const mechanism = made(name, strength), { claim } = made(name);
  if (claim.kind === "approximate") {
    return { loss: exactDelta(mechanism, farthest(mechanism), claim.epsilon), bound: claim.delta };
  }
  if (claim.kind === "zcdp") {
    const losses = exactRenyi(mechanism as OnGrid, farthest(mechanism), ORDERS);
    return {
      loss: Math.max(...losses.map(({ order, loss }) => loss / order)),
      bound: claim.rho,
    };
  }
  const pairs = [
    ...cornerPairs(mechanism.domain, { relation: claim.relation, most: 40 }),
    ...(WORST[name] ?? []).map((sides) => pairOf<unknown>(claim.relation, sides)),
  ];
  // Neither the ε asked for nor the claim made of it may be exceeded.
  const own = mechanism.claim.kind === "pure" ? mechanism.claim.epsilon : 0;
  return {
    loss: largestMechanismLoss(mechanism, { pairs, draws: DRAWS, seed }).loss,
    bound: Math.min(EPSILON, own),
  };
}

/** The share of its claim that a mechanism must be seen to lose, where it is not LEAST: no noise is wasted. */
const LEAST = 0.965, WASTED: Readonly<Record<string, number>> = { "classical-gaussian": 0.003 };

/** Returns true if these mechanisms keep their claims, and use them up. */
function shippedOutcome({ names, strength }: Shipped, { seed }: CheckOptions): Outcome {
  const losses = names.map((name) => ({ name, ...lossOf(name, { strength, seed }) }));
  const share = ({ loss, bound }: { loss: number; bound: number }): number => loss / bound;
  const least = losses.reduce((a, b) => share(a) < share(b) ? a : b);
  return all(
    losses.flatMap(({ name, bound, loss }) => [
      atMost(bound, { value: loss, detail: name, witness: `${name} loses ${short(loss)}` }),
      atMost(loss, {
        value: (WASTED[name] ?? LEAST) * bound,
        detail: `${name}, a share`,
        witness: `${name} loses ${short(loss)} of ${short(bound)} only`,
      }),
    ]),
    `${losses.length} mechanisms; the least share of a claim that is lost is ${
      short(share(least))
    } (${least.name})`,
  );
}

/** The share of their ε's noise that is too little to be private, where 0.87 is not. */
const TOO_LITTLE: Readonly<Record<string, number>> = {
  // Its theorem wastes noise.
  "classical-gaussian": 0.6,
};

/** Every shipped mechanism against its own exact law. */
export const shippedMechanisms = theorem<Shipped>({
  id: "mechanisms/shipped_mechanisms",
  statement:
    "Every mechanism that dpcheck ships keeps its claim, pure, approximate or concentrated, on the " +
    `corners of its domain, and loses ${LEAST} of it there; those in floating point do in real numbers.`,
  citation: "each mechanism names its own theorem",
  source: "lib/dp/mechanisms/registry.ts",
  remember: () =>
    `${exactlyKnown.length} mechanisms lose at least ${LEAST} of their claims, but for one: classical Gaussian noise loses ${
      WASTED["classical-gaussian"]
    } of its δ.`,
  assumptions: [
    ...Object.entries(ELSEWHERE).map(([name, id]) => `${name}: see ${id}`),
    `classical-gaussian: its theorem wastes noise, and ${
      WASTED["classical-gaussian"]
    } of its δ is lost`,
  ],
  kind: "sampled",
  checked:
    `ε = ${EPSILON}, δ = ${DELTA}; pure claims: corner pairs of each domain, all outputs or ${
      2 * DRAWS
    } drawn ones a pair; δ and Rényi divergences of orders ${
      ORDERS.join(", ")
    }: the pair that is farthest apart, sums over all outputs`,
  subject: { names: exactlyKnown, strength: 1 },
  check: shippedOutcome,
  mutants: {
    ...Object.fromEntries(
      exactlyKnown.map((name) => {
        const noise = TOO_LITTLE[name] ?? 0.87;
        return [`${name}, noise at ${noise}`, { names: [name], strength: 1 / noise }];
      }),
    ),
    "gaussian, noise at 1.15": { names: ["gaussian"], strength: 1 / 1.15 },
  },
});
