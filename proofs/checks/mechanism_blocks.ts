import { mapMechanism } from "../../lib/accounting/map_mechanism.ts";
import type { Mechanism } from "../../lib/core/mechanism.ts";
import { replaceOne } from "../../lib/core/relation.ts";
import { discreteGaussianDelta } from "../../lib/mechanisms/discrete_gaussian_delta.ts";
import { exponentialMechanism } from "../../lib/mechanisms/exponential_mechanism.ts";
import type { paddedBlocks } from "../../lib/mechanisms/padded_blocks.ts";
import type { GridMechanism } from "../../lib/mechanisms/grid_mechanism.ts";
import { kAryRandomisedResponse } from "../../lib/mechanisms/randomised_response.ts";
import { mechanismNamed, mechanismNames } from "../../lib/mechanisms/registry.ts";
import { rappor } from "../../lib/mechanisms/rappor.ts";
import { unaryEncoding } from "../../lib/mechanisms/unary_encoding.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { requireEqual, requireNear, requireRefused, requireThat } from "../engine/requirement.ts";
import { FACTORIES } from "./mechanism_factories.ts";
import { mechanismVariants } from "./mechanism_variants.ts";

/** Mechanisms of the registry that are drawn one by one alone: their outputs are texts, or NaN would stand for something. */
const ONE_BY_ONE = ["k-ary-randomised-response", "numeric-sparse-vector"];

/** What each factory calls its mechanism. */
const NAMES = [
  "laplace",
  "vector laplace",
  "staircase",
  "classical gaussian",
  "analytic gaussian",
  "vector gaussian",
  "integer gaussian",
  "geometric",
  "integer laplace",
  "truncated geometric",
  "snapping",
  "float laplace",
  "float gaussian",
  "spherical laplace (floating point)",
  "exponential mechanism",
  "permute and flip",
  "base-2 exponential mechanism",
  "report noisy max (laplace)",
  "report noisy max (exponential)",
  "report noisy max (gumbel)",
  "above threshold",
  "numeric sparse vector",
  "noisy histogram",
  "contingency table",
  "tree counts",
  "gaussian tree counts",
  "count",
  "bounded sum",
  "bounded mean",
  "quantile",
  "randomised response",
  "k-ary randomised response",
  "optimised unary encoding",
  "one-time RAPPOR",
  "additive noise",
  "wrapped noise",
  "keep or replace",
  "mixed noise",
];

/** Those of them that state another claim beside their own. */
const KEEP_MORE = [
  "classical gaussian",
  "analytic gaussian",
  "float gaussian",
  "exponential mechanism",
  "base-2 exponential mechanism",
  "report noisy max (gumbel)",
  "tree counts",
  "quantile",
];

/** What a mechanism has is there: no field is undefined, and blocks come with their width, or not at all. */
export function requireFields(): void {
  const whole = (name: string, mechanism: object): void => {
    for (const [field, value] of Object.entries(mechanism)) {
      requireThat(value !== undefined, `${name} has a field ${field} with nothing in it`);
    }
    const { width } = mechanism as { width?: unknown };
    requireEqual("sampleMany" in mechanism, width !== undefined, `blocks of ${name}`);
    requireThat(width === undefined || Number.isInteger(width), `a width of ${width}`);
    if (!("claim" in mechanism)) return;
    const mapped = mapMechanism(mechanism as Mechanism, { name, transform: String });
    requireThat(
      Object.values(mapped).every((value) => value !== undefined) && !("width" in mapped),
      `${name}, mapped, has a field with nothing in it`,
    );
  };
  for (const name of mechanismNames) {
    const mechanism = mechanismNamed(name, { epsilon: 0.5, delta: 1e-3 });
    whole(name, mechanism);
    requireEqual("sampleMany" in mechanism, !ONE_BY_ONE.includes(name), `blocks of ${name}`);
  }
  for (const { name, make } of mechanismVariants) whole(name, make(0.5));
  for (const [make, options] of FACTORIES) whole(make.name, make(options as never) as object);
  requireEqual(
    FACTORIES.map(([make, options]) => (make(options as never) as { name: string }).name),
    NAMES,
    "names of mechanisms",
  );
  // Nothing else keeps more than it claims; a mean whose number of rows is public has one part, not two.
  requireEqual(
    FACTORIES.flatMap(([make, options]) => {
      const { name, alsoKeeps } = make(options as never) as Mechanism;
      return alsoKeeps === undefined ? [] : [name];
    }),
    KEEP_MORE,
    "mechanisms that keep more than they claim",
  );
  requireEqual(
    rappor({ bits: 8, hashes: 1, forget: 0.5, instantaneous: { one: 0.75, zero: 0.25 } }).name,
    "RAPPOR",
  );
  const domain = { rows: { type: "integer", min: 0, max: 9 }, size: { min: 1, max: 2 } };
  for (const [make, options] of FACTORIES) {
    const made = make({ ...options, domain } as never) as object;
    whole(`${make.name} with a domain`, made);
    requireThat(!("domain" in made) || made.domain === domain, `the domain of ${make.name}`);
  }
  // Scales are told as they are: the sensitivity over ε, in steps.
  for (const [make, options] of FACTORIES) {
    const { name, grid } = make(options as never) as Partial<GridMechanism<never, never>>;
    const { epsilon } = options as { epsilon?: number };
    if (grid === undefined || epsilon === undefined || name!.includes("gaussian")) continue;
    requireNear(grid.scaleInSteps, grid.sensitivityInSteps / epsilon, {
      what: `the scale of ${name}`,
    });
  }
  for (
    const [categories, width] of [[[true, false], 2], [[1, 2, 3], 2], [["a", "b"], undefined], [
      [1, true],
      undefined,
    ], [[1, Infinity], undefined]] as const
  ) {
    const response = kAryRandomisedResponse({ epsilon: 1, categories, domain } as never);
    requireEqual(response.width, width, `blocks of ${categories}`);
  }
  // Candidates that are no numbers cannot come in blocks, also where some are.
  for (const candidates of [["a", "b"], ["a", 1], [1, "b"], [[1], [2]]]) {
    const choice = exponentialMechanism<number, unknown>({
      candidates,
      utilities: (rows) => rows,
      epsilon: 1,
      sensitivity: 1,
      monotone: false,
      relation: replaceOne,
    });
    whole("a choice among texts", choice);
    requireEqual("sampleMany" in choice, false, "blocks of texts");
  }
}

/** Blocks are as wide as the longest output, up to 64, and what an output lacks is NaN. */
export function requirePadding(blocks: typeof paddedBlocks): void {
  const ones = (most: number | undefined) =>
    blocks<number>({
      name: "ones",
      most,
      prepare: ({ length }) => ({
        length,
        fill(rows, { width }): void {
          for (let i = 0; i < rows.length; i += width) rows.fill(1, i, i + length);
        },
      }),
    });
  for (const most of [undefined, 0, -1, 1.5, 65, Infinity, NaN]) {
    requireEqual(Object.keys(ones(most)), [], `blocks of ${most}`);
  }
  for (const most of [1, 2, 64]) {
    const { width, sampleMany } = ones(most), source = new SeededSource(1);
    requireEqual(width, most, "a width");
    for (const length of [0, 1, most]) {
      const row = Array.from({ length: most }, (_, i) => i < length ? 1 : NaN);
      requireEqual(sampleMany!(Array(length).fill(0), 2, source), [...row, ...row], "a block");
    }
    requireRefused(
      "an output that is longer",
      () => sampleMany!(Array(most + 1).fill(0), 2, source),
      `at most ${most} parts`,
    );
  }
}

/** Answers row by row to fewer rows than a block has room for. */
export function requireRowBlocks(): void {
  for (const name of ["randomised-response", "two-coin-survey"]) {
    const mechanism = mechanismNamed(name, { epsilon: 1 });
    for (let length = 1; length <= 3; length++) {
      const block = mechanism.sampleMany!(Array(length).fill(true), 9, new SeededSource(length));
      requireEqual(
        [...block].map((value) => value === 0 || value === 1),
        Array.from({ length: 27 }, (_, i) => i % 3 < length),
        `answers of ${length} rows in blocks of three`,
      );
    }
  }
}

/** Each bit of a report has the chance of its category, and of none other. */
export function requireReports(): void {
  const categories = ["a", "b", "c"];
  for (const variant of ["symmetric", "optimised"] as const) {
    const report = unaryEncoding({ epsilon: 2, categories, variant });
    const rate = variant === "symmetric" ? 1 : 2, lie = 1 / (1 + Math.exp(rate));
    for (let at = 0; at < 3; at++) {
      for (let bits = 0; bits < 8; bits++) {
        const said = [0, 1, 2].map((i) => bits >> i & 1);
        const stated = said.reduce((log, bit, i) => {
          const one = i !== at ? lie : variant === "symmetric" ? 1 - lie : 0.5;
          return log + Math.log(bit === 1 ? one : 1 - one);
        }, 0);
        const found = report.logDensity!(said, [categories[at]!]);
        requireThat(
          Math.abs(found - stated) <= 1e-12,
          `ln P(${said}) of ${categories[at]} is ${found}`,
        );
      }
    }
    requireEqual(
      [
        report.logDensity!([1, 0], ["a"]),
        report.logDensity!([1, 0, 0, 0], ["a"]),
        report.logDensity!([1, 0, 2], ["a"]),
      ],
      [-Infinity, -Infinity, -Infinity],
      "reports that cannot be",
    );
  }
}

/** δ of noise that is far wider, or far narrower, than what it hides. */
export function requireLeastDelta(): void {
  for (const [deviation, shift, epsilon] of [[1, 1, 60], [0.5, 1, 100], [1e-3, 1, 1e6]] as const) {
    const delta = discreteGaussianDelta({ deviation, shift, epsilon });
    requireThat(delta > 0 && delta < 1e-290, `a δ of ${delta} that underflows`);
  }
}
