import { assert, assertEquals } from "@std/assert";
import { wrapLines } from "../../../cli/options/wrap_lines.ts";

const TEXT = [
  "NOT REFUTED  sum.py: no violation of 1-DP (replace-one) was seen",
  "  An event of probability 0.1 on the pair drawn on last was seen with probability 0.99.",
  "  guesses   473 of 476 right: the 238 highest scores guessed in, the 238 lowest out",
  "Replay: dpcheck audit --exec 'python3 sum.py' --epsilon 1 --max-seconds 6 --seed 3",
  "",
  `\x1b[1mREFUTED\x1b[0m  \x1b[31mxxxxxxxxxxxxxxxxxxxxx\x1b[0m yyyyyyyyyyyyyyy zzzzzzzzzzzz`,
].join("\n");

// Mutants: words broken; colours counted; commands broken; words dropped, or the label's column.
Deno.test("wrapLines() breaks lines between words, and leaves commands, files and pipes alone", () => {
  for (const columns of [50, 64, 80, 120]) {
    const lines = wrapLines(TEXT, columns).split("\n");
    for (const line of lines) {
      // deno-lint-ignore no-control-regex
      const width = line.replaceAll(/\x1b\[\d+m/g, "").length;
      assert(width <= columns || line.startsWith("Replay"), `${width}: ${line}`);
    }
    assertEquals(lines.join(" ").split(/ +/), TEXT.replaceAll("\n", " ").split(/ +/));
    assert(lines.includes(TEXT.split("\n")[3]!));
  }
  assertEquals(wrapLines(TEXT, undefined), TEXT);
  assertEquals(
    wrapLines("  guesses   473 of 476 right: the 238 highest scores in", 42),
    "  guesses   473 of 476 right: the 238\n            highest scores in",
  );
  assertEquals(
    wrapLines("  one two three four five six seven eight nine", 40),
    [
      "  one two three four five six seven",
      "    eight nine",
    ].join("\n"),
  );
});

// Mutant: bars as they are, which a terminal breaks.
Deno.test("wrapLines() scales bars to the columns that are left, all of them alike", () => {
  const bars = [30, 15].map((length) =>
    `    left     72.8%  ${"█".repeat(length).padEnd(30)}  364 of 500`
  );
  const lines = wrapLines(bars.join("\n"), 40).split("\n");
  assertEquals(lines.map((line) => line.match(/█+/)?.[0].length ?? 0).filter((n) => n > 0), [
    27,
    14,
  ]);
  assert(lines.every((line) => line.trimEnd().length <= 40));
});
