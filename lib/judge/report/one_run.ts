import type { OneRunReport } from "../audit/one_run/audit_canaries.ts";
import { claimToJSON, describeClaim } from "../../core/claims/claim.ts";
import { parameterOf } from "../../core/claims/claim_curve.ts";
import { requireFields, requireInteger, requireNonNegative } from "../../core/numeric/require.ts";
import { roundedDown } from "./bound.ts";
import { SCHEMA_VERSION } from "./json.ts";
import { jsonText } from "./json_text.ts";
import { notSeenByCanaries, notSeenSection } from "./not_seen.ts";
import { shortNumber } from "./short_number.ts";
import { requireReport } from "./require_report.ts";

const SYMBOLS = { epsilon: "ε", rho: "ρ", mu: "μ" } as const;

/** Returns the report of a one-run audit in a few lines, without a line end after the last. */
export function oneRunText(report: OneRunReport): string {
  requireOneRun("oneRunText", report);
  const { claim, canaries, included, best, confidence, rules } = report;
  const name = claim === null ? "epsilon" : parameterOf(claim).name;
  const symbol = SYMBOLS[name];
  const at = report.delta > 0 ? ` at δ = ${report.delta}` : "";
  const lines = [
    `${headline(report)}: ${symbol} ≥ ${short(report.epsilonLowerBound)}${at}, confidence ${
      shortNumber(Math.min(confidence, 0.999999), 6)
    }`,
    `  canaries  ${canaries}, of them ${included} in; ${rules} guess rules, one error statement`,
  ];
  if (best !== null) {
    const guesses = best.guessedIn + best.guessedOut;
    lines.push(
      `  guesses   ${best.right} of ${guesses} right: the ${best.guessedIn} highest scores guessed in, ` +
        `the ${best.guessedOut} lowest guessed out`,
    );
  }
  const what = claim === null ? "shown a bound" : "refuted the claim";
  const seen = Number.isFinite(report.detectableEpsilon)
    ? `scores that tell as much as ${symbol} = ${
      shortNumber(report.detectableEpsilon, 4)
    } allows would have ${what} with 90% power`
    : `no scores of so few canaries would have ${what}: use more`;
  lines.push(`  power     ${seen}`);
  lines.push(
    `            no scores of ${canaries} canaries show more than ${symbol} ≥ ${
      short(report.mostEpsilon)
    }`,
  );
  return [...lines, ...notSeenSection(notSeenByCanaries(report))].join("\n");
}

/** A report without a claim has null there. */
function requireOneRun(name: string, report: OneRunReport): void {
  requireReport(name, report, report?.claim === null ? [] : ["claim"]);
}

function short(bound: number): string {
  return shortNumber(roundedDown(bound, 4), 4);
}

function headline({ verdict, claim }: OneRunReport): string {
  switch (verdict) {
    case "bound":
      return "BOUND";
    case "refuted":
      return `REFUTED ${describeClaim(claim!)}`;
    case "not-refuted":
      return `NOT REFUTED ${describeClaim(claim!)}`;
    case "inconclusive":
      return `INCONCLUSIVE ${describeClaim(claim!)}`;
  }
}

/**
 * Returns the report as JSON, with the fields of an audit's: `draws` is the number of canaries, `event` the best guess rule, and `eValue` is 1/alpha where the
 * claim is refuted and 0 elsewhere, for the test is read once.
 */
export function oneRunJson(
  report: OneRunReport,
  options: {
    readonly seconds: number;
    readonly seed: number;
    readonly replay: string;
  },
): string {
  requireOneRun("oneRunJson", report);
  const { verdict, claim, best, detectableEpsilon, canaries, ...rest } = report;
  const { seconds, seed, replay } = requireFields("oneRunJson", options, { replay: "text" });
  requireNonNegative("write a report", "seconds", seconds);
  requireInteger("write a report", "seed", seed, { min: 0 });
  const fields = {
    verdict,
    schemaVersion: SCHEMA_VERSION,
    claim: claim === null ? null : claimToJSON(claim),
    ...rest,
    eValue: verdict === "refuted" ? 1 / rest.alpha : 0,
    draws: canaries,
    canaries,
    seconds,
    pair: null,
    event: best,
    detectableEpsilon: Number.isFinite(detectableEpsilon) ? detectableEpsilon : null,
    notSeen: notSeenByCanaries(report),
    seed,
    replay,
  };
  return jsonText(fields);
}
