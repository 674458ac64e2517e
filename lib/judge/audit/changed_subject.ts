import { parseEvent } from "./model/encoding/event_rule.ts";
import { besideRows } from "./subjects/beside_rows.ts";
import { exceptOutputs } from "./subjects/excepted_outputs.ts";
import { oneAtATime } from "./kernel/order/one_at_a_time.ts";
import type { Subject } from "./kernel/subject.ts";

/** Returns the subject as the options of an audit change it: with public rows before its datasets, its excepted outputs made one, or asked for one output at a time. */
export function changedSubject(
  given: Subject,
  { withRows, except, oneAtATime: isSingle = false }: {
    readonly withRows: readonly unknown[];
    /** Events as reports print them. */
    readonly except: readonly string[];
    readonly oneAtATime?: boolean;
  },
): Subject {
  const subject = isSingle ? oneAtATime(given) : given;
  const beside = withRows.length === 0 ? subject : besideRows(subject, withRows);
  if (except.length === 0) return beside;
  const rules = except.map(parseEvent);
  return exceptOutputs(beside, (output) => rules.some((holds) => holds(output)));
}
