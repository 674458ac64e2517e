/**
 * False alarms, as a Markdown table: audits at α = 0.05 of mechanisms that keep their claims with nothing to spare, and
 * of programs with a memory that keep theirs call by call. Pairs are searched for the former. A refutation counts without
 * being confirmed on fresh draws.
 *
 * Usage: `deno task bench false-alarms [--audits N] [--stateful N] [--draws N] [--first N]
 * [--only mechanisms|wide|claims|options|stateful|processes|recorded] [--modes MODE,…]`. `--audits` are those of each mechanism, `--stateful` those of
 * each program with a memory, `--recorded` those of each program whose noise is watched before each audit, `--wide` those of outputs of ten numbers, `--claims` those of each claim that is not pure and of each option;
 * `--first` is the seed of the first one, and the others follow; modes are those of fixtures/judge/stateful/program.py.
 */
import { STATEFUL, STATEFUL_CLAIM, TOKEN_CLAIM } from "../../fixtures/judge/stateful/mechanisms.ts";
import { jointSigns } from "../../fixtures/judge/joint_signs.ts";
import {
  auditNumber,
  exactGaussians,
  exactMechanisms,
  furtherMechanisms,
  randomisedResponse,
} from "../../fixtures/judge/true_claims.ts";
import { audit } from "../../lib/judge/audit/audit.ts";
import type { EventReport } from "../../lib/judge/audit/counterexample/event_report.ts";
import type { AuditOptions } from "../../lib/judge/audit/options.ts";
import type { AuditReport } from "../../lib/judge/audit/report.ts";
import type { Subject } from "../../lib/judge/audit/kernel/subject.ts";
import { mechanismSubject } from "../../lib/judge/audit/subjects/mechanism_subject.ts";
import { processSubject } from "../../lib/judge/audit/subjects/process/process_subject.ts";
import { quoteWord } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { type Claim, describeClaim, pure } from "../../lib/core/claims/claim.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import type { Source } from "../../lib/core/mechanism/source.ts";
import { programRecorder } from "../../lib/judge/recording/program_recorder.ts";
import { recordBefore } from "../../lib/judge/recording/record_before.ts";
import { pairOf, replaceOne } from "../../lib/core/relations/relation.ts";
import { logBinomialTail } from "../../lib/core/numeric/binomial_tail.ts";
import { clopperPearsonUpper } from "../../lib/core/numeric/clopper_pearson.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { option } from "../option.ts";

const ALPHA = 0.05;

const audits = Number(option("audits") ?? 2000);
const wideAudits = Number(option("wide") ?? 500);
const claimAudits = Number(option("claims") ?? 1000);
const stateful = Number(option("stateful") ?? 500);
const recordedAudits = Number(option("recorded") ?? 1000);
const maxDraws = Number(option("draws") ?? 4000);
const first = Number(option("first") ?? 0);
const modes = option("modes")?.split(",") ??
  ["elapsed", "noise", "counter", "count", "parity", "token"];
const only = option("only");
const isWanted = (part: string): boolean => only === undefined || only === part;

/** Programs of fixtures/judge/recorded/true_claims.py. */
const RECORDED = [
  "noisy_sum",
  "randomised_response",
  "sum_in_parts",
  "leaks_when_watched",
  "less_noise_when_watched",
];
const BIT = { type: "integer", min: 0, max: 1 } as const;

/** Prints a row: how many audits refuted, and what so many say of the chance that one does. */
async function printRow(
  name: string,
  { claim, number, run, isWrong = ({ verdict }) => verdict === "refuted" }: {
    claim: Claim;
    number: number;
    run: (seed: number) => Promise<AuditReport>;
    isWrong?: (report: AuditReport) => boolean;
  },
): Promise<void> {
  let refuted = 0;
  for (let seed = first; seed < first + number; seed++) {
    const report = await run(seed);
    const { verdict, failure } = report;
    // A program whose outputs are all the same within a request is told so, and not refuted.
    const isTold = failure?.includes("repeats one output") ?? false;
    if (verdict === "failed" && !isTold) throw new Error(`${name}: ${failure}`);
    if (isWrong(report)) refuted++;
  }
  const cells = [
    name,
    describeClaim(claim),
    number,
    refuted,
    `${(100 * refuted / number).toFixed(2)}%`,
    `${
      (100 * clopperPearsonUpper({ successes: refuted, trials: number, alpha: 0.01 })).toFixed(2)
    }%`,
    Math.exp(logBinomialTail(refuted, number, ALPHA)).toPrecision(2),
    `${first} to ${first + number - 1}`,
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

const pair = pairOf(replaceOne, { left: [0], right: [1] });

function auditOf(subject: Subject, claim: Claim, seed: number): Promise<AuditReport> {
  return audit(subject, { claim, pair, maxDraws, seed, alpha: ALPHA, shrink: false });
}

/** Returns true if a rule tells numbers apart, and not texts. */
function isAboutNumbers({ conditions }: EventReport): boolean {
  return conditions.every(({ feature, value }) =>
    feature === "output" && typeof value === "number"
  );
}

console.log(
  "| program | claim | audits | refuted | share | at most (99%) | chance of so many at 5% | seeds |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
if (isWanted("mechanisms")) {
  for (const mechanism of [...exactMechanisms(), ...furtherMechanisms()]) {
    const { name, claim } = mechanism;
    const run = (seed: number): Promise<AuditReport> =>
      auditNumber(seed, mechanism, { maxDraws, alpha: ALPHA });
    await printRow(name, { claim, number: audits, run });
  }
}
if (isWanted("wide")) {
  const mechanism = jointSigns({ width: 10, at: [1, 4, 8], epsilon: 1 });
  for (const effort of ["quick", "thorough"] as const) {
    const run = (seed: number): Promise<AuditReport> =>
      auditNumber(seed, mechanism, { maxDraws, alpha: ALPHA, effort });
    const name = `${mechanism.name}, ${effort}`;
    await printRow(name, { claim: mechanism.claim, number: wideAudits, run });
  }
}
if (isWanted("claims")) {
  for (const mechanism of exactGaussians()) {
    const { claim } = mechanism;
    const given = pairOf(claim.relation, { left: [0], right: [1] });
    const run = (seed: number): Promise<AuditReport> =>
      auditNumber(seed, mechanism, { pair: given, maxDraws, alpha: ALPHA, effort: "thorough" });
    await printRow("N(0, 1) against N(1, 1)", { claim, number: claimAudits, run });
  }
}
if (isWanted("options")) {
  // Drawn from one by one, so that texts and numbers come by turns.
  const { sampleMany: _, ...response } = randomisedResponse(1);
  const { claim, domain } = response;
  /** The row itself with probability 0.3, as a text; randomised response else. */
  const leaking = {
    ...response,
    sample: (data: readonly number[], source: Source): unknown =>
      source.uniform() < 0.3 ? `row ${data[0]}` : response.sample(data, source),
  };
  const given = pairOf(replaceOne, { left: [0], right: [1] });
  const options: readonly (readonly [string, Mechanism<number, unknown>, Partial<AuditOptions>])[] =
    [
      ["--except, a leak excepted", leaking, { except: ["kind(output) = string"], pair: given }],
      ["--all, findings beside a leak", leaking, { all: true, pair: given }],
      ["--with-rows, randomised response", response, { withRows: [0, 1] }],
      [
        "--require, randomised response of the first of some rows",
        response,
        {
          require: ["rows >= 2", "every value"],
          domain: { ...domain!, size: { min: 1, max: 4 } },
        },
      ],
    ];
  for (const [name, mechanism, each] of options) {
    await printRow(name, {
      claim,
      number: claimAudits,
      run: (seed) =>
        audit(mechanismSubject(mechanism, { source: new SeededSource(seed).split(name) }), {
          maxDraws,
          seed,
          alpha: ALPHA,
          shrink: false,
          ...each,
        }),
      // With --all the leak is found rightly: numbers are what must not be found.
      isWrong: ({ verdict, further }) =>
        each.all === true
          ? further?.findings.some(({ event }) => isAboutNumbers(event)) ?? false
          : verdict === "refuted",
    });
  }
}
if (isWanted("stateful")) {
  for (const [name, make] of Object.entries(STATEFUL)) {
    const { claim } = make();
    const run = (seed: number): Promise<AuditReport> => {
      const source = new SeededSource(seed).split(name);
      return auditOf(mechanismSubject(make(), { source }), claim, seed);
    };
    await printRow(name, { claim, number: stateful, run });
  }
}
if (isWanted("processes")) {
  const file = new URL("../../fixtures/judge/stateful/program.py", import.meta.url).pathname;
  for (const mode of modes) {
    for (const form of ["", " --order"]) {
      const claim = mode === "token" ? TOKEN_CLAIM : STATEFUL_CLAIM;
      // It goes on from one audit to the next, as it would in one long audit.
      const subject = processSubject(`python3 ${quoteWord(file)} ${mode}${form}`);
      try {
        const run = (seed: number): Promise<AuditReport> => auditOf(subject, claim, seed);
        await printRow(`program.py ${mode}${form}`, { claim, number: stateful, run });
      } finally {
        await subject.close();
      }
    }
  }
}
if (isWanted("recorded")) {
  // Python is told where the adapter is, as it is installed for users.
  const file = new URL("../../fixtures/judge/recorded/true_claims.py", import.meta.url).pathname;
  const claim = pure({ epsilon: 1, relation: replaceOne });
  const space = { domain: { rows: BIT, size: { min: 1, max: 3 } }, relation: replaceOne };
  for (const name of option("programs")?.split(",") ?? RECORDED) {
    const command = `python3 ${quoteWord(file)} ${name}`;
    const recorder = await programRecorder(command, {
      timeoutSeconds: 30,
      answersOn: 1,
      first: [0],
    });
    if (recorder === undefined) throw new Error(`${command} does not record its noise`);
    const subject = { ...processSubject(command), domain: space.domain };
    let suspected = 0;
    const run = async (seed: number): Promise<AuditReport> => {
      const options = { claim, space, seed, maxPairs: 40, withRows: [] };
      const { recording: { findings }, suspected: pairs } = await recordBefore(recorder, options);
      if (findings.length > 0) suspected++;
      return await audit(subject, { alpha: ALPHA, claim, seed, maxDraws, suspected: pairs });
    };
    try {
      await printRow(`true_claims.py ${name}`, { claim, number: recordedAudits, run });
      console.error(`${name}: suspected in ${suspected}`);
    } finally {
      await Promise.all([recorder.close(), subject.close()]);
    }
  }
}
