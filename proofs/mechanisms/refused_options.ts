import { replaceOne } from "../../lib/core/relation.ts";
import type { Source } from "../../lib/core/source.ts";
import { marginal } from "../../lib/mechanisms/contingency_table.ts";
import {
  keepOrReplace,
  mixedNoise,
  perturbedDatabase,
  wrappedNoise,
} from "../../lib/mechanisms/input_perturbation.ts";
import { quantile } from "../../lib/mechanisms/quantile.ts";
import {
  estimateProportion,
  kAryRandomisedResponse,
  randomisedResponse,
} from "../../lib/mechanisms/randomised_response.ts";
import { bloomFilter, rappor } from "../../lib/mechanisms/rappor.ts";
import { mechanismNamed, mechanismNames } from "../../lib/mechanisms/registry.ts";
import { aboveThreshold } from "../../lib/mechanisms/sparse_vector.ts";
import { snapping } from "../../lib/mechanisms/snapping.ts";
import { badValues, FACTORIES } from "../checks/mechanism_factories.ts";
import { mechanismVariants } from "../checks/mechanism_variants.ts";
import { casesOf, requireRefused, requireThat } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

/** Hands options on to a factory, or something in their place. */
type Making = (factory: (options: unknown) => unknown, options: Record<string, unknown>) => unknown;

const shipped: Making = (factory, options) => factory(options);

/** A source that nobody may use. */
const untouchable: Source = {
  kind: "seeded",
  uint32: used,
  uniform: used,
  fillUint32: used,
  split: used,
};

function used(): never {
  throw new Error("randomness was used");
}

/** Data of the right shape with one value that cannot be, by the type of rows. */
function badData(name: string): readonly (readonly unknown[])[] {
  const { domain: { rows, size } } = mechanismNamed(name, { epsilon: 0.5, delta: 1e-3 });
  const list = (bad: unknown): unknown[] => Array<unknown>(size.max).fill(bad);
  switch (rows.type) {
    case "number":
    case "integer":
      // These take any value: what is no time step counts nowhere.
      if (name === "rappor" || name === "tree-counts") return [];
      return [NaN, Infinity, "secret", undefined].map(list);
    case "vector":
      return [list([NaN, 0]), list([1])];
    case "boolean":
      // A count takes any row that its predicate takes.
      return name === "count" ? [] : [list("secret")];
    case "category":
      return name === "histogram" ? [] : [list("secret")];
    case "record":
      return [];
  }
}

/** What no proof covers is refused. */
export const refusedOptions = theorem<Making>({
  id: "mechanisms/refused_options",
  statement:
    "Shipped mechanisms refuse options for which their theorem says nothing (ε, δ, sensitivity, grid, bounds, sizes out of range or no numbers), and " +
    "data that cannot be released, before randomness is used.",
  citation: "each mechanism names its own theorem",
  source: "lib/mechanisms",
  kind: "exhaustive",
  checked:
    "every option of 38 factories with up to twelve values that it must not have; data with a value that cannot be, for all mechanisms of the registry; edges of grids and sizes",
  subject: shipped,
  check: (make) =>
    casesOf({
      "options out of range": () => {
        for (const [factory, options] of FACTORIES) {
          const of = factory as (options: unknown) => unknown;
          make(of, options);
          for (const [option, good] of Object.entries(options)) {
            if (typeof good === "function" || typeof good === "boolean" || option === "relation") {
              continue;
            }
            const asText = typeof good === "number" ? [String(good)] : [];
            for (const bad of [...badValues(option), ...asText]) {
              requireRefused(
                `${factory.name}: ${option} of ${JSON.stringify(bad)}`,
                () => make(of, { ...options, [option]: bad }),
                option,
              );
            }
          }
        }
      },
      "edges of options": () => {
        const bounds = { lower: 0, upper: 1 };
        const ofQuantile = {
          level: 0.5,
          bounds,
          granularity: 2 ** -3,
          epsilon: 1,
          relation: replaceOne,
        };
        const cases: readonly (readonly [string, (options: never) => unknown, object, boolean])[] =
          [
            ["2^50 steps", quantile, { ...ofQuantile, granularity: 2 ** -50 }, false],
            ["fewer than 2^50 steps", quantile, { ...ofQuantile, granularity: 2 ** -49 }, true],
            ["a level of 1", quantile, { ...ofQuantile, level: 1 }, true],
            ["no relation of rows", quantile, {
              ...ofQuantile,
              relation: mechanismNamed("exponential", { epsilon: 1 }).claim.relation,
            }, false],
            ["equal bounds", quantile, { ...ofQuantile, bounds: { lower: 1, upper: 1 } }, false],
            ["2^20 bits", rappor, { bits: 2 ** 20, hashes: 1, forget: 0.5 }, true],
            ["more bits", rappor, { bits: 2 ** 20 + 1, hashes: 1, forget: 0.5 }, false],
            ["more hashes than bits", rappor, { bits: 4, hashes: 5, forget: 0.5 }, false],
            ["a chance of 1", rappor, { bits: 4, hashes: 1, forget: 1 }, false],
            ["chances in the wrong order", rappor, {
              bits: 4,
              hashes: 1,
              forget: 0.5,
              instantaneous: { one: 0.5, zero: 0.5 },
            }, false],
            ["a chance of an instantaneous bit of 1", rappor, {
              bits: 4,
              hashes: 1,
              forget: 0.5,
              instantaneous: { one: 1, zero: 0.5 },
            }, false],
            ["a reach of half the size", wrappedNoise, { size: 5, reach: 2 }, true],
            ["a reach beyond", wrappedNoise, { size: 5, reach: 3 }, false],
            ["one entry", keepOrReplace, { size: 1, keep: 0.5 }, false],
            ["two entries", keepOrReplace, { size: 2, keep: 0.5 }, true],
            ["a bound below the scale", snapping, {
              query: ([row]: number[]) => row,
              epsilon: 1,
              sensitivity: 1,
              bound: 0.5,
              relation: replaceOne,
            }, false],
            ["a bound of more than 2^46 scales", snapping, {
              query: ([row]: number[]) => row,
              epsilon: 1,
              sensitivity: 1,
              bound: 2 ** 47,
              relation: replaceOne,
            }, false],
            ["equal categories", kAryRandomisedResponse, { epsilon: 1, categories: [1, 1] }, false],
            ["one category", kAryRandomisedResponse, { epsilon: 1, categories: [1] }, false],
          ];
        for (const [name, factory, options, taken] of cases) {
          const of = factory as (options: unknown) => unknown;
          if (taken) make(of, options as Record<string, unknown>);
          else requireRefused(name, () => make(of, options as Record<string, unknown>), "Cannot");
        }
        aboveThreshold({
          answers: (rows: readonly number[]) => rows,
          epsilon: 1,
          sensitivity: 1,
          threshold: 0,
          granularity: 1,
          count: 1,
          mostAnswers: 1,
          relation: mechanismNamed("exponential", { epsilon: 1 }).claim.relation,
        });
        requireRefused(
          "noise that leaves outputs without a chance",
          () => perturbedDatabase(wrappedNoise({ size: 9, reach: 1 })),
        );
        requireRefused(
          "noise that says nothing",
          () => perturbedDatabase(keepOrReplace({ size: 4, keep: 0.25 })),
        );
        requireRefused(
          "a survey of nobody",
          () => estimateProportion([], { truthProbability: 0.75 }),
        );
        for (const truthProbability of [0.5, 1.01, NaN]) {
          requireRefused(
            "a share of truth",
            () => estimateProportion([true], { truthProbability }),
          );
        }
        estimateProportion([true], { truthProbability: 1 });
        const attributes = { a: [1, 2], b: [1, 2, 3] };
        requireRefused("too few cells", () => marginal([1, 2, 3], { attributes, keep: ["a"] }));
        requireRefused(
          "another attribute",
          () => marginal([1, 2, 3, 4, 5, 6], { attributes, keep: ["c"] }),
        );
        requireRefused("more cells than 2^20", () =>
          make(FACTORIES.find(([{ name }]) => name === "contingencyTable")![0] as never, {
            attributes: { a: Array(1024).fill(0), b: Array(1025).fill(0) },
            epsilon: 1,
            relation: replaceOne,
          }));
        for (const size of [13, 30]) {
          requireRefused(
            "more lists than 2^12",
            () =>
              randomisedResponse({ epsilon: 1 }).distribution!(Array(size).fill(true)),
            "Cannot enumerate",
          );
        }
        requireThat(
          randomisedResponse({ epsilon: 1 }).distribution!(Array(12).fill(true)).length === 4096,
          "2^12 lists",
        );
        requireThat(bloomFilter("a", { bits: 5, hashes: 2 }).length === 5, "a filter's length");
        mixedNoise({ size: 4, reach: 1, keep: 0.5 });
      },
      "names and claims of the registry": () => {
        for (const name of ["laplac", "", "toString", "constructor"]) {
          requireRefused(name, () => mechanismNamed(name, { epsilon: 1 }), "name must be one of");
        }
        requireRefused("δ left out", () =>
          mechanismNamed("gaussian", { epsilon: 1 }), "delta must be given");
        for (const name of mechanismNames) {
          if (name === "two-coin-survey") {
            continue;
          }
          for (const epsilon of [0, -1, NaN, Infinity]) {
            requireRefused(
              `${name} at ${epsilon}`,
              () =>
                mechanismNamed(name, { epsilon, delta: 1e-3 }),
            );
          }
        }
      },
      "data that cannot be released": () => {
        for (const name of mechanismNames) {
          const mechanism = mechanismNamed(name, { epsilon: 0.5, delta: 1e-3 });
          for (const data of badData(name)) {
            const words = "Cannot release";
            requireRefused(`${name}: data`, () =>
              mechanism.sample(data, untouchable), words);
            requireRefused(`${name}: checked data`, () =>
              mechanism.check!(data), words);
            const { sampleMany } = mechanism;
            if (sampleMany === undefined) continue;
            requireRefused(
              `${name}: blocks`,
              () => mechanism.sampleMany!(data, 3, untouchable),
              words,
            );
          }
        }
        for (const { name, make: of, pairs } of mechanismVariants) {
          const mechanism = of(1);
          const bad = pairs[0]!.left.length === 1 ? [[], [1, 2]] : [["secret"]];
          if (!/exponential|permute|noisy max|response|encoding|RAPPOR/.test(name)) continue;
          for (const data of bad) {
            if (name.includes("k-ary") && data.length !== 1) continue;
            requireRefused(
              `${name}: rows`,
              () => mechanism.sample(data as never, untouchable),
              "Cannot release",
            );
          }
        }
      },
    }),
  mutants: {
    "ε below 0 is made positive": (factory, options) =>
      factory(
        typeof options["epsilon"] === "number"
          ? { ...options, epsilon: Math.abs(options["epsilon"]) }
          : options,
      ),
    "whole numbers are made of fractions": (factory, options) =>
      factory(
        Object.fromEntries(
          Object.entries(options).map(([name, value]) => [name, value === 1.5 ? 1 : value]),
        ),
      ),
    "bounds are put in order": (factory, options) => {
      const { bounds } = options as { bounds?: { lower: number; upper: number } };
      return factory(
        bounds !== undefined && bounds.lower > bounds.upper
          ? { ...options, bounds: { lower: bounds.upper, upper: bounds.lower } }
          : options,
      );
    },
  },
});
