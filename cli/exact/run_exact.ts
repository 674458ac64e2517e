import process from "node:process";
import {
  type ApproximateClaim,
  type Claim,
  claimUnder,
  describeClaim,
  type PureClaim,
} from "../../lib/core/claims/claim.ts";
import type { Dataset, Domain } from "../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import { asserted, type Relation } from "../../lib/core/relations/relation.ts";
import { readClaim } from "../../lib/judge/audit/subjects/read_claim.ts";
import type { ModuleExport } from "../../lib/judge/audit/subjects/thread/load_export.ts";
import { NotEnumerable } from "../../lib/judge/exact/enumeration/branching_source.ts";
import { certificateOf } from "../../lib/judge/exact/enumeration/certificate.ts";
import { checkExactly, type ExactReport } from "../../lib/judge/exact/enumeration/check_exactly.ts";
import type {
  EnumeratedProgram,
  ExactOptions,
} from "../../lib/judge/exact/enumeration/enumerated_program.ts";
import {
  datasetsOfDomain,
  neighboursOfDomain,
} from "../../lib/judge/exact/enumeration/finite_domain.ts";
import { answerDigest, lawDigest } from "../../lib/judge/exact/enumeration/answer_digest.ts";
import { drawingFrom } from "../../lib/judge/exact/enumeration/drawing_from.ts";
import { requireSameWithNumbers } from "../../lib/judge/exact/enumeration/uniform_branches.ts";
import { isTracedProgram } from "../../lib/judge/exact/alignment/first_draw.ts";
import type { TracedProgram } from "../../lib/judge/exact/alignment/trace_program.ts";
import { exactHtml } from "../../lib/judge/report/exact_html.ts";
import { exactJson } from "../../lib/judge/report/exact_json.ts";
import { exactText } from "../../lib/judge/report/exact_text.ts";
import { undecidedHtml, undecidedJson, undecidedText } from "../../lib/judge/report/undecided.ts";
import { BadInput, reading } from "../options/bad_input.ts";
import { claimOf } from "../options/claim_of.ts";
import { type Datasets, datasetsOf } from "../options/datasets_of.ts";
import type { ExactArguments } from "../options/command_options.ts";
import { type Known, requireSameInThreads } from "./fresh_threads.ts";
import { requireNothingLate } from "../../lib/judge/exact/followed_program.ts";
import { failingWhereProcessEnds } from "../output/failing_where_process_ends.ts";
import { isSupervisor, signsOfWork, supervised } from "../output/supervised.ts";
import { ExitStatus } from "../output/exit_status.ts";
import { namedMechanism, names, unknownMechanism } from "../options/mechanisms.ts";
import { checkOutputFiles, madeHere, usesStandardOutput } from "../output/output_files.ts";
import { openFollowed } from "./open_followed.ts";
import { runAlignment } from "./run_alignment.ts";
import { wrapLines } from "../options/wrap_lines.ts";
import { hashOf, writeCertificate } from "../output/write_certificate.ts";
import { writeOutput } from "../output/write_output.ts";

/** A program to enumerate, and what it says of itself. */
interface OpenProgram extends EnumeratedProgram {
  /** The program: it draws by the methods of its source. That of a module is rewritten. */
  readonly program: TracedProgram;
  /** The same as it was written. */
  readonly written: TracedProgram;
  readonly claim?: Claim;
  readonly domain?: Domain;
  /** The module that threads load to compare; absent for shipped mechanisms. */
  readonly specifier?: string;
}

/** Seconds of an enumeration that is given no limit. */
const DEFAULT_SECONDS = 300;
/** Paths on a dataset up to which its law is computed again in another thread. */
const MOST_BRANCHES = 200_000;

/** Datasets on which a program that compares uniform numbers is run as it was written. */
const MOST_COMPARED = 200;

/** Enumerates the program of the options, prints and writes the report. Returns the exit status. */
export async function runExact(options: ExactArguments): Promise<number> {
  if (isSupervisor(options)) {
    const { maxSeconds: seconds = DEFAULT_SECONDS } = options;
    return await supervised({ seconds, late: () => undecided(options, seconds) });
  }
  signsOfWork()();
  const release = failingWhereProcessEnds("nothing was decided");
  try {
    return await decide(options);
  } finally {
    // What the program put off to the next turn may still fail.
    await new Promise((done) => setTimeout(done, 0));
    release();
  }
}

/** Says that nothing was decided in time. */
function undecided(options: ExactArguments, seconds: number): number {
  const { module, json, html, relation = asserted } = options;
  const report = { subject: module!, seconds, claim: claimOf(options, relation) };
  if (json !== undefined) writeOutput("--json", json, undecidedJson(report));
  if (html !== undefined) writeOutput("--html", html, undecidedHtml(report, madeHere()));
  const stream = usesStandardOutput({ json, html }) ? process.stderr : process.stdout;
  const color = stream.isTTY && !process.env.NO_COLOR;
  stream.write(wrapLines(undecidedText(report, { color }), stream.columns));
  return ExitStatus.inconclusive;
}

async function decide(options: ExactArguments): Promise<number> {
  const { json, html, certificate, smt } = options;
  checkOutputFiles({ json, html, certificate, smt });
  const program = await openProgram(options);
  const relation = options.relation ?? program.claim?.relation ?? asserted;
  const anyClaim = claimAsked(options, program, relation);
  const given = datasetsOf(options, { subject: program, relation });
  if (isTraced(program, given)) {
    const { name, domain, specifier } = program;
    return await runAlignment(
      {
        name,
        run: program.program,
        claim: anyClaim,
        relation,
        written: program.written,
        ...(specifier && { specifier }),
        ...(domain && { domain }),
        ...given,
      },
      options,
    );
  }
  const claim = exactClaim(anyClaim);
  const start = performance.now();
  let result: ReturnType<typeof checkExactly>, where: ReturnType<typeof neighbourhoods>;
  let threads = 0;
  try {
    where = neighbourhoods(given, program, relation);
    result = checkExactly(program, {
      claim,
      ...where,
      ...(options.maxSeconds === undefined ? {} : { maxSeconds: options.maxSeconds }),
      ...(options.maxBranches === undefined ? {} : { maxBranches: options.maxBranches }),
      ...(options.remainder === undefined ? {} : { remainder: options.remainder }),
    });
    if (program.specifier !== undefined) {
      await requireNothingLate();
      const { program: followed, written } = program;
      if (result.report.comparesUniforms === true) {
        const datasets = where.datasets.slice(0, MOST_COMPARED);
        requireSameWithNumbers(followed, { written, datasets });
      }
      threads = await requireSameInThreads(
        program.specifier,
        knownOf(result, { program: program.written, datasets: where.datasets }),
      );
    }
  } catch (error) {
    if (error instanceof NotEnumerable) {
      throw new BadInput(`${program.name} cannot be enumerated: ${error.message}`);
    }
    if (error instanceof RangeError || error instanceof TypeError) {
      throw new BadInput(error.message, { cause: error });
    }
    throw error;
  }
  const { report } = result;
  const seconds = (performance.now() - start) / 1000;
  if (json !== undefined) {
    writeOutput("--json", json, exactJson(report, { seconds, threads }));
  }
  if (html !== undefined) {
    writeOutput("--html", html, exactHtml(report, { seconds, threads, ...madeHere() }));
  }
  if (report.verdict !== "undecided") {
    const domain = given.pair === undefined ? given.domain ?? program.domain : undefined;
    writeCertificate({ certificate, smt }, () =>
      certificateOf(result, {
        ...where,
        ...hashOf(options.module),
        ...(domain && { domain }),
      }));
  }
  // The report to read goes to standard error where another has standard output.
  const stream = usesStandardOutput({ json, html }) ? process.stderr : process.stdout;
  const color = stream.isTTY && !process.env.NO_COLOR;
  const text = `${exactText(report, { seconds, color, threads }).trimEnd()}\n`;
  stream.write(wrapLines(text, stream.columns));
  return statusOf(report.verdict);
}

function statusOf(verdict: ExactReport["verdict"]): number {
  switch (verdict) {
    case "holds":
      return ExitStatus.notRefuted;
    case "refuted":
      return ExitStatus.refuted;
    case "undecided":
      return ExitStatus.inconclusive;
  }
}

async function openProgram(options: ExactArguments): Promise<OpenProgram> {
  const { mechanism, module } = options;
  if (mechanism !== undefined && module !== undefined) {
    throw new BadInput(
      `--mechanism ${mechanism} and --module ${module} cannot be given together: one subject`,
    );
  }
  if (mechanism !== undefined) {
    if (!names.includes(mechanism)) {
      throw unknownMechanism(mechanism);
    }
    const asked = claimOf(options, options.relation ?? asserted);
    if (asked === undefined) throw new BadInput("give a claim: --epsilon, with or without --delta");
    const made = reading("--mechanism", mechanism, () => namedMechanism(mechanism, asked));
    return {
      ...programOf(made),
      claim: claimMadeFor(made.claim, asked),
    };
  }
  if (module === undefined) throw new BadInput("give a subject: --mechanism or --module");
  const { program, exported } = await followed(module);
  const run = drawingFrom(program);
  if (exported.kind === "function") {
    return { name: module, specifier: module, program, run, written: exported.run };
  }
  const { mechanism: found } = exported, relation = found.claim?.relation ?? asserted;
  const claim = reading(
    "--module",
    module,
    () => found.claim === undefined ? undefined : readClaim(found.claim, { relation }),
  );
  return {
    ...programOf(found),
    ...(claim === undefined ? {} : { claim }),
    specifier: module,
    program,
    run,
  };
}

/**
 * A module rewritten, and as it was written.
 *
 * @throws {BadInput} where it cannot be loaded or rewritten, or does what is not followed while it is loaded.
 */
async function followed(
  module: string,
): Promise<{ readonly program: TracedProgram; readonly exported: ModuleExport }> {
  try {
    return await openFollowed(module);
  } catch (error) {
    if (!(error instanceof NotEnumerable)) {
      return reading("--module", module, () => Promise.reject(error));
    }
    throw new BadInput(`${module} cannot be decided: ${error.message}`, { cause: error });
  }
}

/**
 * The claim that was asked for, which the mechanism was made for; or its own, where that differs by rounding alone: chances that
 * are doubles keep no more than it.
 */
function claimMadeFor(own: Claim, asked: Claim): Claim {
  const near = own.kind === "pure" && asked.kind === "pure" &&
    Math.abs(own.epsilon - asked.epsilon) < 1e-9 * asked.epsilon;
  return near ? own : claimUnder(asked, { relation: own.relation });
}

function isTraced({ name, program, domain }: OpenProgram, given: Datasets): boolean {
  try {
    return isTracedProgram(program, { ...(domain && { domain }), ...given });
  } catch (error) {
    if (!(error instanceof NotEnumerable)) throw error;
    throw new BadInput(`${name} cannot be enumerated: ${error.message}`, { cause: error });
  }
}

/** The tasks of threads: laws of datasets with few paths, else outputs for some seeds. */
function knownOf(
  { report, details: { laws, units: { scale, bits } } }: ReturnType<typeof checkExactly>,
  { program, datasets }: {
    readonly program: TracedProgram;
    readonly datasets: readonly Dataset[];
  },
): Known[] {
  const digests = new Map(Array.from(new Set(laws), (law) => [law, lawDigest(law)]));
  return laws.map((law, i): Known => {
    const { cut, branches } = law, data = datasets[i]!;
    // The paths of uniform numbers are those of the rewritten module alone.
    if (branches === 0 || branches > MOST_BRANCHES || report.comparesUniforms === true) {
      return { data, expected: answerDigest(program, { data }) };
    }
    return { data, law: { scale, bits, cut, branches }, expected: digests.get(law)! };
  });
}

function programOf(
  mechanism: Mechanism,
): Pick<OpenProgram, "name" | "domain" | "program" | "written" | "run"> {
  const { name, domain } = mechanism;
  const program: TracedProgram = (data, source) => mechanism.sample(data as Dataset, source);
  return {
    name,
    ...(domain === undefined ? {} : { domain }),
    program,
    written: program,
    run: drawingFrom((data, source) => mechanism.sample(data, source)),
  };
}

function claimAsked(
  options: ExactArguments,
  { claim: own }: OpenProgram,
  relation: Relation,
): Claim {
  const given = options.mechanism === undefined ? claimOf(options, relation) : undefined;
  const claim = given ?? (own && claimUnder(own, { relation }));
  if (claim === undefined) throw new BadInput("give a claim: --epsilon, with or without --delta");
  return claim;
}

function exactClaim(claim: Claim): PureClaim | ApproximateClaim {
  if (claim.kind === "pure" || claim.kind === "approximate") return claim;
  throw new BadInput(
    `${
      describeClaim(claim)
    } cannot be decided of discrete draws: give --epsilon, with or without --delta`,
  );
}

function neighbourhoods(
  { pair, domain }: Datasets,
  program: OpenProgram,
  relation: Relation,
): Pick<ExactOptions, "datasets" | "neighbours"> {
  if (pair !== undefined) return { datasets: [pair.left, pair.right], neighbours: [[0, 1]] };
  const all = domain ?? program.domain!;
  return { datasets: datasetsOfDomain(all), neighbours: neighboursOfDomain(all, relation) };
}
