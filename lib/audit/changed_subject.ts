import { parseEvent } from "./encoding/event_rule.ts";
import { besideRows } from "./subjects/beside_rows.ts";
import { exceptOutputs } from "./subjects/excepted_outputs.ts";
import type { Subject } from "./subjects/subject.ts";

/** The subject with public rows before its datasets and with its excepted outputs made one. */
export function changedSubject(
  subject: Subject,
  { withRows, except }: {
    readonly withRows: readonly unknown[];
    /** Events as reports print them. */
    readonly except: readonly string[];
  },
): Subject {
  const beside = withRows.length === 0 ? subject : besideRows(subject, withRows);
  if (except.length === 0) return beside;
  const rules = except.map(parseEvent);
  return exceptOutputs(beside, (output) => rules.some((holds) => holds(output)));
}
