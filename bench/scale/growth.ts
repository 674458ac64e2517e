/**
 * How an audit grows with the width of outputs, the rows of datasets, the number of categories and the number of datasets to search:
 * draws a second while a true claim of ε = 1 is audited, the largest memory of a process, and the draws until a program that loses
 * ε = 2 is refuted. Each size runs in a process of its own, under GNU time. Medians over seeds; seconds depend on the machine.
 *
 * Usage: `deno task bench growth [--axes WORDS] [--sizes 1,10,…] [--draws N] [--seeds N] [--from SEED]`
 */
import { audit } from "../../lib/judge/audit/audit.ts";
import { pure } from "../../lib/core/claims/claim.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { median } from "../median.ts";
import { AXES } from "./growing_subjects.ts";
import { option } from "../option.ts";
import { underTime } from "../audits/under_time.ts";

/** Measurements of one size. */
interface Growth {
  readonly drawsPerSecond: number;
  readonly bound: number;
  /** Draws until refuted, by seed; `null` where a budget ended first. */
  readonly refutedAfter: readonly (number | null)[];
}

const SIZES: Readonly<Record<string, readonly number[]>> = {
  "output width": [1, 3, 10, 30, 100, 300, 1000],
  "rows of a dataset": [10, 100, 1000, 10_000, 100_000, 1_000_000],
  "categories": [2, 10, 100, 1000, 10_000],
  "datasets to search": [2, 10, 100, 1000],
};
/** Numbers that all outputs of an audit have together, where they are wide. */
const MOST_NUMBERS = 2e7;
/** A program that loses twice its claim is given up after so many draws. */
const MOST_UNTIL_REFUTED = 1e6;

const draws = Number(option("draws") ?? "2000000");
const seeds = Number(option("seeds") ?? "5"), from = Number(option("from") ?? "2901");

async function measure(axis: string, size: number): Promise<Growth> {
  const run = async (epsilon: number, seed: number, maxDraws: number) => {
    const { subject, relation, ...datasets } = AXES[axis]!(size, epsilon, new SeededSource(seed));
    try {
      return await audit(subject, {
        ...datasets,
        claim: pure({ epsilon: 1, relation }),
        seed,
        maxDraws,
        effort: epsilon === 1 ? "thorough" : "quick",
        shrink: false,
      });
    } finally {
      await subject.close?.();
    }
  };
  const kept = axis === "output width" ? Math.min(draws, Math.floor(MOST_NUMBERS / size)) : draws;
  const { draws: drawn, seconds, epsilonLowerBound } = await run(1, from, kept);
  const refutedAfter: (number | null)[] = [];
  for (let seed = from; seed < from + seeds; seed++) {
    const report = await run(2, seed, MOST_UNTIL_REFUTED);
    refutedAfter.push(report.verdict === "refuted" ? report.draws : null);
  }
  return { drawsPerSecond: drawn / seconds, bound: epsilonLowerBound, refutedAfter };
}

/** Measures a size in a process of its own. @returns what it printed, and the MiB of the largest process. */
async function apart(axis: string, size: number): Promise<Growth & { mebibytes: number }> {
  const { stdout, mebibytes } = await underTime([
    ...["run", "--allow-read", "--allow-env", "--allow-run=python3"],
    ...[import.meta.filename!, ...Deno.args, "--row", `${axis}=${size}`],
  ]);
  return { ...JSON.parse(stdout) as Growth, mebibytes };
}

const [axis, size] = (option("row") ?? "").split("=");
if (axis !== "" && size !== undefined) {
  console.log(JSON.stringify(await measure(axis!, Number(size))));
} else {
  const asked = option("axes") ?? Object.keys(AXES).join(",");
  console.log("| what grows | size | draws a second | bound | MiB | draws until refuted | most |");
  console.log("| ---------- | ---: | -------------: | ----: | --: | ------------------: | ---: |");
  for (const axis of asked.split(",")) {
    const sizes = (option("sizes") ?? SIZES[axis]!.join(",")).split(",").map(Number);
    for (const size of sizes) {
      const { drawsPerSecond, bound, refutedAfter, mebibytes } = await apart(axis, size);
      const reached = refutedAfter.filter((count) => count !== null);
      const all = reached.length === refutedAfter.length;
      const after = all
        ? `${median(reached)}`
        : `${reached.length} of ${refutedAfter.length} refuted`;
      const rate = drawsPerSecond.toPrecision(3), most = all ? Math.max(...reached) : "";
      const cells = [
        axis,
        size,
        Number(rate),
        bound.toFixed(4),
        Math.round(mebibytes),
        after,
        most,
      ];
      console.log(`| ${cells.join(" | ")} |`);
    }
  }
}
