import { claimToJSON } from "../../core/claims/claim.ts";
import type { RecordReport } from "../recording/record.ts";
import { jsonText } from "./json_text.ts";
import { notSeenByRecord } from "./not_seen.ts";

/** Writes what recordings show as JSON text: one record, as `dpcheck record --json` writes it. */
export function recordJson(report: RecordReport): string {
  return jsonText({
    ...report,
    claim: claimToJSON(report.claim),
    notSeen: notSeenByRecord(report),
  });
}
