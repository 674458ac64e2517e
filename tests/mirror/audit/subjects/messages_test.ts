import { assertEquals } from "@std/assert";
import { quoted, quotedEnd } from "../../../../lib/audit/subjects/quoted.ts";
import { shownDataset } from "../../../../lib/audit/subjects/shown_dataset.ts";

// Mutants: no limit; control characters beyond those that JSON writes out.
Deno.test("quoted() shows the beginning of a text on one line", () => {
  assertEquals(quoted('a "b"\n\x1b[2J\x9b2J'), '"a \\"b\\"\\n\\u001b[2J\\u009b2J"');
  assertEquals(quoted("x".repeat(200)), `"${"x".repeat(200)}"`);
  assertEquals(quoted("x".repeat(201)), `"${"x".repeat(200)}"…`);
});

// Mutants: the last 200 characters, in the middle of a line; lines that only point; control characters as
// they are; no sign that something is left out, or always one.
Deno.test("quotedEnd() shows the last whole lines of a text", () => {
  const traceback = [
    "Traceback (most recent call last):",
    '  File "x.py", line 9, in <module>',
    "    mean([])",
    "    ~~~~^^^^",
    "ZeroDivisionError: division by zero",
  ];
  const shown = 'File "x.py", line 9, in <module> ⏎ mean([]) ⏎ ZeroDivisionError: division by zero';
  assertEquals(quotedEnd(traceback.join("\r\n")), `"${traceback[0]} ⏎ ${shown}"`);
  const long = "x".repeat(200);
  assertEquals(quotedEnd([long, ...traceback.slice(1)].join("\n")), `…"${shown}"`);
  assertEquals(quotedEnd(long), `"${long}"`);
  assertEquals(quotedEnd(`first\n${long}yz`), `…"${long.slice(2)}yz"`);
  assertEquals(quotedEnd("\x07out of\x9bluck\n\n"), '"\\u0007out of\\u009bluck"');
  assertEquals(quotedEnd("---"), '"---"');
});

// Mutants: cut without a sign; a value that JSON cannot write ends the message.
Deno.test("shownDataset() is JSON of at most 80 characters", () => {
  assertEquals(shownDataset([0.5, { a: "x" }]), '[0.5,{"a":"x"}]');
  assertEquals(shownDataset("x".repeat(78)), `"${"x".repeat(78)}"`);
  assertEquals(shownDataset("x".repeat(79)), `"${"x".repeat(79)}…`);
  assertEquals(shownDataset(undefined), "undefined");
  assertEquals(shownDataset([7n]), "7");
});
