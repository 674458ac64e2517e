import type { Command } from "commander";
import {
  type AllocatedParts,
  allocatedParts,
} from "../../lib/dp/accounting/sampling/allocated_parts.ts";
import {
  approximateLoss,
  gaussianLoss,
  laplaceLoss,
  type PrivacyLoss,
} from "../../lib/dp/accounting/loss_distribution/privacy_loss.ts";
import {
  type Bounds,
  deltaBounds,
  epsilonBounds,
  type LossPart,
} from "../../lib/dp/accounting/loss_distribution/privacy_loss_distribution.ts";
import { poissonSubsampledLoss } from "../../lib/dp/accounting/sampling/subsampled_loss.ts";
import { closestName } from "../../lib/core/text/closest_name.ts";
import { requireInteger, requirePositive } from "../../lib/core/numeric/require.ts";
import { roundUp } from "../../lib/core/numeric/round_outward.ts";
import type { AccountReport, DeltaAt } from "../../lib/judge/report/account_page.ts";
import { jsonText } from "../../lib/judge/report/json_text.ts";
import { roundedUp } from "../../lib/judge/report/short_number.ts";
import { BadInput, reading } from "../options/bad_input.ts";
import { type Done, ExitStatus } from "../output/exit_status.ts";
import {
  alphaValue,
  deltaValue,
  integerFrom,
  type JsonValue,
  jsonValue,
  numberAbove,
} from "../options/option_values.ts";
import { checkOutputFiles } from "../output/output_files.ts";
import { STANDARD_OUTPUT, writeOutput } from "../output/write_output.ts";

/** A release as JSON and options say it: one of the first four, and how often, on which samples. */
interface Release {
  readonly sigma?: number;
  readonly mu?: number;
  readonly laplace?: number;
  readonly epsilon?: number;
  /** With `epsilon`. */
  readonly delta?: number;
  readonly rate?: number;
  readonly steps?: number;
  /** With `steps`. */
  readonly chosen?: number;
  readonly count?: number;
}

interface AccountArguments extends Omit<Release, "epsilon" | "delta"> {
  readonly each?: number;
  readonly eachDelta?: number;
  readonly delta?: number;
  readonly epsilon?: number;
  readonly json?: string;
  readonly html?: string;
}

/** Fields of a release. */
const FIELDS = [
  "sigma",
  "mu",
  "laplace",
  "epsilon",
  "delta",
  "rate",
  "steps",
  "chosen",
  "count",
] as const;
const KINDS = ["sigma", "mu", "laplace", "epsilon"] as const;
/** The options that give these fields. */
const KIND_OPTIONS = ["sigma", "mu", "laplace", "each"] as const;
const ACTION = "account for a release";

/** Defines `dpcheck account`. */
export function defineAccount(command: Command, done: Done): void {
  const positive = numberAbove(0);
  command
    .argument(
      "[RELEASES]",
      'JSON in place of --sigma to --count: {"sigma":1,"rate":0.01,"count":1000}, or a list of such',
      jsonValue,
    )
    .option("--sigma <S>", "Gaussian noise of deviation S, for a sensitivity of 1", positive)
    .option("--mu <M>", "any μ-GDP mechanism", positive)
    .option("--laplace <E>", "Laplace noise that is ε-DP, by its exact law", positive)
    .option("--each <E>", "any ε-DP mechanism; epsilon in JSON", positive)
    .option("--each-delta <D>", "with --each: any (ε, δ)-DP mechanism; delta in JSON", deltaValue)
    .option("--rate <Q>", "on Poisson samples: each row with this probability", positive)
    .option("--steps <T>", "T steps; each row is in one of them, chosen at random", integerFrom(1))
    .option("--chosen <K>", "with --steps: each row is in K of them (1)", integerFrom(1))
    .option("--count <N>", "number of such releases, each on a new sample (1)", integerFrom(1))
    .option("--delta <D>", "print the ε of all releases together at this δ", alphaValue)
    .option("--epsilon <E>", "print the δ of all releases together at this ε", positive)
    .option("--json <FILE>", "write the totals as JSON; with -, to standard output")
    .option("--html <FILE>", "write a page with the trade-off curve")
    .action(async (releases: JsonValue | undefined, options: AccountArguments) => {
      await account(releases, options);
      done(ExitStatus.notRefuted);
    });
}

async function account(
  given: JsonValue | undefined,
  { delta, epsilon, json, html, ...flags }: AccountArguments,
): Promise<void> {
  checkOutputFiles({
    ...(json === undefined ? {} : { json }),
    ...(html === undefined ? {} : { html }),
  });
  if (delta === undefined && epsilon === undefined) {
    throw new BadInput("give --delta for the least ε, or --epsilon for the least δ, or both");
  }
  const releases = releasesOf(given, flags);
  const parts = partsOf(releases);
  const totals = {
    ...(delta === undefined
      ? {}
      : { epsilon: { ...boundsOf(parts, (side) => epsilonBounds(side, { delta })), delta } }),
    ...(epsilon === undefined
      ? {}
      : { delta: { ...boundsOf(parts, (side) => deltaBounds(side, { epsilon })), epsilon } }),
  };
  const report = {
    releases: releases.map(sentenceOf),
    totals: Object.entries(totals).map(([name, { lower, upper }]) =>
      name === "epsilon"
        ? `${boundsText("ε", { lower, upper })} at δ = ${delta}`
        : `${boundsText("δ", { lower, upper })} at ε = ${epsilon}`
    ),
  };
  if (json !== STANDARD_OUTPUT) console.log([...report.releases, ...report.totals].join("\n"));
  if (json !== undefined) writeOutput("--json", json, jsonText({ releases, ...totals }));
  if (html !== undefined) {
    const { accountPage } = await import("../../lib/judge/report/account_page.ts");
    const page: AccountReport = { ...report, curve: curveOf(parts) };
    writeOutput("--html", html, accountPage(page));
  }
}

function releasesOf(
  given: JsonValue | undefined,
  { each, eachDelta, ...flags }: Omit<AccountArguments, "delta" | "epsilon" | "json" | "html">,
): readonly Release[] {
  const said = Object.keys({ each, eachDelta, ...flags }).length > 2 || each !== undefined ||
    eachDelta !== undefined;
  if (given === undefined) {
    if (!said) {
      throw new BadInput(
        'give releases: --sigma 1 --count 10, or JSON such as {"sigma":1,"count":10}',
      );
    }
    const kinds = Object.entries({ ...flags, each }).filter(([name, value]) =>
      (KIND_OPTIONS as readonly string[]).includes(name) && value !== undefined
    ).map(([name]) => `--${name}`);
    if (kinds.length !== 1) {
      const options = KIND_OPTIONS.map((name) => `--${name}`).join(", ");
      throw new BadInput(
        kinds.length === 0
          ? `give one of ${options}: what is released`
          : `give one of ${options}, and not ${
            kinds.join(" and ")
          }: several releases are a list in JSON`,
      );
    }
    return [{
      ...flags,
      ...(each === undefined ? {} : { epsilon: each }),
      ...(eachDelta === undefined ? {} : { delta: eachDelta }),
    }];
  }
  if (said) throw new BadInput("give releases by JSON or by options, not by both");
  const { value, text } = given, list = Array.isArray(value) ? value : [value];
  if (list.length === 0) throw new BadInput(`RELEASES ${text} must have at least one release`);
  return list.map((release: unknown, i) => {
    const place = `release ${i + 1} of RELEASES`;
    if (typeof release !== "object" || release === null) {
      throw new BadInput(`${place} must be an object, such as {"sigma":1,"count":10}`);
    }
    for (const [field, number] of Object.entries(release)) {
      if (!(FIELDS as readonly string[]).includes(field)) {
        const meant = field === "each" ? "; did you mean epsilon?" : closestName(field, FIELDS);
        throw new BadInput(`${place} has a field ${field}${meant}`);
      }
      if (typeof number !== "number") throw new BadInput(`${field} of ${place} must be a number`);
    }
    return release;
  });
}

/** Composes all releases, for bounds from both sides. */
function partsOf(releases: readonly Release[]): AllocatedParts {
  const each = releases.map((release, i) =>
    reading("release", `${i + 1}`, () => partsOfOne(release))
  );
  const upper = each.flatMap((parts) => parts.upper);
  if (each.every((parts) => parts.lower === parts.upper)) return { upper, lower: upper };
  const isKnown = each.every(({ lower }) => lower !== undefined);
  return { upper, lower: isKnown ? each.flatMap(({ lower }) => lower!) : undefined };
}

/** The losses of a release. @throws {RangeError} naming the number that is out of range. */
function partsOfOne({ rate, steps, chosen, count = 1, ...release }: Release): AllocatedParts {
  const kinds = KINDS.filter((kind) => release[kind] !== undefined);
  if (kinds.length !== 1) {
    throw new RangeError(
      `one of ${KINDS.join(", ")} must be given, and not ${kinds.join(" and ") || "none"}`,
    );
  }
  if (release.delta !== undefined && release.epsilon === undefined) {
    throw new RangeError("delta must come with epsilon");
  }
  if (chosen !== undefined && steps === undefined) {
    throw new RangeError("chosen must come with steps");
  }
  if (rate !== undefined && steps !== undefined) {
    throw new RangeError("rate and steps cannot be given together: rows are sampled in one way");
  }
  const own = lossOf(release);
  if (steps !== undefined) {
    return allocatedParts(own, { steps, count, ...(chosen === undefined ? {} : { chosen }) });
  }
  requireInteger(ACTION, "count", count, { min: 1 });
  const loss = rate === undefined ? own : poissonSubsampledLoss(own, { rate });
  const parts = [{ loss, count }];
  return { upper: parts, lower: parts };
}

/** Bounds from the losses of either side; 0 below where nothing is known there. */
function boundsOf(
  { upper, lower }: AllocatedParts,
  bounds: (side: readonly LossPart[]) => Bounds,
): Bounds {
  const most = bounds(upper);
  return lower === upper
    ? most
    : { lower: lower === undefined ? 0 : bounds(lower).lower, upper: most.upper };
}

function lossOf({ sigma, mu, laplace, epsilon, delta = 0 }: Release): PrivacyLoss {
  if (sigma !== undefined) {
    requirePositive(ACTION, "sigma", sigma);
    return gaussianLoss({ mu: roundUp(1 / sigma, { relativeError: Number.EPSILON }) });
  }
  if (mu !== undefined) return gaussianLoss({ mu });
  if (laplace !== undefined) return laplaceLoss({ epsilon: laplace });
  return approximateLoss({ epsilon: epsilon!, delta });
}

function sentenceOf(
  { sigma, mu, laplace, epsilon, delta, rate, steps, chosen = 1, count = 1 }: Release,
): string {
  const what = sigma !== undefined
    ? `Gaussian noise of deviation ${sigma} for a sensitivity of 1`
    : mu !== undefined
    ? `a ${mu}-GDP mechanism`
    : laplace !== undefined
    ? `Laplace noise of ε = ${laplace}`
    : delta
    ? `an (${epsilon}, ${delta})-DP mechanism`
    : `an ε-DP mechanism, ε = ${epsilon}`;
  const where = rate !== undefined
    ? `, on Poisson samples of rate ${rate} (rows are added or removed)`
    : steps !== undefined
    ? ` in ${steps} steps, each row in ${chosen} of them by chance (rows are added or removed)`
    : "";
  return `${count === 1 ? "once" : `${count} times`} ${what}${where}`;
}

const DIGITS = 6;

/** Bounds as text, rounded outwards. */
function boundsText(symbol: string, { lower, upper }: Bounds): string {
  // Rounds down, by rounding the negative up.
  const least = lower === 0 ? "0" : lower === Infinity ? "∞" : roundedUp(-lower, DIGITS).slice(1);
  return `${symbol} from ${least} to ${roundedUp(upper, DIGITS)}`;
}

/** Points of the curve for a plot: from ε = 0 to where δ is a thousandth. */
function curveOf(parts: AllocatedParts): DeltaAt[] {
  const { upper } = epsilonBounds(parts.upper, { delta: 1e-3 }), most = Math.min(upper, 100);
  return Array.from({ length: POINTS + 1 }, (_, k) => {
    // In three digits, as tables show it.
    const epsilon = Number((most * k / POINTS).toPrecision(3));
    return { epsilon, ...boundsOf(parts, (side) => deltaBounds(side, { epsilon })) };
  });
}

const POINTS = 24;
