/**
 * Bounds on ε from both sides, beside those of Google's dp_accounting on the same compositions, machine and run, each with one thread. A copy of it lies wherever its
 * path says; nothing of it is here.
 *
 * Usage: `deno task bench accounting-peers --dp-accounting PATH/python/dp_accounting [--python python3]`
 */
// deno-lint-ignore no-external-import -- processor time has no other source
import process from "node:process";
import {
  gaussianLoss,
  laplaceLoss,
} from "../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import { epsilonBounds } from "../../lib/dp/accounting/loss_distribution/privacy_loss_distribution.ts";
import { poissonSubsampledLoss } from "../../lib/dp/accounting/sampling/subsampled_loss.ts";
import { option } from "../option.ts";

/** Releases of one kind, for a sensitivity of 1. */
interface Case {
  readonly noise: "gaussian" | "laplace";
  /** σ, or the scale of Laplace noise. */
  readonly scale: number;
  readonly rate: number;
  readonly count: number;
  readonly delta: number;
}

interface Found {
  readonly lower: number;
  readonly upper: number;
  readonly cpuSeconds: number;
}

const CASES: readonly Case[] = [
  { noise: "gaussian", scale: 1, rate: 0.01, count: 1000, delta: 1e-5 },
  { noise: "gaussian", scale: 0.8, rate: 0.02, count: 5000, delta: 1e-5 },
  { noise: "gaussian", scale: 1, rate: 1e-4, count: 1_000_000, delta: 1e-6 },
  { noise: "gaussian", scale: 100, rate: 1, count: 10_000, delta: 1e-6 },
  { noise: "gaussian", scale: 1000, rate: 1, count: 1_000_000, delta: 1e-6 },
  { noise: "laplace", scale: 10, rate: 1, count: 100, delta: 1e-6 },
  { noise: "laplace", scale: 100, rate: 1, count: 10_000, delta: 1e-6 },
  { noise: "laplace", scale: 1, rate: 0.01, count: 1000, delta: 1e-6 },
];

const path = option("dp-accounting"), python = option("python") ?? "python3";
if (path === undefined) {
  console.error(
    "--dp-accounting must be the folder python/dp_accounting of a copy of google/differential-privacy",
  );
  Deno.exit(2);
}

function ours({ noise, scale, rate, count, delta }: Case): Found {
  const begun = process.cpuUsage();
  const own = noise === "gaussian"
    ? gaussianLoss({ mu: 1 / scale })
    : laplaceLoss({ epsilon: 1 / scale });
  const bounds = epsilonBounds([{ loss: poissonSubsampledLoss(own, { rate }), count }], { delta });
  const { user, system } = process.cpuUsage(begun);
  return { ...bounds, cpuSeconds: (user + system) / 1e6 };
}

async function theirs(each: Case): Promise<Found | undefined> {
  const script = new URL("run_dp_accounting.py", import.meta.url).pathname;
  const { success, stdout, stderr } = await new Deno.Command("timeout", {
    args: ["300", python, script, path!, JSON.stringify([each])],
    env: { OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" },
  }).output();
  if (success) return JSON.parse(new TextDecoder().decode(stdout));
  console.error(new TextDecoder().decode(stderr).trim().split("\n").at(-1));
  return undefined;
}

function line(each: Case, tool: string, found: Found | undefined): void {
  const { noise, scale, rate, count, delta } = each;
  const cells = found === undefined ? ["none", "", "", ""] : [
    found.lower.toFixed(6),
    found.upper.toFixed(6),
    found.lower > 0 ? `${(100 * (found.upper / found.lower - 1)).toFixed(3)}%` : "",
    found.cpuSeconds.toFixed(2),
  ];
  const name = `${noise}, scale ${scale}${
    rate < 1 ? `, samples of ${rate}` : ""
  }, ${count} times, δ = ${delta}`;
  console.log(`| ${[name, tool, ...cells].join(" | ")} |`);
}

// Nothing of the first is compiling.
ours(CASES[0]!);
console.log("| releases | accountant | ε from | to | apart | CPU seconds |");
console.log("| --- | --- | --: | --: | --: | --: |");
for (const each of CASES) {
  line(each, "dpcheck", ours(each));
  line(each, "dp_accounting", await theirs(each));
}
