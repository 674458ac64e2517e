import { assertEquals, assertThrows } from "@std/assert";
import { SubjectFailure } from "../../../../../lib/audit/subjects/subject.ts";
import { ComparedCopies } from "../../../../../lib/audit/subjects/copies/compared_copies.ts";

/** The outputs of each of four copies, one letter each. */
function compare(...drawn: readonly string[]): ComparedCopies {
  const compared = new ComparedCopies("program", drawn.length);
  const data = [0];
  for (let i = 0; i < drawn[0]!.length; i++) {
    compared.look(
      data,
      drawn.map((letters) => letters[i]),
    );
  }
  return compared;
}

// Mutants: each copy compared with the first alone, or with the one before it alone, or by the last output alone.
Deno.test("ComparedCopies tells copies apart by the first output in which they differ", () => {
  const cases: [string[], number[]][] = [
    [["", "", "", ""], [0]],
    [["a", "a", "a", "a"], [0]],
    [["a", "b", "b", "b"], [0, 1]],
    [["a", "b", "a", "b"], [0, 1]],
    [["ab", "aa", "ab", "bb"], [0, 1, 3]],
    [["abc", "abc", "bbc", "abd"], [0, 2, 3]],
    [["ax", "bx", "ax", "cx"], [0, 1, 3]],
    [["aa", "ab", "ba", "bb"], [0, 1, 2, 3]],
  ];
  for (const [drawn, different] of cases) {
    const compared = compare(...drawn);
    assertEquals(compared.different, different, drawn.join(" "));
    assertEquals(compared.isOver, different.length === 4);
  }
});

// Mutants: half of the nats, or twice as many; the second copy alone compared.
Deno.test("ComparedCopies refuses copies that agree beyond chance", () => {
  // Two outputs by turns: n outputs have n·ln 2 nats, and 40 of them with the 58th.
  const compared = new ComparedCopies("program", 3);
  const data = [0];
  for (let n = 1; n <= 57; n++) compared.look(data, [n % 2, 2, n % 2]);
  const { message } = assertThrows(() => compared.look(data, [0, 2, 0]), SubjectFailure);
  assertEquals(
    message,
    "copies of program drew the same 58 outputs: they start from the same seed, so that only one of them can be audited",
  );
});

// Mutant: frequencies of outputs on all datasets together.
Deno.test("ComparedCopies accepts copies that agree because each dataset has one output", () => {
  const compared = new ComparedCopies("program", 2);
  const datasets = Array.from({ length: 10 }, (_, k) => [k]);
  for (let n = 0; n < 1000; n++) {
    for (const data of datasets) compared.look(data, [data[0], data[0]]);
  }
  assertEquals(compared.different, [0]);
  assertEquals(compared.isOver, true);
});

// Mutant: 40 nats needed on each dataset.
Deno.test("ComparedCopies adds up the nats of several datasets", () => {
  const compared = new ComparedCopies("program", 2);
  const datasets = Array.from({ length: 10 }, (_, k) => [k]);
  assertThrows(() => {
    for (let n = 0; n < 8; n++) for (const data of datasets) compared.look(data, [n, n]);
  }, SubjectFailure);
});

// Mutant: values that are not the same object differ.
Deno.test("ComparedCopies compares outputs of any shape by their text", () => {
  const compared = new ComparedCopies("program", 2);
  for (const output of [0.1, NaN, null, "a", [1, 2], { a: [null] }, undefined, 10n]) {
    compared.look([0], [structuredClone(output), structuredClone(output)]);
  }
  assertEquals(compared.different, [0]);
  compared.look([0], [{ a: 1 }, { a: 2 }]);
  assertEquals(compared.different, [0, 1]);
});
