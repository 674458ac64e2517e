import type { Source } from "../../lib/core/source.ts";
import { randomisedResponse } from "../../lib/mechanisms/randomised_response.ts";
import { mechanismNamed, mechanismNames } from "../../lib/mechanisms/registry.ts";
import { badValues, FACTORIES } from "../checks/mechanism_factories.ts";
import { mechanismVariants } from "../checks/mechanism_variants.ts";
import { MECHANISM_EDGES } from "../checks/mechanism_edges.ts";
import { EDGES_OF_ROWS } from "../checks/mechanism_edges_of_rows.ts";
import { requireRefusals } from "../checks/refused_values.ts";
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
    case "text":
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
    "every option of 38 factories with up to twelve values that it must not have; data with a value that cannot be, for all mechanisms of the registry; the ends of all ranges, from both sides",
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
      "ends of options": () =>
        requireRefusals([...MECHANISM_EDGES, ...EDGES_OF_ROWS], (run, options) =>
          make(run as never, options)),
      "lists of answers": () => {
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
