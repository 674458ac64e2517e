import { statedClaim } from "../../core/claims/at_reach.ts";
import type { Claim } from "../../core/claims/claim.ts";
import type { Relation } from "../../core/relations/relation.ts";
import { requireKind } from "../../core/numeric/require.ts";
import { auditInteractive } from "../dialogue/audit_interactive.ts";
import type { AuditInteractiveOptions } from "../dialogue/session_settings.ts";
import type { Service } from "../dialogue/service.ts";
import type { SessionReport } from "../dialogue/session_report.ts";
import { sessionText } from "../report/session_text.ts";
import { AssertionError } from "./assertion_error.ts";
import { type GivenPair, OptionCheck } from "./option_check.ts";

/** As for `auditInteractive`, made for tests: the seed is fixed unless given, and the claim may be given by its ε. */
export interface AssertPrivateSessionOptions
  extends Omit<AuditInteractiveOptions, "claim" | "relation" | "pair"> {
  /** The claim; or `epsilon` and `relation`. */
  readonly claim?: Claim;
  /** ε in nats, in place of `claim`; needs `relation`. */
  readonly epsilon?: number;
  /** δ of the claim that `epsilon` makes. Default 0. */
  readonly delta?: number;
  /** The neighbouring relation, or its name, as in "replace-one". Default: the claim's. */
  readonly relation?: Relation | string;
  /** The only pair. Default: pairs are searched. */
  readonly pair?: GivenPair;
}

const check: OptionCheck = new OptionCheck("assert privacy of sessions");

/**
 * Audits a service that answers questions inside a test: throws when its claim is refuted, with the questions that refute it as lines
 * to follow by hand; otherwise returns the report. Throws, too, when the service fails or too little was tried. Passing never means
 * "private": the report names the adversary that was tried. Default α: 0.001.
 *
 * @throws {AssertionError} when the claim is refuted, the service fails, or nothing can be concluded.
 * @throws {RangeError} when an option is out of bounds or something needed is missing.
 *
 * @example
 * ```ts
 * import { assertPrivateSession } from "@dpcheck/dpcheck/testing";
 *
 * const service = {
 *   start: (rows: boolean[], source: { uniform(): number }) => rows.map((row) => source.uniform() < 0.7 ? row : !row),
 *   open: (answers: boolean[]) => ({ ask: ({ at }: { kind: string; at?: unknown }) => answers[Number(at)] }),
 * };
 * await assertPrivateSession(service, {
 *   epsilon: 1,
 *   relation: "replace-one",
 *   questions: { row: { at: { type: "integer", min: 0, max: 1 } } },
 *   domain: { rows: { type: "boolean" }, size: { min: 2, max: 2 } },
 *   maxSearchDraws: 5_000,
 *   maxDraws: 5_000,
 * });
 * ```
 */
export async function assertPrivateSession<Row, State>(
  service: Service<Row, State>,
  options: AssertPrivateSessionOptions,
): Promise<SessionReport> {
  requireKind("assertPrivateSession", "options", options, "record");
  const { epsilon, delta = 0, relation: named, claim: given, pair, ...rest } = options;
  const relation = check.relation(named);
  if (rest.domain !== undefined) check.domain(rest.domain);
  if (given === undefined && (epsilon === undefined || relation === undefined)) {
    check.refuse("claim", "be given, or epsilon and relation", undefined);
  }
  const claim = given ?? statedClaim({ epsilon: epsilon!, delta, relation: relation! });
  const report = await auditInteractive(service, {
    ...rest,
    claim,
    ...(relation === undefined ? {} : { relation }),
    ...(pair === undefined ? {} : { pair: check.pair(pair, relation ?? claim.relation) }),
    alpha: rest.alpha ?? 0.001,
    seed: rest.seed ?? 1,
  });
  if (report.verdict === "not-refuted") return report;
  throw new AssertionError(sessionText(report).trimEnd(), { report });
}
