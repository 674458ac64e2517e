import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { closestName } from "../../../lib/core/closest_name.ts";

const names = ["laplace", "geometric", "report-noisy-max", "sparse-vector", "k-means"];
const asked = (name: string): string => `; did you mean ${name}?`;

Deno.test("closestName() takes what is mistyped, in another case, or begun, for the name", () => {
  for (
    const [word, name] of [
      ["laplce", "laplace"],
      ["Laplcae", "laplace"],
      ["LAPLACE", "laplace"],
      ["noisy_max", undefined],
      ["report_noisy_max", "report-noisy-max"],
      ["rep", "report-noisy-max"],
      ["re", undefined],
      ["spa rse", "sparse-vector"],
      ["kmean", "k-means"],
      ["geo", "geometric"],
      ["gem", undefined],
      ["", undefined],
      ["x", undefined],
    ] as const
  ) {
    assertEquals(closestName(word, names), name === undefined ? "" : asked(name), word);
  }
  assertEquals(closestName("laplace", []), "");
});

Deno.test("closestName() allows one edit in a short word, and a third of the letters of a long one", () => {
  assertEquals(closestName("ab", ["xb"]), asked("xb"));
  assertEquals(closestName("ab", ["xy"]), "");
  assertEquals(closestName("abcdef", ["abcdxy"]), asked("abcdxy"));
  assertEquals(closestName("abcdef", ["abcxyz"]), "");
  assertEquals(closestName("abcdefghi", ["xyzdefghi"]), asked("xyzdefghi"));
  assertEquals(closestName("abcdefghi", ["wxyzefghi"]), "");
  // A name that begins with the word is nearer than one edit, and further than the name itself.
  assertEquals(closestName("mean", ["meal", "meanings"]), asked("meanings"));
  assertEquals(closestName("mean", ["meanings", "Mean"]), asked("Mean"));
});

/** By its recursion, as it is defined. */
function distance(from: string, to: string): number {
  if (from === "" || to === "") return from.length + to.length;
  return Math.min(
    distance(from.slice(1), to) + 1,
    distance(from, to.slice(1)) + 1,
    distance(from.slice(1), to.slice(1)) + (from[0] === to[0] ? 0 : 1),
  );
}

Deno.test("closestName() finds the least number of letters put in, left out and replaced", () => {
  const word = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 6 })
    .map((letters) => letters.join(""));
  fc.assert(
    fc.property(word, word, (given, name) => {
      const begins = given.length >= 3 && name.startsWith(given);
      const isNear = begins || distance(given, name) <= Math.max(1, given.length / 3);
      assertEquals(closestName(given, [name]), isNear ? asked(name) : "");
    }),
    { seed: 14, numRuns: 500 },
  );
});
