import { assertEquals } from "@std/assert";
import { otherSuites, planted, suite } from "../../../fixtures/judge/mutants/all.ts";
import type { Mutant } from "../../../fixtures/judge/mutants/mutant.ts";
import {
  comparesWithLast,
  shrinkingNoise,
  stickyNoise,
} from "../../../fixtures/judge/mutants/planted/state.ts";
import { audit } from "../../../lib/judge/audit/audit.ts";
import type { AuditReport } from "../../../lib/judge/audit/report.ts";
import { mechanismSubject } from "../../../lib/judge/audit/subjects/mechanism_subject.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { pairOf } from "../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { LONG } from "../../long.ts";

// Every mutant must get its expected verdict: the seeds are fixed, the budgets are draws and not
// seconds, so that slow machines get the same verdicts, and pairs are searched unless said otherwise.
const ALPHA = 0.05;
/** True claims are many here, so each gets a small chance of a false alarm; tests/quality counts those. */
const ALPHA_IF_TRUE = 0.001;

/** Draws for each mutant not named below, and for each true claim among them, for which more draws show nothing else. */
const DRAWS = 20_000, DRAWS_IF_TRUE = 1000;
/**
 * Mutants that need more draws: about twice what they took with these seeds, and enough that all of 30 other
 * seeds refute where that was counted (ReportNoisyMax3).
 */
const MORE_DRAWS: Readonly<Record<string, number>> = {
  "ExceptionOnOneSide": 60_000,
  "PrefixSum": 60_000,
  "RareBit 0.001": 100_000,
  "RareBit 0.0001": 1_000_000,
  "RareBareSum 0.001": 400_000,
  "RareBareSum 0.0001": 3_000_000,
  "LaplaceTruncatedByResampling": 200_000,
  "LaplaceForEuclideanSensitivity": 20_000,
  "RevealSVT3": 600_000,
  "RevealSVT5": 400_000,
  "ReportNoisyMax3": 2_000_000,
  "ReportNoisyMax4": 200_000,
  "SVT3": 5_000_000,
  "SVT34Parallel": 5_000_000,
  "SVT4": 1_000_000,
  "SVT6": 600_000,
};
/** Mutants that need more draws than this are audited by `deno task test:long` alone. */
const MOST_DRAWS = 60_000;
/** Mutants whose pair is given, for the search needs many times the draws to find it. */
const GIVEN: ReadonlySet<string> = new Set([
  "RevealSVT3",
  "RevealSVT4",
  "RevealSVT6",
  "SVT3",
  "SVT34Parallel",
  "SVT4",
]);

/** Those of them that are searched for too, with the draws that it takes. */
const SEARCHED_DRAWS: Readonly<Record<string, number>> = {
  "RevealSVT3": 1_000_000,
};

/** Mechanisms that keep state between calls must begin afresh. */
const FRESH: Readonly<Record<string, () => Mechanism<number, unknown>>> = {
  NoiseShrinksWithCalls: shrinkingNoise,
  NoiseKeptForSameData: stickyNoise,
  ComparesWithLastCall: comparesWithLast,
};

function auditMutant(
  { mechanism, bits, witness, expected }: Mutant,
  { maxDraws, given }: { maxDraws: number; given: boolean },
): Promise<AuditReport> {
  const { name, claim } = mechanism;
  const own = (FRESH[name]?.() ?? mechanism) as Mechanism;
  return audit(mechanismSubject(own, { source: new SeededSource(1).split(name) }), {
    maxDraws,
    alpha: expected === "refuted" ? ALPHA : ALPHA_IF_TRUE,
    seed: 1,
    shrink: false,
    // The draws are enough for the mutants that are refuted; the power over true claims is not what is tested.
    requirePower: Infinity,
    bits: bits ?? false,
    ...(given ? { pair: pairOf(claim.relation, witness!) } : {}),
  });
}

function testVerdict(
  mutant: Mutant,
  { maxDraws, given }: { maxDraws: number; given: boolean },
): void {
  const pairs = given ? "its pair given" : "pairs searched";
  Deno.test({
    name: `audit() says of ${mutant.mechanism.name}: ${mutant.expected}, ${pairs}`,
    ignore: maxDraws > MOST_DRAWS && !LONG,
    fn: async () => {
      const report = await auditMutant(mutant, { maxDraws, given });
      assertEquals(
        report.verdict,
        mutant.expected,
        `bound ${report.epsilonLowerBound} after ${maxDraws} draws on ${
          JSON.stringify(report.pair)
        }`,
      );
    },
  });
}

for (const mutant of [...suite, ...planted, ...otherSuites]) {
  const { name } = mutant.mechanism, searched = SEARCHED_DRAWS[name];
  const draws = mutant.expected === "refuted" || LONG ? DRAWS : DRAWS_IF_TRUE;
  testVerdict(mutant, { maxDraws: MORE_DRAWS[name] ?? draws, given: GIVEN.has(name) });
  if (searched !== undefined) testVerdict(mutant, { maxDraws: searched, given: false });
}
