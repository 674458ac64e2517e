import { assert, assertEquals } from "@std/assert";
import { Command } from "commander";
import fc from "fast-check";
import {
  addOptions,
  AUDIT,
  AUDIT_COMMAND,
  type AuditArguments,
  EXACT,
  namesOf,
  RECORD,
  VERIFY,
} from "../../../cli/options/command_options.ts";
import { entryOf, flagOf, namesWith, OPTION_NAMES } from "../../../cli/options/option_table.ts";
import { replayArguments } from "../../../cli/output/replay.ts";

function parsed(words: readonly string[]): AuditArguments {
  const command = addOptions(new Command("audit"), AUDIT, "audit").exitOverride();
  return command.parse(words, { from: "user" }).opts();
}

// Mutants: an entry that no command lists; a suite that takes an option which audits do not have.
Deno.test("every option is listed by a command, and no command lists one twice", () => {
  const listings = [AUDIT, AUDIT_COMMAND, VERIFY, RECORD, EXACT].map((each) => namesOf(each));
  for (const names of listings) assertEquals([...new Set(names)], names);
  assertEquals(new Set(listings.flat()), new Set(OPTION_NAMES));
  const ofAudit = new Set<string>(listings[0]);
  assertEquals(namesWith("suite").filter((name) => !ofAudit.has(name)), []);
  assertEquals(namesWith("subject").filter((name) => !ofAudit.has(name)), []);
});

/** Values of options that are not text. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  fd: ["3"],
  delta: ["0.5"],
  order: ["2.5"],
  left: ["[1,NaN]", '"a b"'],
  right: ["[]", "null"],
  rows: ['{"type":"boolean"}'],
  size: ["0..3", "4..4"],
  withRows: ["[1]"],
  relation: ["add-remove-one", "change-each-by-0.5"],
  except: ["output <= 3", 'output = "a b"'],
  alpha: ["0.02"],
  requirePower: ["Infinity", "3"],
  queue: ["redis://localhost"],
};

const words = fc.subarray(namesOf(AUDIT)).chain((names) =>
  fc.tuple(...names.map((name) => {
    const { value, repeated } = entryOf(name), flag = flagOf(name);
    if (value === undefined) return fc.constant([flag]);
    if (value.endsWith("...>")) return fc.constant([flag, "left file", "right"]);
    const one = fc.constantFrom(...VALUES[name] ?? ["7", "8"]);
    return (repeated ? fc.array(one, { minLength: 1, maxLength: 3 }) : one.map((text) => [text]))
      .map((texts) => texts.flatMap((text) => [flag, text]));
  })).map((words) => words.flat())
);

// Mutants: an option that a replay leaves out; --timeout written though it is the usual one; a size written as an object.
Deno.test("the words of a replay give the options again, but for files and where it runs", () => {
  const left = new Set<string>(["checkpoint", "queue", ...namesWith("report")]);
  fc.assert(
    fc.property(words, (words) => {
      const options = parsed(words),
        again = parsed(replayArguments(options, { seed: 5, pair: null }));
      const kept = Object.entries(options).filter(([name]) => !left.has(name));
      // Relations by NUMBER are made anew, with functions of their own.
      assertEquals(
        JSON.stringify(Object.entries(again).sort()),
        JSON.stringify(Object.entries({ ...Object.fromEntries(kept), seed: 5 }).sort()),
      );
    }),
    { seed: 1, numRuns: 200 },
  );
});

Deno.test("a counterexample takes the place of a search in a replay", () => {
  const options = parsed(["--rows", "[]", "--size", "3", "--require", "rows >= 1", "--all"]);
  const pair = { left: [1, Infinity], right: [] };
  const again = parsed(replayArguments(options, { seed: 5, pair }));
  assertEquals([again.left?.value, again.right?.value], [pair.left, pair.right]);
  assertEquals([again.rows, again.size, again.require, again.all], Array(4).fill(undefined));
  assert(!again.shrink);
});
