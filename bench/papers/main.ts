import { type Program, runProgram } from "../../scripts/run_program.ts";

/** The experiments by name: `deno task experiment NAME --data DIR`. */
export const EXPERIMENTS: Readonly<Record<string, Program>> = {
  "erm": {
    file: "bench/papers/erm/main.ts",
    about: "The tables of Chaudhuri et al. 2011",
    permissions: ["--allow-write", "--allow-run=python3"],
  },
  "null-space": {
    file: "bench/papers/null_space/main.ts",
    about: "The figures of Xu et al. 2017",
  },
  "one-run": {
    file: "bench/papers/one_run/main.ts",
    about: "A private training run on Adult, audited by its canaries",
  },
  "queries": {
    file: "bench/papers/queries/main.ts",
    about: "Learning from noisy answers beside plain ones, and attacks",
    permissions: ["--allow-write"],
  },
};

if (import.meta.main) await runProgram("experiment", EXPERIMENTS);
