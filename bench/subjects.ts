/**
 * How many outputs a second dpcheck takes from a child process: over JSON Lines from a program in C and
 * one in Python, and over the binary path; and from modules in a thread of their own. Needs a C compiler
 * (`cc`) and `python3`.
 *
 *     deno run --allow-read --allow-write --allow-run bench/subjects.ts
 */
import type { Subject } from "../lib/audit/subject.ts";
import { moduleSubject } from "../lib/audit/subjects/module_subject.ts";
import { processSubject } from "../lib/audit/subjects/process_subject.ts";
import { quoteWord } from "../lib/audit/subjects/split_command.ts";
import { SeededSource } from "../lib/random/seeded_source.ts";

/** Seconds measured for each program, after as long for warming up. */
const SECONDS = 2;
const FEW = 20_000;

const folder = await Deno.makeTempDir();
try {
  const source = new URL("../fixtures/subjects/", import.meta.url).pathname;
  const laplace = `${folder}/laplace`;
  const { success } = await new Deno.Command("cc", {
    args: ["-O2", "-o", laplace, `${source}laplace.c`, "-lm"],
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error("Cannot measure: cc must compile fixtures/subjects/laplace.c");
  const python = `python3 ${quoteWord(`${source}laplace_mean.py`)}`;
  await measure("C, binary", processSubject(`${quoteWord(laplace)} --binary`), 3_000_000);
  await measure("C, JSON Lines", processSubject(quoteWord(laplace)), 300_000);
  await measure("Python, JSON Lines", processSubject(python));
  for (const module of ["laplace_mechanism", "plain_function", "sparse_vector_without_noise"]) {
    const specifier = `${source}modules/${module}.ts`;
    await measure(module, await moduleSubject(specifier, { source: new SeededSource(1) }));
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function measure(what: string, subject: Subject, atLeast?: number): Promise<void> {
  try {
    let outputs = 0;
    let start = performance.now();
    for (const phase of ["warm", "measured"]) {
      outputs = 0;
      start = performance.now();
      while (performance.now() - start < SECONDS * 1000) {
        const count = phase === "warm" ? FEW : 5 * FEW;
        await subject.draw([0, 1, 1], count);
        outputs += count;
      }
    }
    const rate = Math.round(outputs / (performance.now() - start) * 1000);
    const target = atLeast === undefined ? "" : `  (at least ${atLeast.toLocaleString("en-US")})`;
    console.log(
      `${what.padEnd(28)} ${rate.toLocaleString("en-US").padStart(12)} a second${target}`,
    );
  } finally {
    await subject.close();
  }
}
