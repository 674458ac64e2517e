import { readFileSync } from "node:fs";
import { closestName } from "../../lib/core/text/closest_name.ts";
import { BadInput } from "../options/bad_input.ts";
import { brokenRule } from "../../lib/core/text/broken_rule.ts";
import { withoutByteOrderMark } from "../options/byte_order_mark.ts";
import { names } from "../options/mechanisms.ts";
import { namesWith } from "../options/option_table.ts";
import { jsonValue } from "../options/option_values.ts";
import { reasonOf } from "../options/reason_of.ts";
import { relationValue } from "../options/relation_value.ts";
import { parseRowSpec } from "../options/row_spec.ts";
import { type Suite, suiteEntry, suiteFile } from "../entries/suite_schema.ts";

const SUBJECTS = namesWith("subject");

/** Reads a suite file. @throws {BadInput} with one sentence that names the place and the rule. */
export function readSuite(file: string): Suite {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new BadInput(`the suite ${file} cannot be read: ${reasonOf(error)}`);
  }
  return parseSuite(text, file);
}

/** Reads the text of a suite file. @throws {BadInput} with one sentence. */
export function parseSuite(text: string, file: string): Suite {
  let value: unknown;
  try {
    value = jsonValue(withoutByteOrderMark(text)).value;
  } catch (error) {
    throw new BadInput(`the suite ${file} is refused: ${reasonOf(error)}`);
  }
  const result = suiteFile.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    const inEntry = issue.path[0] === "audits" && issue.path.length >= 2;
    const known = Object.keys((inEntry ? suiteEntry : suiteFile).shape);
    const problem = issue.code === "unrecognized_keys"
      ? `unknown key ${issue.keys[0]}${closestName(issue.keys[0]!, known)}`
      : brokenRule(issue);
    const place = issue.path.map(String).join(".");
    throw new BadInput(`the suite ${file}${place === "" ? "" : `, ${place}`}: ${problem}`);
  }
  const suite = result.data;
  const seen = new Set<string>();
  for (const entry of suite.audits) {
    const refuse = (rule: string): never => {
      throw new BadInput(`the suite ${file}, audit ${entry.name}: ${rule}`);
    };
    if (seen.has(entry.name)) refuse("its name must stand once");
    seen.add(entry.name);
    if (SUBJECTS.filter((key) => entry[key] !== undefined).length !== 1) {
      refuse("give one subject: mechanism, module, exec, url or samples");
    }
    if (entry.mechanism !== undefined && !names.includes(entry.mechanism)) {
      refuse(`no mechanism ${entry.mechanism}${closestName(entry.mechanism, names)}`);
    }
    if (entry.relation !== undefined) trying(() => relationValue(entry.relation!), refuse);
    if (entry.rows !== undefined) trying(() => parseRowSpec(entry.rows), refuse);
    if (entry.share !== undefined && suite.error === "false-discovery-rate") {
      refuse("share goes with the error family-wise");
    }
  }
  return suite;
}

/** Refuses for the reason that `read` throws. */
function trying(read: () => unknown, refuse: (rule: string) => never): void {
  try {
    read();
  } catch (error) {
    refuse(reasonOf(error));
  }
}
