import { requireFields, requireKind, requirePositive } from "../../core/numeric/require.ts";
import type { Service } from "./service.ts";
import type { SessionReport } from "./session_report.ts";
import type { AuditInteractiveOptions } from "./session_settings.ts";

/**
 * Audits a service that answers questions: does everything that an adversary sees of it keep the claim?
 *
 * The adversary is searched: strategies are short programs of questions (repeats, questions that are nearly equal, parts, questions
 * beyond the budget, arguments from earlier answers, a second session, a restart), tried together with pairs of datasets. One
 * transcript is one output of an ordinary audit: a fair coin chooses the dataset, the service is started on it, the strategy is
 * played, and bettors bet on the coin. A strategy is fixed before the coins of its bet, and those draws come from a source of their
 * own, so the statement of error is that of {@linkcode audit}, whatever was searched before; up to three bets share α. It covers
 * services that refuse, fail or end sessions, for these are answers too (Haney, Shoemate, Tian, Vadhan, Vyrros, Xu, Zhang 2023 for
 * claims about interaction).
 *
 * "not-refuted" says that this adversary did not see a leak: the report names it.
 *
 * @throws {RangeError} when an option is out of its bounds or something needed is missing.
 *
 * @example
 * ```ts
 * import { auditInteractive, pure, replaceOne } from "@dpcheck/dpcheck";
 *
 * const service = {
 *   start: (rows: number[], source: { uniform(): number }) => ({ rows, source, left: 1 }),
 *   open: (state: { rows: number[]; source: { uniform(): number }; left: number }) => ({
 *     ask(question: { kind: string; below?: unknown }): unknown {
 *       if (state.left-- <= 0) return { refused: "the budget is spent" };
 *       const noise = Math.log(state.source.uniform() / state.source.uniform());
 *       return state.rows.filter((row) => row < Number(question.below)).length + noise;
 *     },
 *   }),
 * };
 * const report = await auditInteractive(service, {
 *   claim: pure({ epsilon: 1, relation: replaceOne }),
 *   questions: { count: { below: { type: "number", min: 0, max: 10 } } },
 *   domain: { rows: { type: "number", min: 0, max: 10 }, size: { min: 1, max: 3 } },
 *   maxSearchDraws: 5_000,
 *   maxDraws: 2_000,
 *   seed: 1,
 * });
 * console.log(report.verdict); // "not-refuted"
 * ```
 */
export async function auditInteractive<Row, State>(
  service: Service<Row, State>,
  options: AuditInteractiveOptions,
): Promise<SessionReport> {
  requireKind("auditInteractive", "service", service, "record");
  for (const name of ["start", "open"] as const) {
    requireKind("auditInteractive", `${name} of service`, service[name], "function");
  }
  const { timeoutSeconds = 30 } = requireFields("auditInteractive", options, {});
  requirePositive("audit sessions", "timeoutSeconds", timeoutSeconds);
  // An import of the package does without adversaries until a service is audited.
  const [{ auditProgram }, { functionProgram }] = await Promise.all([
    import("./audit_program.ts"),
    import("./function_program.ts"),
  ]);
  const program = functionProgram(service as unknown as Service<unknown, unknown>, {
    timeoutSeconds,
  });
  return await auditProgram(program, options);
}
