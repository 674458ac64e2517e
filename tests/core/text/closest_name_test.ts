import { assertEquals } from "@std/assert";
import { closestName } from "../../../lib/core/text/closest_name.ts";

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
