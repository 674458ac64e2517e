import { z } from "zod";
import { VERSION } from "../../lib/judge/audit/version.ts";
import type { ChildResult } from "../entries/run_child.ts";
import type { SuiteEntry } from "../entries/suite_schema.ts";

/** The queue of audits that one worker runs whole. */
export const AUDITS = "dpcheck-audits";

/** The key that Redis holds while a suite waits for its audits. */
export function wantedKey(suite: string): string {
  return `dpcheck:suite:${suite}`;
}

/** The content of a job: an audit of a suite, with the key of its subject and claim. */
const auditOrder = z.strictObject({
  dpcheck: z.string(),
  suite: z.string(),
  /** `entryKey` of the entry in the folder. */
  key: z.string(),
  folder: z.string(),
  entry: z.looseObject({ name: z.string() }),
  /** Words that come after those of the entry. */
  more: z.array(z.string()),
});

/** A job of the queue. */
export type AuditOrder = Omit<z.infer<typeof auditOrder>, "entry"> & { readonly entry: SuiteEntry };

const number = z.number();

const report = z.looseObject({
  verdict: z.enum(["refuted", "not-refuted", "inconclusive", "failed"]),
  epsilonLowerBound: number,
  confidence: number,
  eValue: number.nonnegative(),
  draws: number,
  seconds: number,
  replay: z.string(),
  claim: z.looseObject({}),
  pair: z.looseObject({ left: z.unknown(), right: z.unknown() }).nullish(),
  interrupted: z.boolean().optional(),
  failure: z.string().optional(),
  reason: z.string().optional(),
});

/** The answer of a worker. */
const auditReply = z.strictObject({
  dpcheck: z.literal(VERSION),
  key: z.string(),
  result: z.strictObject({
    status: z.int().nonnegative(),
    message: z.string(),
    report: report.optional(),
    printed: z.string().optional(),
  }),
});

/** The order of a job. @throws {z.ZodError} when the text is not an order. */
export function orderFrom(data: unknown): AuditOrder {
  return auditOrder.parse(data) as unknown as AuditOrder;
}

/** A reply to an audit, as it is sent. */
export function replyTo({ key }: AuditOrder, result: ChildResult): z.infer<typeof auditReply> {
  return { dpcheck: VERSION, key, result: result as z.infer<typeof auditReply>["result"] };
}

/** The result in a reply to the audit of this key; `undefined` when it is not one. */
export function resultIn(reply: unknown, key: string): ChildResult | undefined {
  const { success, data } = auditReply.safeParse(reply);
  if (!success || data.key !== key) return undefined;
  return data.result as unknown as ChildResult;
}
