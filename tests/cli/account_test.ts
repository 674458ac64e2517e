import { assert, assertEquals } from "@std/assert";
import { runMain } from "./run_main.ts";

interface Totals {
  readonly epsilon: { readonly lower: number; readonly upper: number; readonly delta: number };
  readonly delta: { readonly lower: number; readonly upper: number; readonly epsilon: number };
}

async function totalsOf(...words: string[]): Promise<Totals> {
  const { code, out } = await runMain(["account", ...words, "--json", "-"]);
  assertEquals(code, 0);
  return JSON.parse(out);
}

// Mutants: the count left out, which the first two lines see; laplace read as any ε-DP mechanism; the rate of one release taken for all.
Deno.test("dpcheck account gives bounds about known values, by options and by JSON alike", async () => {
  // N(0, 1) against N(1, 1): δ(1) = Φ(−1/2) − e·Φ(−3/2) (Balle, Wang 2018); four times σ = 2 are the same.
  const exact = 0.12693673750664397;
  for (
    const words of [["--sigma", "2", "--count", "4"], [
      '[{"mu":0.5,"count":2},{"sigma":2,"count":2}]',
    ]]
  ) {
    const { delta } = await totalsOf(...words, "--epsilon", "1");
    assert(delta.lower <= exact && exact <= delta.upper && delta.upper < exact * 1.002);
  }
  // Laplace noise: 1 − e^((ε − 1)/2) at ε up to 1; any pure mechanism: (e − e^ε)/(1 + e).
  const cases = [["--laplace", -Math.expm1(-0.25)], [
    "--each",
    (Math.E - Math.sqrt(Math.E)) / (1 + Math.E),
  ]];
  for (const [option, value] of cases as [string, number][]) {
    const { delta } = await totalsOf(option, "1", "--epsilon", "0.5");
    assert(
      Math.abs(delta.lower / value - 1) < 2e-3 && Math.abs(delta.upper / value - 1) < 2e-3,
      option,
    );
  }
  // 1,000 samples at 0.01 with σ = 1: 1.83, as of other accountants.
  const sampled = '[{"sigma":1,"rate":0.01,"count":1000},{"epsilon":0.01}]';
  const { epsilon } = await totalsOf(sampled, "--delta", "1e-5");
  assert(epsilon.lower > 1.828 && epsilon.upper < 1.8385, `${epsilon.lower} to ${epsilon.upper}`);
});

Deno.test("docs/commands.md shows what dpcheck account prints", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/commands.md", import.meta.url));
  const [, words, shown] = /npx dpcheck (account --[^\n]+)\n```\n\n```text\n([^`]+)```/.exec(page)!;
  assertEquals((await runMain(words!.split(" "))).out, shown);
});

Deno.test("dpcheck account takes rows in one of some steps, and in many of them without a lower bound", async () => {
  const one = await totalsOf("--laplace", "1", "--steps", "5", "--epsilon", "0.4");
  assert(one.delta.lower > 0 && one.delta.upper < 1.01 * one.delta.lower);
  const two = await totalsOf('{"laplace":1,"steps":10,"chosen":9}', "--epsilon", "0.4");
  assertEquals(two.delta.lower, 0);
  assert(two.delta.upper > one.delta.upper);
});

Deno.test("dpcheck account says what it counted, and draws the trade-off on request", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/account.html`;
    const words = ["account", "--laplace", "0.5", "--delta", "1e-9", "--epsilon", "0.25"];
    const { code, out } = await runMain([...words, "--html", file]);
    assertEquals(code, 0);
    assertEquals(out.split("\n").slice(0, 2), [
      "once Laplace noise of ε = 0.5",
      "ε from 0.499999 to 0.5 at δ = 1e-9",
    ]);
    const page = await Deno.readTextFile(file);
    // 1 − e^0.5·0.05 of all who are present, or a little less: the curve is read at some ε alone.
    assert(page.includes("<svg") && /misses at least 91\.\d+% of those who are/.test(page));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
