import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  quoteWord,
  shellOperatorIn,
  splitCommand,
} from "../../../../../lib/judge/audit/subjects/process/split_command.ts";

Deno.test("splitCommand() splits words when a shell would", () => {
  const cases: [string, string[]][] = [
    ["python3 a.py", ["python3", "a.py"]],
    ["  a\t b\n c ", ["a", "b", "c"]],
    [`a 'b c' "d e"`, ["a", "b c", "d e"]],
    [`a b'c d'"e f"g`, ["a", "bc de fg"]],
    [`a '' ""`, ["a", "", ""]],
    [`a b\\ c \\" \\\\`, ["a", "b c", '"', "\\"]],
    [`a "\\"\\$\\x\\\\"`, ["a", '"$\\x\\']],
    [`a 'b\\'`, ["a", "b\\"]],
    ['a b\\\nc "d\\\ne"', ["a", "bc", "de"]],
    ["a | b > c; $HOME * #d", ["a", "|", "b", ">", "c;", "$HOME", "*", "#d"]],
  ];
  for (const [command, words] of cases) assertEquals(splitCommand(command), words, command);
});

// Mutants: quoted ones too; only those that stand alone; any word with one in it.
Deno.test("shellOperatorIn() finds what a shell would take for an operator", () => {
  const operators = [
    "|",
    "||",
    "&&",
    "&",
    ";",
    ">",
    ">>",
    "<",
    "2>",
    "2>&1",
    ">out.txt",
    "&>x",
    "1>x",
  ];
  for (const operator of operators) {
    assertEquals(shellOperatorIn(`sh x.sh ${operator} y z`), operator);
    assertEquals(shellOperatorIn(`sh 'a b' ${operator}`), operator);
    for (const quoted of [`'${operator}'`, `"${operator}"`, `\\${operator}`]) {
      assertEquals(shellOperatorIn(`sh x.sh ${quoted} y`), undefined);
    }
  }
  for (const command of ["sh -c 'a | b > c; d'", "a b;c d|e x=>y -> 3> a<b --x='>'", 'a ">"b']) {
    assertEquals(shellOperatorIn(command), undefined, command);
  }
});

Deno.test("splitCommand() throws when the line is incomplete", () => {
  for (const command of ["", "  ", "'' a", "a 'b", 'a "b', "a b\\"]) {
    assertThrows(() => splitCommand(command), RangeError, JSON.stringify(command));
  }
});

Deno.test("splitCommand() gives back the words when quoteWord() quoted them", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 }), (words) => {
      fc.pre(words[0] !== "");
      assertEquals(splitCommand(words.map(quoteWord).join(" ")), words);
    }),
    { seed: 1 },
  );
});

Deno.test("quoteWord() gives a text that a shell reads back as the word", () => {
  const words = ["plain", "a b", "it's", '"$HOME" `x` \\', "", "[1,2]", "~", "a;b&c|d"];
  const { stdout } = new Deno.Command("sh", {
    args: ["-c", `printf '%s\\n' ${words.map(quoteWord).join(" ")}`],
  }).outputSync();
  assertEquals(new TextDecoder().decode(stdout), words.map((word) => word + "\n").join(""));
});
