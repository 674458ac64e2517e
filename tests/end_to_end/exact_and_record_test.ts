import { assert, assertEquals } from "@std/assert";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { longTest } from "../long.ts";
import { runHere, withFolder } from "./run_cli.ts";

const ANSWERS = [
  "d.reduce((a, x) => a + x, 0)",
  "d.length",
  "d.filter((x) => x > 0.5).length",
  "Math.max(0, ...d)",
  "(d.length > 2 ? 1 : 0)",
  "d.reduce((a, x) => a + Math.min(x, 0.5), 0)",
];
const SCALES = [0.5, 1, 1.5, 2, 3, 4], LIMITS = [0, 0.5, 1, 2];

/** A module by chance: up to three noisy answers, and up to two outputs that are computed from these, some after a condition on noise. */
function moduleOf(seed: number): string {
  const source = new SeededSource(seed);
  const below = (count: number): number => Math.floor(source.uniform() * count);
  const one = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
  const count = 1 + below(3);
  const noisy = (): string => `n${below(count)}`;
  const output = (): string => {
    const a = noisy(), b = noisy(), limit = one(LIMITS);
    return one([
      a,
      `${a} > ${limit}`,
      `${a} > ${b}`,
      `Math.max(${a}, ${b})`,
      `${a} + ${b}`,
      `(${a} > ${limit} ? ${b} : ${limit})`,
      `Math.floor(${a})`,
      `Math.abs(${a})`,
      `Math.min(${a}, ${limit})`,
      `2 * ${a} - 1`,
    ]);
  };
  const lines = Array.from({ length: count }, (_, k) => {
    const isReused = k > 0 && source.uniform() < 0.1;
    const noise = isReused ? "(n0 - q0)" : `s.laplace({ scale: ${one(SCALES)} })`;
    return `const q${k} = ${one(ANSWERS)}, n${k} = q${k} + ${noise};`;
  });
  if (source.uniform() < 0.3) lines.push(`if (n0 > ${one(LIMITS)}) return [${output()}];`);
  const outputs = Array.from({ length: 1 + below(2) }, output).join(", ");
  return `export default (d, s) => {\n${lines.join("\n")}\nreturn [${outputs}];\n};\n`;
}

interface Decided {
  readonly verdict: string;
  readonly epsilon?: number;
  readonly cost?: number;
}

/** What a command says of a module. Modules are cached by their names. */
async function decided(command: "exact" | "record", module: string): Promise<Decided> {
  const rows = ["--rows", '{"type":"number","min":0,"max":1}', "--size", "0..3"];
  const about = ["--module", module, "--epsilon", "1"];
  const file = `${module}.${command}.json`;
  await runHere([command, ...about, ...rows, "--relation", "add-remove-one", "--json", file]);
  return JSON.parse(await Deno.readTextFile(file));
}

// Two mechanisms that share the rewriter alone: alignments proved for all noise, and runs with the same noise compared.
longTest(
  "what exact proves of programs by chance record does not suspect, and what it refutes record suspects",
  () =>
    withFolder(async (folder) => {
      const verdicts = new Map<string, number>();
      for (let seed = 1; seed <= 100; seed++) {
        const module = `${folder}/program${seed}.mjs`, text = moduleOf(seed);
        await Deno.writeTextFile(module, text);
        const exact = await decided("exact", module);
        verdicts.set(exact.verdict, (verdicts.get(exact.verdict) ?? 0) + 1);
        if (exact.verdict === "not proved") continue;
        const recorded = await decided("record", module);
        const expected = exact.verdict === "holds" ? "nothing found" : "suspected";
        assertEquals(recorded.verdict, expected, `seed ${seed}: ${exact.verdict}\n${text}`);
        if (exact.verdict !== "holds") continue;
        assert(
          recorded.cost! <= exact.epsilon! * (1 + 1e-9),
          `seed ${seed}: ε = ${recorded.cost} recorded, ${exact.epsilon} proved\n${text}`,
        );
      }
      for (const verdict of ["holds", "refuted"]) {
        assert((verdicts.get(verdict) ?? 0) > 20, verdict);
      }
    }),
);
