import { ExitStatus } from "./exit_status.ts";

/** A kind of error that a command can end with. Its code is stable: programs and pages may refer to it. */
export interface ErrorCode {
  readonly code: string;
  /** The rest of the sentence "dpcheck ends with this when …". */
  readonly when: string;
  /** A remedy of one or two sentences, in Markdown. */
  readonly remedy: string;
  /** A message of this kind. */
  readonly example: string;
  /** The exit status. */
  readonly status: 2 | 3 | 4;
  /** Matches its messages; of several kinds that match, the first applies. */
  readonly pattern: RegExp;
}

/** All kinds, the narrower ones first. `docs/errors.md` and `dpcheck explain` are made of them. */
export const ERROR_CODES: readonly ErrorCode[] = [
  {
    code: "internal",
    status: 3,
    when: "dpcheck itself has a fault",
    example: "internal error: TypeError: …",
    remedy:
      "Report it with the command and the text below the message. Nothing was shown for or against the claim.",
    pattern: /^internal error/,
  },
  {
    code: "inconclusive",
    status: 4,
    when: "the run could not have seen a violation worth the name",
    example: "inconclusive: every output was the same on all datasets",
    remedy:
      "Give more draws (`--max-draws`), or a pair or a domain on which outputs differ more ([inconclusive](verdicts.md#inconclusive)).",
    pattern: /^inconclusive: /,
  },
  {
    code: "program-not-found",
    status: 2,
    when: "the words of `--exec` name no program that can be started",
    example: "--exec no_such_program: must name a program that can be run",
    remedy:
      'Run the command by hand in the same folder first. `--exec` takes one text, as in `--exec "python3 stats.py"`, and starts no shell: `~`, `*`, pipes and variables stay as they are written.',
    pattern: /that can be run|must name a program/,
  },
  {
    code: "every-output-an-error",
    status: 3,
    when: "the program never put out anything but errors",
    example: "every output was an error: no rows",
    remedy:
      "The message has the error. Mostly rows have another form than the function takes: compare `--rows` with one row of your data.",
    pattern: /every output was an error|gave no output/,
  },
  {
    code: "same-seed",
    status: 3,
    when: "copies of the program draw the same outputs",
    example: "copies of python3 stats.py drew the same 64 outputs: they start from the same seed",
    remedy:
      "Remove the fixed seed (`random.seed(1)`, `set.seed(1)`), or audit one copy: leave out `--workers`.",
    pattern: /starts? from the same seed|starts from/,
  },
  {
    code: "endpoint",
    status: 3,
    when: "the address of `--url` does not answer as a subject does, or a database gives no answer",
    example: "http://127.0.0.1:1/ could not be asked",
    remedy:
      'Ask it by hand: `curl -d \'{"id":1,"data":[],"count":1}\' URL`. It must answer with status 200 and the JSON of [the protocol](programs.md). Of a database the message says why.',
    pattern: /could not be asked|cannot be asked|^https?:/,
  },
  {
    code: "program-crashed",
    status: 3,
    when: "the program ended before it answered",
    example: "python3 stats.py crashed: it ended with exit status 1 before it answered request 1",
    remedy:
      'The message ends with what the program last wrote to standard error. Start the program by hand, and paste a request such as `{"id":1,"data":[],"count":1}` into it: empty data and data of one row are the first to be asked about. A function that is to refuse data throws an error, which the adapters send as an output.',
    pattern:
      /crashed|exit status|ended the process|failed outside of its call|was ended while|was closed/,
  },
  {
    code: "program-hung",
    status: 3,
    when: "the program did not answer in time",
    example: "python3 stats.py hung: it did not answer request 1 in 60 s",
    remedy:
      "Python and C keep what they print in a buffer: flush it after every line. Where one answer really takes that long, give `--timeout SECONDS`, and fewer draws with `--max-draws`.",
    pattern: /hung|time was over|was not settled|was not loaded in|drew nothing for|did not return/,
  },
  {
    code: "program-answer",
    status: 3,
    when: "what the program sent is no answer of the protocol, or it draws as the protocol forbids",
    example: 'echo hello: it sent "hello": invalid JSON',
    remedy:
      "Everything on standard output must be an answer, one JSON object a line: send what is meant for people to standard error. An answer repeats the `id` and has as many `outputs` as were asked for ([the protocol](programs.md)). An adapter does this for you.",
    pattern:
      /\bsent\b|invalid JSON|neither outputs nor error|outputs where|numbers from sampleMany|repeats one output|put out|cannot be drawn from/,
  },
  {
    code: "package-missing",
    status: 2,
    when: "an optional package is not installed",
    example: "--queue needs packages that are not installed: npm install bullmq ioredis",
    remedy: "Run the command that the message ends with. `dpcheck doctor` lists what is there.",
    pattern: /not installed/,
  },
  {
    code: "queue",
    status: 2,
    when: "the Redis of `--queue` cannot be used",
    example: "--queue redis://host:6379 cannot be used: the connection was refused",
    remedy:
      "Check the address with `redis-cli -u URL ping`. TLS is asked for by `rediss://`, with a name and a password before the host.",
    pattern: /--queue|redis/i,
  },
  {
    code: "standard-output",
    status: 3,
    when: "what dpcheck prints cannot be written",
    example: "standard output cannot be written: no space is left on the device",
    remedy: "Free the disk, or read all of it where it is piped into another program.",
    pattern: /^(standard output|a temporary file) cannot be written/,
  },
  {
    code: "not-confirmed",
    status: 2,
    when: "evidence would start a program of somebody else, and nobody said yes",
    example: "evidence.json runs python3 stats.py: give it again, or --yes",
    remedy:
      "Read the command in the message. If you would run it yourself, repeat it with `--yes`.",
    pattern: /not confirmed|give it again/,
  },
  {
    code: "evidence",
    status: 2,
    when: "a file of evidence is none, was changed, or belongs to something else",
    example: "evidence.json must be evidence of a refutation: its verdict is not-refuted",
    remedy:
      "`verify` takes a file that `audit --json` wrote about a refutation, unchanged. `suite` keeps its own in `.dpcheck`, which may be removed to begin anew. A checkpoint goes on only with the program and the options that it was begun with.",
    pattern:
      /evidence|replayArguments|report of an audit|the checkpoint|--resume|--checkpoint|its replay|was written by/,
  },
  {
    code: "file-not-written",
    status: 2,
    when: "a file cannot be written, or would overwrite another one",
    example: "--json /no/such/folder/r.json cannot be written: there is no such file or folder",
    remedy:
      "Make the folder first, and give each report a file of its own. `-` stands for standard output, once.",
    pattern: /cannot be written|must be two files|another file than|must be a new file/,
  },
  {
    code: "suite-file",
    status: 2,
    when: "`dpcheck.json` has a field that it must not have, or lacks one",
    example: "the suite dpcheck.json, audits.0: unknown key epsilom; did you mean epsilon?",
    remedy:
      'The message has the place. An editor checks the file while you write if it begins with `"$schema": "./node_modules/@dpcheck/dpcheck/docs/dpcheck.schema.json"` ([suites](suites.md)).',
    pattern: /^the suite |^audits? /,
  },
  {
    code: "file-not-read",
    status: 2,
    when: "a file that is named cannot be read",
    example: "--data rows.csv cannot be read: there is no such file or folder",
    remedy: "Paths are relative to the folder that the command runs in.",
    pattern:
      /cannot be read|there is no such|is a folder|not a folder|there must be a file|there is no file/,
  },
  {
    code: "not-decidable",
    status: 2,
    when:
      "`exact` cannot run the program on all paths of its draws, or it does what is not followed",
    example: "--module uniform.ts: uniform() has too many values to be enumerated",
    remedy:
      "Draw by methods of `source` that can be enumerated or proved ([draws that can be enumerated](programs.md#draws-that-can-be-enumerated)), or audit by draws: `dpcheck audit`.",
    pattern:
      /uniform\(\)|cannot be traced|finitely many|enumerat|cannot be decided|paths of its draws|--exact/,
  },
  {
    code: "module-not-loaded",
    status: 2,
    when: "a module cannot be loaded, or does not export the function",
    example: "--module stats.mjs: must export default: it exports noisyMean",
    remedy:
      "Name the function behind `#`, as in `--module stats.mjs#noisyMean`. TypeScript is loaded by Deno, and by Node from 22.18 on; other Nodes take `.mjs`.",
    pattern:
      /must load|must export|exports nothing|loads no TypeScript|--function|has no \w+$|(?<!write )--module/,
  },
  {
    code: "table",
    status: 2,
    when: "a table, its schema or a model file does not have the form that is needed",
    example: "--data table.csv: must have a column z",
    remedy:
      "The message names column and rule. Rows are never shown, and never refused for what is in them ([tables](tables.md), [training](how_to.md#train-a-private-classifier-on-a-file)).",
    pattern: /--data|--columns|--schema|--model |--predictor|columns?\b|column names|--ledger/,
  },
  {
    code: "samples",
    status: 2,
    when: "recorded outputs or canaries do not have the form that is needed",
    example: "--samples left.csv must hold at least 50 outputs: it holds 2",
    remedy:
      "`--samples LEFT RIGHT` takes two files with one output a line, at least 50 each, from independent runs. `canaries` takes a CSV file with the columns `included` and `score`.",
    pattern: /--samples|canaries|, line \d|included|at least one output|a JSON object a line/,
  },
  {
    code: "releases",
    status: 2,
    when: "`account` was given releases that say too little, too much or nonsense",
    example: "give one of --sigma, --mu, --laplace, --each: what is released",
    remedy:
      "A release is one of σ, μ, Laplace's ε or a claim, with sampling and a count where there are some ([account for releases](commands.md#account-for-releases)).",
    pattern:
      /release|RELEASES|--sigma|--mu\b.*what|rate must|chosen must|epsilon at|least ε|--each/,
  },
  {
    code: "name-not-known",
    status: 2,
    when: "a word, an option, a mechanism, a relation or a theorem is not known by this name",
    example: "--mechanism laplce is not known; did you mean laplace?",
    remedy:
      "Take the name that the message suggests. `dpcheck --help` lists commands, `dpcheck COMMAND --help` options, `dpcheck prove --list` theorems.",
    pattern:
      /did you mean|unknown (command|option|key)|too many arguments|is not known|there are |Allowed choices|must be one of|No relation|--list/,
  },
  {
    code: "options-exclude",
    status: 2,
    when: "two options cannot be given together",
    example: "--epsilon 1 and --rho 0.5 cannot be given together: one claim",
    remedy: "Leave one of them out. One audit has one subject, one claim, and one pair or domain.",
    pattern:
      /cannot be given|one claim|one subject|must come without|goes with|and not\b|not by both|one of --/,
  },
  {
    code: "option-missing",
    status: 2,
    when: "an option that is needed was not given",
    example: '--rows {"type":"boolean"} must come with --size A..B',
    remedy:
      "An audit needs a subject (`--exec`, `--module`, …), a claim (`--epsilon`, …), and datasets: `--left` and `--right`, or `--rows`, `--size` and `--relation` ([how to choose them](choosing_a_claim.md)).",
    pattern:
      /^give |must come with|needs |argument missing|must be given|missing required|not specified|required option|--mechanism or --module|claim that/,
  },
  {
    code: "not-neighbours",
    status: 2,
    when: "the two datasets are no neighbours, or are the same",
    example: "--left [0] and --right [0] must differ",
    remedy:
      "Neighbours differ in one row, as `--relation` says: add-remove-one leaves one row out, replace-one changes one.",
    pattern: /must differ|neighbour|array of rows|list of rows/,
  },
  {
    code: "not-json",
    status: 2,
    when: "something that must be JSON is not",
    example: "--left left.csv must be JSON",
    remedy:
      'Put JSON into single quotes, so that the shell leaves its double quotes alone: `--rows \'{"type":"boolean"}\'`. In PowerShell and cmd write it to a suite file instead.',
    pattern: /JSON/,
  },
  {
    code: "value-out-of-bounds",
    status: 2,
    when: "a value is not one that may be given here",
    example: "--alpha '2': must be below 1",
    remedy:
      "The message says what the value must be. ε is in nats: ε = 1 allows a factor of e = 2.718.",
    pattern: /must|Cannot|is invalid|expected|whole number|http:|above|below|at least|at most/,
  },
];

/** The kind of a message with which a command ends; one of the same exit status, if any fits. */
export function errorCodeOf(message: string, status: number): ErrorCode | undefined {
  const fitting = ERROR_CODES.filter(({ pattern }) => pattern.test(message));
  return fitting.find((kind) => kind.status === status) ?? fitting[0] ??
    // The widest kind stands last.
    (status === ExitStatus.badInput ? ERROR_CODES.at(-1) : undefined);
}

/** A message with its code, as it is printed. */
export function withCode(message: string, status: number): string {
  const kind = errorCodeOf(message, status);
  return kind === undefined ? message : `${message} [${kind.code}]`;
}
