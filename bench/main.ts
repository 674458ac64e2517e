import { type Program, runProgram } from "../scripts/run_program.ts";

/** The benchmarks by name: `deno task bench NAME`. */
export const BENCHMARKS: Readonly<Record<string, Program>> = {
  "accounting-peers": {
    file: "bench/peers/accounting.ts",
    about: "Bounds on ε and CPU seconds, beside dp_accounting, where a copy is at hand",
    permissions: ["--allow-run"],
  },
  "bounds": {
    file: "bench/audits/bounds_by_draws.ts",
    about: "Lower bounds on ε after a fixed number of draws: the same on every machine",
  },
  "diffprivlib": {
    file: "bench/library/diffprivlib.ts",
    about:
      "Errors of answers about tables on Adult, beside diffprivlib, and seconds of 99 quantiles",
    permissions: ["--allow-run"],
  },
  "erm": {
    file: "bench/papers/erm/main.ts",
    about: "With --data DIR: the tables of Chaudhuri et al. 2011",
    permissions: ["--allow-write"],
  },
  "exam": {
    file: "bench/exam/main.ts",
    about:
      "DPriv-Bench: 588 questions about mechanisms and 125 about papers; with --data DIR beside its key",
  },
  "false-alarms": {
    file: "bench/audits/false_alarms.ts",
    about: "Audits of true claims that refute them: shares, with bounds",
    permissions: ["--allow-run=python3"],
  },
  "kernels": {
    file: "bench/library/kernels.ts",
    about: "Nanoseconds a number of the WebAssembly kernels, beside the same loops in TypeScript",
  },
  "large-files": {
    file: "bench/library/large_files.ts",
    about: "Seconds and memory of training on files of more and more rows",
    permissions: ["--allow-write", "--allow-run"],
  },
  "limit": {
    file: "bench/limit/main.ts",
    permissions: ["--allow-write", "--allow-sys"],
    about: "Draws to refute 22 broken programs, beside the least that any test needs",
  },
  "null-space": {
    file: "bench/papers/null_space/main.ts",
    about: "With --data DIR: the figures of Xu et al. 2017",
  },
  "one-run": {
    file: "bench/papers/one_run/main.ts",
    about: "With --data DIR: a private training run on Adult, audited by its canaries",
  },
  "peers": {
    file: "bench/peers/main.ts",
    about: "DP-Sniper and StatDP beside dpcheck, where copies are at hand",
    permissions: ["--allow-write", "--allow-sys", "--allow-run"],
  },
  "power-stated": {
    file: "bench/audits/power_stated.ts",
    about: "Violations planted as reports state them, and how many of them audits find",
  },
  "queries": {
    file: "bench/papers/queries/main.ts",
    about: "With --data DIR: learning from noisy answers beside plain ones",
    permissions: ["--allow-write"],
  },
  "queue": {
    file: "bench/scale/queue_load.ts",
    about: "Shards a second through one Redis; needs redis-server",
    permissions: [
      "--allow-write",
      "--allow-sys",
      "--allow-run=redis-server",
      "--allow-net=127.0.0.1",
    ],
  },
  "sampling": {
    file: "bench/library/sampling.ts",
    about: "Nanoseconds a draw of the block samplers, beside numpy's",
    permissions: ["--allow-run=python3"],
  },
  "tables": {
    file: "bench/library/tables.ts",
    about: "CPU seconds of questions by group on each engine, beside the same without privacy",
    permissions: ["--allow-write", "--allow-net", "--allow-ffi", "--allow-sys"],
  },
  "throughput": {
    file: "bench/scale/throughput.ts",
    about: "Draws a second of whole audits, beside another checkout",
    permissions: ["--allow-write", "--allow-sys", "--allow-run"],
  },
};

if (import.meta.main) await runProgram("bench", BENCHMARKS);
