import type { Command } from "commander";

/** Takes the exit status of a command that ran. */
export type Done = (status: number) => void;

/**
 * Gives a command its arguments, its options and its action. The action calls `done`, and throws `BadInput` for what
 * ends in one line and status 2.
 */
export type DefineCommand = (command: Command, done: Done) => void;

/** A command as `dpcheck --help` lists it. */
export interface ListedCommand {
  /** What is written after its name. */
  readonly usage: string;
  readonly description: string;
  /** Loads the file that defines it. */
  readonly load: () => Promise<DefineCommand>;
}

/** All commands by name, in the order of `dpcheck --help`. Listing them loads none. */
export const COMMANDS: ReadonlyMap<string, ListedCommand> = new Map([
  ["audit", {
    usage: "[options]",
    description: "test whether a program keeps its differential-privacy claim",
    load: async () => (await import("./audit.ts")).defineAudit,
  }],
  ["verify", {
    usage: "[options] <EVIDENCE>",
    description:
      "confirm a refutation on fresh draws; runs the program that the evidence names, twice at first",
    load: async () => (await import("./verify.ts")).defineVerify,
  }],
  ["suite", {
    usage: "[options] [FILE]",
    description: "many audits with one error statement and one report",
    load: async () => (await import("./suite.ts")).defineSuite,
  }],
  ["worker", {
    usage: "[options]",
    description:
      "draw shards of audits that were begun elsewhere with --queue, and run audits of suites",
    load: async () => (await import("./worker.ts")).defineWorker,
  }],
  ["exact", {
    usage: "[options]",
    description:
      "run a program on every path of its draws: whether it keeps its claim, and its least ε where draws are discrete",
    load: async () => (await import("./exact.ts")).defineExact,
  }],
  ["canaries", {
    usage: "[options] <FILE>",
    description: "audit one training run: which canaries were in, and the model's score for each",
    load: async () => (await import("./canaries.ts")).defineCanaries,
  }],
  ["prove", {
    usage: "[options] [ids...]",
    description:
      "check theorems, refute published claims that are false and common mistakes, reject their mutants",
    load: async () => (await import("./prove.ts")).defineProve,
  }],
  ["train", {
    usage: "[options]",
    description: "train a classifier privately and write it with its claim",
    load: async () => (await import("./train.ts")).defineTrain,
  }],
  ["predict", {
    usage: "[options]",
    description: "predict the class of every row with a model of dpcheck train",
    load: async () => (await import("./predict.ts")).definePredict,
  }],
  ["score", {
    usage: "[options]",
    description:
      "the share of labelled rows that a model of dpcheck train predicts right (not private: for public rows)",
    load: async () => (await import("./score.ts")).defineScore,
  }],
  ["clean", {
    usage: "[options]",
    description:
      "take out of features what a predictor does not look at (this is not differential privacy)",
    load: async () => (await import("./clean.ts")).defineClean,
  }],
]);
