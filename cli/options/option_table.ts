import { MOST_WORKERS } from "../../lib/judge/audit/kernel/copies/in_parallel.ts";
import {
  LEAST_DESCRIPTOR,
  MOST_DESCRIPTOR,
} from "../../lib/judge/audit/subjects/process/process_subject.ts";
import type { Relation } from "../../lib/core/relations/relation.ts";
import {
  alphaValue,
  deltaValue,
  eventValues,
  integerFrom,
  jsonOrFileValue,
  type JsonValue,
  jsonValue,
  lifetimeValue,
  numberAbove,
  powerValue,
  restartValue,
  rowsValue,
  ruleValues,
  sizeValue,
  urlValue,
} from "./option_values.ts";
import { RELATIONS, relationValue } from "./relation_value.ts";

/** The commands that take options of the table. */
export type Taker = "audit" | "verify" | "record" | "exact";

/** Forms that the value of an option has in a suite file. */
export type SuiteType =
  | "text"
  | "texts"
  | "two texts"
  | "flag"
  | "integer"
  | "count"
  | "positive"
  | "above one"
  | "below one"
  | "json"
  | "json list";

/** Everything that is said of one option. */
export interface OptionEntry {
  /** Placeholder that help shows after the name, as in `<N>`. A flag has none. */
  readonly value?: string;
  /** Reads the text of a value. Without it the text is the value. */
  readonly read?: (text: string, before: never) => unknown;
  /** Writes a value that was read, where `String` does not. */
  readonly write?: (value: never) => string;
  /** Value where the option is not given. A flag that is set by default is written with `--no-` before its name. */
  readonly default?: unknown;
  /** The option may be given again; its value is a list. */
  readonly repeated?: true;
  /** Left out of help. */
  readonly hidden?: true;
  readonly help: string;
  /** Help of commands for which the option means something else. */
  readonly helpOf?: Partial<Record<Taker, string>>;
  /** The field of an audit in a suite file. Suites do not have options without it. */
  readonly suite?: { readonly type: SuiteType; readonly text: string };
  /** The option names the subject; `foreign` where that is code of somebody else. */
  readonly subject?: "foreign" | "shipped" | "recorded";
  /** The option writes a file, or changes what is printed. A replay has none of these. */
  readonly report?: "file" | "print";
  /** Left out of replays, though it is no report. */
  readonly replayed?: false;
  /** Bounds the effort. Evidence of a suite is kept when it changes. */
  readonly budget?: true;
  /** Says how draws are made. `audit --exact` draws nothing, and ignores it. */
  readonly ofDraws?: true;
  /** `verify` takes it from its own command line, and not from the evidence of somebody else. */
  readonly ofCaller?: true;
  /** May be given again with `--resume`. */
  readonly onResume?: true;
}

/**
 * The options of `audit`, `verify`, `record` and `exact`, in the order of a replay. Commands, suite files and their JSON Schema, replays,
 * evidence and checkpoints are made of these entries; `command_options.ts` says in which order the help of a command lists them.
 */
export const OPTIONS = {
  mechanism: {
    value: "<NAME>",
    help: "a mechanism that dpcheck ships",
    suite: { type: "text", text: "a mechanism that dpcheck ships" },
    subject: "shipped",
  },
  module: {
    value: "<FILE>",
    help: "FILE[#EXPORT]: a mechanism or a function (data, source) => output",
    suite: { type: "text", text: "FILE[#EXPORT]: a mechanism or a function" },
    subject: "foreign",
  },
  exec: {
    value: "<COMMAND>",
    help: "a program that speaks the subject protocol",
    helpOf: {
      record:
        "a program that records its noise, as those served by the Python and R adapters do, or can be seeded",
    },
    suite: { type: "text", text: "a program that speaks the subject protocol" },
    subject: "foreign",
  },
  url: {
    value: "<URL>",
    help: "an HTTP endpoint that answers requests of the subject protocol",
    suite: { type: "text", text: "an HTTP endpoint that answers requests of the protocol" },
    subject: "foreign",
  },
  fd: {
    value: "<N>",
    read: integerFrom(LEAST_DESCRIPTOR, MOST_DESCRIPTOR),
    help:
      "with --exec: the file descriptor of answers, if the program needs standard output itself (default: 1)",
    helpOf: {
      record:
        "the file descriptor of answers, if the program needs standard output itself (default: 1)",
    },
    suite: { type: "integer", text: "with exec: the descriptor of answers" },
  },
  independent: {
    help:
      "with --exec or --url: you promise that outputs are independent, so that they may be asked for in blocks (faster)",
    suite: { type: "flag", text: "with exec or url: outputs are independent" },
    ofCaller: true,
  },
  samples: {
    value: "<FILES...>",
    help: "LEFT RIGHT: recorded outputs on the two datasets",
    suite: { type: "two texts", text: "recorded outputs: two files" },
    subject: "recorded",
  },
  epsilon: {
    value: "<E>",
    read: numberAbove(0),
    help: "ε-DP, in nats",
    suite: { type: "positive", text: "ε-DP, in nats" },
  },
  delta: {
    value: "<D>",
    read: deltaValue,
    help: "with --epsilon: (ε, δ)-DP",
    suite: { type: "below one", text: "with epsilon: (ε, δ)-DP" },
  },
  order: {
    value: "<A>",
    read: numberAbove(1),
    help: "with --epsilon: Rényi DP of this order",
    helpOf: { exact: "continuous noise only: Rényi DP of this order, with --epsilon" },
    suite: { type: "above one", text: "with epsilon: Rényi DP of this order" },
  },
  rho: {
    value: "<R>",
    read: numberAbove(0),
    help: "ρ-zero-concentrated DP",
    helpOf: { exact: "continuous noise only: ρ-zCDP" },
    suite: { type: "positive", text: "ρ-zero-concentrated DP" },
  },
  mu: {
    value: "<M>",
    read: numberAbove(0),
    help: "μ-Gaussian DP",
    helpOf: { exact: "continuous noise only: μ-GDP" },
    suite: { type: "positive", text: "μ-Gaussian DP" },
  },
  left: {
    value: "<JSON>",
    read: jsonValue,
    write: textOfJson,
    help: "one dataset, with --right: any JSON value",
    suite: { type: "json", text: "one dataset, with right" },
  },
  right: {
    value: "<JSON>",
    read: jsonValue,
    write: textOfJson,
    help: "its neighbour",
    suite: { type: "json", text: "its neighbour" },
  },
  rows: {
    value: "<SPEC>",
    read: rowsValue,
    write: textOfJson,
    help: "search datasets with rows like this, see below",
    helpOf: { exact: "all datasets with rows like this, of finitely many values" },
    suite: { type: "json", text: "rows of the datasets that are searched" },
  },
  size: {
    value: "<A..B>",
    read: sizeValue,
    write: ({ min, max }: ReturnType<typeof sizeValue>) => `${min}..${max}`,
    help: "with --rows: from A to B rows, or just A",
    suite: { type: "text", text: "with rows: A..B rows, or A" },
  },
  require: {
    value: "<RULE>",
    read: ruleValues,
    repeated: true,
    help:
      'a rule that all datasets satisfy, as "every value of label" or "rows >= 5"; may be repeated',
    suite: { type: "texts", text: "rules that every dataset keeps" },
  },
  shrink: { default: true, help: "do not reduce a refuted pair", ofDraws: true },
  withRows: {
    value: "<JSON>",
    read: jsonValue,
    write: textOfJson,
    help: "a list of public rows with which every dataset begins",
    suite: { type: "json list", text: "public rows before every dataset" },
  },
  except: {
    value: "<EVENT>",
    read: eventValues,
    repeated: true,
    help: "leave out outputs that satisfy this event of an earlier report; may be repeated",
    suite: { type: "texts", text: "events that are left out" },
  },
  relation: {
    value: "<NAME>",
    read: relationValue,
    write: ({ name }: Relation) => name,
    help: `${RELATIONS} (you say that --left and --right are neighbours)`,
    suite: { type: "text", text: "replace-one or add-remove-one" },
  },
  alpha: {
    value: "<A>",
    read: alphaValue,
    help: "the largest chance of refuting a true claim (default: 0.01)",
    helpOf: {
      verify: "the largest chance of confirming a refutation of a true claim (default: 0.01)",
    },
    ofDraws: true,
    ofCaller: true,
  },
  maxDraws: {
    value: "<N>",
    read: integerFrom(1),
    help:
      "make N draws (default: 1000000 for a --mechanism with blocks, 200000 for a --module, 50000 for a program, 20000 for an " +
      "endpoint, and five times as many with --full-budget); the counterexample takes further draws",
    suite: { type: "count", text: "make so many draws" },
    budget: true,
    ofDraws: true,
  },
  maxPairs: {
    value: "<N>",
    read: integerFrom(1),
    help: "look at N pairs at most (default: 400)",
  },
  maxBranches: {
    value: "<N>",
    read: integerFrom(1),
    help:
      "run the program at most N times, on all datasets together (default: 1000000); with continuous noise, follow at most N paths (default: 10000)",
  },
  maxSeconds: {
    value: "<S>",
    read: numberAbove(0),
    help: "stop after S seconds; how many draws that allows depends on the machine (default: 600)",
    helpOf: {
      record:
        "stop after S seconds; how many pairs that allows depends on the machine (default: 120)",
      exact: "end undecided after S seconds on all datasets together (default: 300)",
    },
    suite: { type: "positive", text: "cut the audit after so many seconds" },
    budget: true,
    ofDraws: true,
  },
  remainder: {
    value: "<R>",
    read: alphaValue,
    help:
      "for a program that may draw for ever: the probability that may be left out on a dataset (default: 1e-9)",
  },
  workers: {
    value: "<N>",
    read: integerFrom(1, MOST_WORKERS),
    help:
      `copies of the subject that draw at the same time, ${MOST_WORKERS} at most (default: 1; with ` +
      "--full-budget all cores for --mechanism and --module)",
    suite: { type: "count", text: "copies of the subject that draw at the same time" },
    budget: true,
    ofDraws: true,
    ofCaller: true,
    onResume: true,
  },
  interactive: {
    help: "the subject answers questions: search strategies of them, and audit transcripts",
    replayed: false,
  },
  questions: {
    value: "<SPEC>",
    help:
      "with --interactive: kinds of questions with the values of their arguments, or a file that has them",
    replayed: false,
  },
  strategy: {
    value: "<JSON>",
    read: (text: string) => jsonOrFileValue(text),
    write: ({ text }: JsonValue) => text,
    help:
      "with --interactive, --left and --right: the questions to ask, as a report has them, or a .json file of them; nothing is searched",
    replayed: false,
  },
  lifetime: {
    value: "<WHOSE>",
    read: lifetimeValue,
    help:
      "with --interactive: the claim covers one session, all of a user, or those of the whole service (default)",
    replayed: false,
  },
  restartKeeps: {
    value: "<WHAT>",
    read: restartValue,
    help:
      "with --interactive: everything (default), or nothing, so that a restart begins a new claim",
    replayed: false,
  },
  timeout: {
    value: "<SECONDS>",
    read: numberAbove(0),
    default: 30,
    help: "the longest wait for an answer of a program or an output of a module",
    helpOf: { record: "the longest wait for an answer of a program or an output of a module" },
    suite: { type: "positive", text: "longest wait for an answer, in seconds" },
    ofDraws: true,
  },
  requirePower: {
    value: "<R>",
    read: powerValue,
    help:
      "inconclusive (status 4) unless a violation of R times the claim would be seen with 90% power (default: 2)",
    suite: { type: "above one", text: "as --require-power of an audit" },
    budget: true,
    ofDraws: true,
    ofCaller: true,
  },
  all: { help: "after a refutation go on with its event left out, until nothing is refuted" },
  bits: {
    help: "look at the bits of floating-point outputs too",
    suite: { type: "flag", text: "look at the bits of doubles too" },
    ofDraws: true,
  },
  oneAtATime: {
    help:
      "ask for each output only after the one before, so that a program cannot read ahead (slower)",
    suite: { type: "flag", text: "one output a request, and the next one after its answer" },
    ofDraws: true,
  },
  fullBudget: {
    help: "make all draws, even after a refutation, for the best lower bound",
    suite: {
      type: "flag",
      text:
        "spend the whole budget for the best bound; drawn in shards, through the queue of the suite",
    },
    budget: true,
    ofDraws: true,
    ofCaller: true,
  },
  recording: {
    default: true,
    help: "do not watch the noise of a program or a module before the audit draws",
    ofDraws: true,
  },
  strict: { help: "also status 1 if something is suspected" },
  seed: {
    value: "<N>",
    read: integerFrom(0),
    help: "make the run repeatable",
    helpOf: { record: "make the run repeatable (default: 1)" },
    ofDraws: true,
  },
  checkpoint: {
    value: "<FILE>",
    help: "with --full-budget: the file that keeps counts for --resume (default: in .dpcheck)",
    replayed: false,
  },
  queue: {
    value: "<URL>",
    read: urlValue,
    help:
      "with --full-budget: Redis, from which `dpcheck worker` on other machines takes shards of the audit; " +
      "env:NAME names a variable that holds the URL",
    replayed: false,
    onResume: true,
  },
  resume: {
    value: "<FILE>",
    help: "continue an interrupted audit from its checkpoint",
    replayed: false,
    onResume: true,
  },
  json: {
    value: "<FILE>",
    help: "write the report as JSON: the evidence that verify reads; with -, to standard output",
    helpOf: {
      record: "write what was found as JSON; with -, to standard output",
      exact: "write the report as JSON; with -, to standard output",
    },
    report: "file",
    onResume: true,
  },
  junit: {
    value: "<FILE>",
    help: "write the report as JUnit XML",
    helpOf: { record: "write what was found as JUnit XML" },
    report: "file",
    onResume: true,
  },
  html: {
    value: "<FILE>",
    help: "write the report as one HTML page",
    helpOf: {
      record: "write what was found as one HTML page, both runs drawn beside each other",
    },
    report: "file",
    onResume: true,
  },
  sarif: {
    value: "<FILE>",
    help: "write the report as SARIF, for code scanning",
    helpOf: { record: "write what was found as SARIF, each finding at its line" },
    report: "file",
    onResume: true,
  },
  markdown: {
    value: "<FILE>",
    help: "write the report as Markdown, for the summary of a build",
    helpOf: { record: "write what was found as Markdown, for the summary of a build" },
    report: "file",
    onResume: true,
  },
  github: {
    help: "print an annotation for GitHub Actions, and add to its summary",
    report: "print",
    onResume: true,
  },
  quiet: {
    help: "print no report: there are the exit status and the files",
    report: "print",
    onResume: true,
  },
  certificate: {
    value: "<FILE>",
    help: "write what the verdict follows from, for dpcheck check",
  },
  smt: {
    value: "<FILE>",
    help:
      "write the same as questions in SMT-LIB 2: z3 and cvc5 --incremental must answer each with unsat",
  },
  exact: {
    help:
      "decide the claim of a --module or --mechanism on every path of its draws, as `dpcheck exact` does",
  },
  yes: { help: "with --resume: run the program that the checkpoint names" },
  // Suites add up evidence of several runs, which needs new draws in each.
  freshStart: {
    help: "refuse a subject that draws the same after every start",
    hidden: true,
  },
} as const satisfies Record<string, OptionEntry>;

function textOfJson({ text }: JsonValue): string {
  return text;
}

type Table = typeof OPTIONS;
/** The name of an option in code: `maxDraws` of `--max-draws`. */
export type OptionName = keyof Table;

/** The type of an option's value. */
type ValueOf<Entry> = Entry extends { readonly read: (...given: never) => infer Value } ? Value
  : Entry extends { readonly value: `${string}...>` } ? readonly string[]
  : Entry extends { readonly value: string } ? string
  : Entry extends { readonly default: boolean } ? boolean
  : true;

type WithDefault = { readonly default: unknown };

/** The values of these options as commander gives them, each checked by itself. */
export type ArgumentsOf<Names extends OptionName> =
  & {
    readonly [Name in Names as Table[Name] extends WithDefault ? Name : never]: ValueOf<
      Table[Name]
    >;
  }
  & {
    readonly [Name in Names as Table[Name] extends WithDefault ? never : Name]?: ValueOf<
      Table[Name]
    >;
  };

/** Names of the options whose entry has a field. */
export type NamesWith<Field extends keyof OptionEntry> = {
  [Name in OptionName]: Table[Name] extends { readonly [_ in Field]: unknown } ? Name : never;
}[OptionName];

/** All names, in the order of the table. */
export const OPTION_NAMES = Object.keys(OPTIONS) as readonly OptionName[];

/** The entry of an option. */
export function entryOf(name: OptionName): OptionEntry {
  return OPTIONS[name];
}

/** The names of the options whose entry has a field, in the order of the table. */
export function namesWith<Field extends keyof OptionEntry>(
  field: Field,
): readonly NamesWith<Field>[] {
  return OPTION_NAMES.filter((name) => entryOf(name)[field] !== undefined) as NamesWith<Field>[];
}

/** An option as it is written on a command line, without its value. */
export function flagOf(name: OptionName): string {
  const no = entryOf(name).default === true ? "no-" : "";
  return `--${no}${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
