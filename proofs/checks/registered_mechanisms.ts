import { addRemoveOne } from "../../lib/core/relation.ts";
import type { mechanismNamed as named } from "../../lib/mechanisms/registry.ts";
import { mechanismNames } from "../../lib/mechanisms/registry.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";

type Named = typeof named;

/** A dataset, and what is released of it where noise is next to none. */
const ANSWERS: Readonly<Record<string, readonly [data: readonly unknown[], answer: unknown]>> = {
  "randomised-response": [[true, false], [true, false]],
  "k-ary-randomised-response": [["c"], ["c"]],
  "symmetric-unary-encoding": [["b"], [0, 1, 0, 0]],
  "laplace": [[0.25], 0.25],
  "vector-laplace": [[0.5], [0.5, -0.5]],
  "classical-gaussian": [[0.25], 0.25],
  "gaussian": [[0.75], 0.75],
  "vector-gaussian": [[[0.5, -0.25]], [0.5, -0.25]],
  "discrete-gaussian": [[4], [4]],
  "geometric": [[3], 3],
  "truncated-geometric": [[5], 5],
  "discrete-laplace": [[2], [2, 3]],
  "staircase": [[0.5], 0.5],
  "snapping": [[0.5], 0.5],
  "exponential": [[1, 2, 5, 0], 2],
  "base-2-exponential": [[1, 2, 5, 0], 2],
  "permute-and-flip": [[5, 2, 1, 0], 0],
  "noisy-max": [[1, 2, 3, 5], 3],
  "noisy-max-exponential": [[1, 5, 3, 0], 1],
  "noisy-max-gumbel": [[1, 2, 5, 0], 2],
  "sparse-vector": [[0, -5, 2, 5], [false, false, true]],
  "numeric-sparse-vector": [[0, -5, 5, 0], [null, null, 5]],
  "histogram": [["a", "d", "a"], [2, 0, 0, 1]],
  "contingency-table": [[{ smokes: false, sex: "m" }], [0, 0, 0, 1]],
  "tree-counts": [[1, 4, 4], [1, 1, 1, 3]],
  "count": [[true, false, true], 2],
  "sum": [[0.5, 1], 1.5],
  "mean": [[0.5, 1], 0.75],
  "mean-of-unknown-size": [[0.5, 1, 0, 1], 0.625],
  "quantile": [[0.125, 0.25, 1], 0.25],
  "float-laplace": [[0.25], 0.25],
  "float-gaussian": [[0.75], 0.75],
  "float-spherical-laplace": [[[0.5, -0.25]], [0.5, -0.25]],
};

/** Sizes and rows of the datasets that a mechanism takes. */
const DOMAINS:
  readonly (readonly [names: RegExp, rows: unknown, size: readonly [number, number]])[] = [
    [/^(two-coin-survey|randomised-response|count)$/, { type: "boolean" }, [1, 3]],
    [/(k-ary|unary)/, { type: "category", values: ["a", "b", "c", "d"] }, [1, 1]],
    [/^histogram$/, { type: "category", values: ["a", "b", "c", "d"] }, [0, 4]],
    [/^(rappor|keep-or-replace|mixed-noise|discrete-\w+|geometric|truncated-geometric)$/, {
      type: "integer",
      min: 0,
      max: 5,
    }, [1, 1]],
    [
      /^(laplace|vector-laplace|classical-gaussian|gaussian|staircase|snapping|float-laplace|float-gaussian)$/,
      { type: "number", min: 0, max: 1 },
      [1, 1],
    ],
    [/^(vector-gaussian|float-spherical-laplace)$/, {
      type: "vector",
      length: 2,
      of: { type: "number", min: -1, max: 1 },
      norm: 1,
    }, [1, 1]],
    [
      /(exponential|permute-and-flip|noisy-max|sparse-vector)/,
      { type: "integer", min: -5, max: 5 },
      [4, 4],
    ],
    [/^tree-counts$/, { type: "integer", min: 1, max: 4 }, [0, 4]],
    [/^(sum|mean|quantile)$/, { type: "number", min: 0, max: 1 }, [1, 4]],
    [/^contingency-table$/, {
      type: "record",
      fields: { smokes: { type: "boolean" }, sex: { type: "category", values: ["f", "m"] } },
    }, [0, 4]],
    [/^mean-of-unknown-size$/, { type: "number", min: 0, max: 1 }, [0, 4]],
  ];

/** ε of a claim at δ: its own, or what follows of ρ. */
function epsilonOf(claim: ReturnType<Named>["claim"], delta: number): number {
  if (claim.kind === "pure") return claim.epsilon;
  requireThat(claim.kind === "approximate" || claim.kind === "zcdp", "a claim of another kind");
  if (claim.kind === "approximate") {
    requireEqual(claim.delta, delta);
    return claim.epsilon;
  }
  return claim.rho + 2 * Math.sqrt(claim.rho * Math.log(1 / delta));
}

/** What is registered is what its name says: the claim that is asked for, its datasets, and its answers where noise is next to none. */
export function requireRegistered(mechanismNamed: Named): void {
  requireEqual(mechanismNames.length, 38, "names");
  for (const name of mechanismNames) {
    for (const [epsilon, delta] of [[0.3, 1e-3], [0.9, 1e-9], [4, 0.5]] as const) {
      if (epsilon >= 1 && name === "classical-gaussian") continue;
      const mechanism = mechanismNamed(name, { epsilon, delta });
      requireEqual(mechanism.name, name);
      const claimed = name === "two-coin-survey" ? Math.log(3) : epsilon;
      requireNear(epsilonOf(mechanism.claim, delta), claimed, {
        relative: 1e-12,
        what: `ε of ${name}`,
      });
      const { rows, size } = mechanism.domain;
      const [, stated, [min, max]] = DOMAINS.find(([names]) => names.test(name))!;
      requireEqual([size, sorted(rows)], [{ min, max }, sorted(stated)], `the datasets of ${name}`);
      requireEqual(mechanism.claim.relation === addRemoveOne, min === 0, `the relation of ${name}`);
    }
  }
  for (const [name, [data, answer]] of Object.entries(ANSWERS)) {
    // Steps of a 64th, and of 2^k scales for snapping.
    const epsilon = name === "classical-gaussian" ? 0.999 : 5000;
    const draws = name === "classical-gaussian" ? 4000 : 1, source = new SeededSource(1641);
    const mechanism = mechanismNamed(name, { epsilon, delta: 0.5 });
    const outputs = Array.from({ length: draws }, () => [mechanism.sample(data, source)].flat());
    [answer].flat().forEach((each, i) => {
      if (typeof each !== "number") {
        return requireEqual(outputs[0]![i], each, `an answer of ${name}`);
      }
      const mean = outputs.reduce((sum, output) => sum + Number(output[i]), 0) / draws;
      requireNear(mean, each, {
        absolute: 0.05 + (draws > 1 ? 0.1 : 0),
        what: `an answer of ${name}`,
      });
    });
    requireEqual(outputs[0]!.length, [answer].flat().length, `numbers of ${name}`);
  }
  // Chances that are told as doubles: rows are kept nearly always, moved by 1 at most, or as likely as the others.
  const law = (name: string, epsilon: number, row: unknown): Map<string, number> => {
    const mechanism = mechanismNamed(name, { epsilon }),
      source = new SeededSource(9),
      found = new Map<string, number>();
    for (let k = 0; k < 2000; k++) {
      const key = JSON.stringify(mechanism.sample([row], source));
      found.set(key, (found.get(key) ?? 0) + 1 / 2000);
    }
    return found;
  };
  requireNear(law("keep-or-replace", 2, 3).get("[3]")!, 1 / (1 + 5 * Math.exp(-2)), {
    absolute: 0.06,
  });
  const mixed = law("mixed-noise", 30, 3);
  requireEqual([...mixed.keys()].sort(), ["[2]", "[3]", "[4]"]);
  for (const share of mixed.values()) requireNear(share, 1 / 3, { absolute: 0.06 });
  requireEqual([...law("rappor", 60, 2).keys()].length, 1, "reports without noise");
  requireThat(
    JSON.stringify([...law("rappor", 60, 2).keys()]) !==
      JSON.stringify([...law("rappor", 60, 3).keys()]),
    "reports of different rows",
  );
  requireEqual(
    mechanismNamed("truncated-geometric", { epsilon: 1 }).distribution!([2]).map(({ output }) =>
      output
    ),
    [0, 1, 2, 3, 4, 5],
  );
  for (const [epsilon, most] of [[0.01, 1000], [0.05, 200], [1, 100], [20, 100]] as const) {
    const outputs = mechanismNamed("snapping", { epsilon }).distribution!([0]).map(({ output }) =>
      output
    );
    requireNear(outputs.at(-1) as number, most, { relative: 1e-12, what: "the bound of snapping" });
  }
  // One question above the threshold ends the answers.
  requireEqual(
    mechanismNamed("sparse-vector", { epsilon: 5000 }).sample([5, 5, 5, 5], new SeededSource(2)),
    [true],
  );
  for (const name of ["laplacian", "", "toString", "__proto__", "Laplace"]) {
    requireRefused(name, () => mechanismNamed(name, { epsilon: 1 }), "name must be one of");
  }
  for (const name of mechanismNames) {
    for (const epsilon of [0, -1, NaN, Infinity]) {
      requireRefused(
        `${name} with ε of ${epsilon}`,
        () => mechanismNamed(name, { epsilon, delta: 0.1 }),
        "epsilon",
      );
    }
    const needs = /gaussian/.test(name);
    if (needs) {
      requireRefused(
        `${name} without δ`,
        () => mechanismNamed(name, { epsilon: 0.5 }),
        "delta must be given",
      );
    } else mechanismNamed(name, { epsilon: 0.5 });
  }
}

/** The fields of a row by their names, so that their order says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value;
  return Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map((
    [key, each],
  ) => [key, sorted(each)]);
}
