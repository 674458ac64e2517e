import type { PairData, Subject } from "../audit/kernel/subject.ts";
import { requireInteger, requireKind } from "../../core/numeric/require.ts";
import { checkLaws, type LawReport } from "./laws/law.ts";
import type { CheckedSubject } from "./laws/checked_subject.ts";
import { lawsOfOpened, lawsOfOpening, using } from "./laws/subject_laws.ts";
import { OptionCheck } from "./option_check.ts";

/** Inputs on which a subject is tried. */
export interface CheckSubjectOptions extends PairData {
  /** A dataset on which the program throws; without it nobody looks whether errors are outputs. */
  readonly throwsOn?: unknown;
  /** A dataset on which the program crashes, hangs or answers nonsense. */
  readonly failsOn?: unknown;
  /**
   * Whether somebody vouches that outputs are independent, as a mechanism with `sampleMany` does: they may then be drawn in blocks,
   * and depend on the number of coins. Default: what the subject declares.
   */
  readonly independent?: boolean;
  /** Draws in an order of both datasets. Default 200. */
  readonly draws?: number;
  /** Of the coins. Default 1. */
  readonly seed?: number;
}

/** Every option. */
const NAMES: Readonly<Record<keyof CheckSubjectOptions, true>> = {
  left: true,
  right: true,
  throwsOn: true,
  failsOn: true,
  independent: true,
  draws: true,
  seed: true,
};

const check: OptionCheck = new OptionCheck("check a subject");

/**
 * Checks the laws that every subject of dpcheck keeps, on any object that is one: as many outputs as are asked for; one output a
 * coin, of the dataset of its coin; none that depends on coins to come; errors as outputs; failures as {@linkcode SubjectFailure};
 * no timer, socket or pipe left after `close` (threads cannot be seen, nor, under Deno, processes of `Deno.Command`). Two laws are
 * about outcomes of chance: a subject that keeps them fails with probability 1e-5 at most. The subject is opened and closed up to
 * six times. Whether outputs depend on coins to come is checked of subjects alone that give the same outputs when they are opened
 * again.
 *
 * @param open opens the subject.
 * @throws {AssertionError} at the first law that is broken: its name, what breaks it, and what to do.
 * @throws {RangeError} when an option is unknown or out of bounds.
 *
 * @example
 * ```ts
 * import { functionSubject, SeededSource } from "@dpcheck/dpcheck";
 * import { checkSubject } from "@dpcheck/dpcheck/testing";
 *
 * const noisyCount = (rows: readonly number[], source: { uniform(): number }) => {
 *   if (rows.includes(-1)) throw new RangeError("no such row");
 *   return rows.length + source.uniform();
 * };
 * const { held } = await checkSubject(
 *   () => functionSubject(noisyCount, { name: "noisy count", source: new SeededSource(1) }),
 *   { left: [1, 2], right: [1], throwsOn: [-1] },
 * );
 * held.length; // 7: all laws but the one on failures
 * ```
 */
export async function checkSubject(
  open: () => Subject | Promise<Subject>,
  options: CheckSubjectOptions,
): Promise<LawReport> {
  requireKind("checkSubject", "open", open, "function");
  requireKind("checkSubject", "options", options, "record");
  check.names(options, NAMES);
  const { left, right, independent = false, draws = 200, seed = 1 } = options;
  requireInteger("check a subject", "draws", draws, { min: 2 });
  const checked: CheckedSubject = {
    open,
    pair: { left, right },
    throwsOn: "throwsOn" in options ? [options.throwsOn] : [],
    failsOn: "failsOn" in options ? [options.failsOn] : [],
    independent,
    draws,
    seed,
  };
  const name = "The subject";
  const opened = await using(
    checked,
    (subject) => checkLaws(lawsOfOpened, { name, checked: { ...checked, subject } }),
  );
  const { held, skipped } = await checkLaws(lawsOfOpening, { name, checked });
  return { held: [...opened.held, ...held], skipped: { ...opened.skipped, ...skipped } };
}
