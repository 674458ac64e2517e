import { readFileSync } from "node:fs";
import { Command } from "commander";
import { DEFAULT_ALPHA } from "../../lib/judge/audit/validate_options.ts";
import { jsonText } from "../../lib/judge/report/json_text.ts";
import { BadInput } from "./bad_input.ts";
import { withoutByteOrderMark } from "./byte_order_mark.ts";
import { addOptions, AUDIT, type AuditArguments, namesOf } from "./command_options.ts";
import { entryOf, type NamesWith } from "./option_table.ts";
import { reasonOf } from "./reason_of.ts";

/** The parts of an evidence file that `dpcheck verify` uses: the audit to repeat, and the claim that the file says was refuted. */
export interface Evidence {
  /** The subject, the datasets and the budget. */
  readonly options: AuditArguments;
  /** The claim in the form of JSON reports; compared with the one that the options make once the subject is open. */
  readonly claim: unknown;
}

/** The parts of a report that are read, as far as they are there. */
type Report = Readonly<
  Partial<
    Record<
      | "verdict"
      | "claim"
      | "alpha"
      | "confidence"
      | "seed"
      | "pair"
      | "except"
      | "replayArguments",
      unknown
    >
  >
>;

/**
 * The options that run the audit of the evidence again, with its pair.
 *
 * The file may come from somebody else. It decides what is audited, and not how sure the answer is: α, the required power, a promise that outputs are
 * independent and where files are written come from the command line alone.
 *
 * @throws {BadInput} when it is no evidence of a refutation, or its parts contradict each other.
 */
export function readEvidence(file: string): Evidence {
  const report = readReport(file), { verdict } = report;
  if (verdict !== "refuted") {
    throw new BadInput(
      `${file} must be evidence of a refutation${
        typeof verdict === "string" ? `: its verdict is ${verdict}` : ""
      }`,
    );
  }
  const given = optionsIn(report, file);
  if (given.samples !== undefined) {
    throw new BadInput(
      `${file} is evidence in recorded outputs, which cannot confirm themselves: record new ones and audit those`,
    );
  }
  const { mechanism, module, exec, url } = given;
  // Without a subject there is nothing to check: that is said where subjects are opened.
  if ([mechanism, module, exec, url].some((subject) => subject !== undefined)) {
    requireConsistent(report, given, file);
  }
  const options = { ...given };
  for (const name of OF_CALLER) delete options[name];
  return { options, claim: report.claim };
}

/**
 * Options that only the command line of `verify` may set: how sure the answer is, and where it goes. The audit ends when it has refuted the claim once
 * more: with one copy of the subject, and no shards.
 */
const OF_CALLER = namesOf(AUDIT).filter((name) => {
  const { report, replayed = report === undefined, ofCaller = !replayed } = entryOf(name);
  return ofCaller;
}) as OptionalName[];

/** Options that need not have a value. */
type OptionalName = Exclude<keyof AuditArguments, NamesWith<"default">>;

/** The options that the words of a report stand for. */
function optionsIn({ replayArguments: words }: Report, file: string): AuditArguments {
  if (!Array.isArray(words) || !words.every((word) => typeof word === "string")) {
    throw new BadInput(`${file} must hold replayArguments: it was not written by audit --json`);
  }
  const parser = addOptions(new Command("audit"), AUDIT, "audit")
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} });
  try {
    parser.parse(words, { from: "user" });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new BadInput(`${file} must hold replayArguments that audit takes: ${message}`);
  }
  return parser.opts<AuditArguments>();
}

/** @throws {BadInput} where a part of a report says something else than its words. */
function requireConsistent(report: Report, options: AuditArguments, file: string): void {
  const { alpha = DEFAULT_ALPHA, seed, left, right, except } = options;
  const said: Partial<Record<keyof Report, unknown>> = {
    seed,
    alpha,
    confidence: 1 - alpha,
    except,
    ...(left === undefined || right === undefined
      ? {}
      : { pair: { left: left.value, right: right.value } }),
  };
  for (const [name, value] of Object.entries(said)) {
    if (textOf(value) === textOf(report[name as keyof Report])) continue;
    throw new BadInput(
      `${file} must hold the ${name} that its replayArguments give: it was changed`,
    );
  }
}

/** A value as reports write it; `undefined` where it is not there. */
function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : jsonText(value);
}

function readReport(file: string): Report {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new BadInput(`${file} cannot be read: ${reasonOf(error)}`);
  }
  let report: unknown;
  try {
    report = JSON.parse(withoutByteOrderMark(text));
  } catch {
    throw new BadInput(`${file} must be JSON, as audit --json writes it`);
  }
  if (typeof report !== "object" || report === null || Array.isArray(report)) {
    throw new BadInput(`${file} must hold the report of an audit`);
  }
  return report;
}
