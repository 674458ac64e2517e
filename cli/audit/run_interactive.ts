import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { asserted } from "../../lib/core/relations/relation.ts";
import type { Claim } from "../../lib/core/claims/claim.ts";
import { auditProgram } from "../../lib/judge/dialogue/audit_program.ts";
import { functionProgram } from "../../lib/judge/dialogue/function_program.ts";
import type { InteractiveProgram } from "../../lib/judge/dialogue/interactive_program.ts";
import { httpSessions, processSessions } from "../../lib/judge/dialogue/line_program.ts";
import type { QuestionSpecs } from "../../lib/judge/dialogue/question_kinds.ts";
import type { Service } from "../../lib/judge/dialogue/service.ts";
import type { Lifetime } from "../../lib/judge/dialogue/users.ts";
import type { Strategy } from "../../lib/judge/dialogue/strategy.ts";
import type { Domain } from "../../lib/core/relations/dataset.ts";
import { sessionHtml } from "../../lib/judge/report/session_html.ts";
import { sessionJson, sessionText } from "../../lib/judge/report/session_text.ts";
import { BadInput, reading } from "../options/bad_input.ts";
import { claimOf } from "../options/claim_of.ts";
import type { AuditArguments, AuditCommandArguments } from "../options/command_options.ts";
import { datasetsOf } from "../options/datasets_of.ts";
import { say } from "../options/say.ts";
import { wrapLines } from "../options/wrap_lines.ts";
import { withCode } from "../output/error_codes.ts";
import { ExitStatus, statusOf } from "../output/exit_status.ts";
import { failingWhereProcessEnds } from "../output/failing_where_process_ends.ts";
import { replayCommand, sessionReplay } from "../output/replay.ts";
import { checkOutputFiles, madeHere, usesStandardOutput } from "../output/output_files.ts";
import { isSupervisor, signsOfWork, supervised } from "../output/supervised.ts";
import { writeOutput } from "../output/write_output.ts";

/** Declarations that a module of a service may export besides its functions. */
type Declared = Service<unknown, unknown> & {
  readonly questions?: QuestionSpecs;
  readonly domain?: Domain;
  readonly claim?: Claim;
};

/** Seconds that the audit may take between two starts of the service for work of its own. */
const OTHER_WORK = 30;
/** Reports that audits of sessions do not have. */
const UNWRITTEN = ["junit", "sarif", "markdown", "github"] as const;

/**
 * Audits a service that answers questions, and prints the report. Returns the exit status.
 *
 * @throws {BadInput} when the options do not fit together.
 */
export async function runInteractive(
  options: AuditArguments & AuditCommandArguments,
): Promise<number> {
  const { module, timeout } = options;
  if (isSupervisor(options)) {
    const late = (): number => {
      say(
        withCode(
          `${module} hung: it kept the process for more than ${timeout} s`,
          ExitStatus.failed,
        ),
      );
      return ExitStatus.failed;
    };
    return await supervised({ seconds: timeout + OTHER_WORK, late });
  }
  // Before the module is loaded, which may not end either.
  const sign = signsOfWork();
  sign();
  if (module === undefined) return await audited(options, sign);
  const release = failingWhereProcessEnds("nothing was shown");
  try {
    return await audited(options, sign);
  } finally {
    release();
  }
}

async function audited(
  options: AuditArguments & AuditCommandArguments,
  sign: () => void,
): Promise<number> {
  const { module, exec, url, timeout, json, html } = options;
  const unwritten = UNWRITTEN.find((name) => options[name] !== undefined);
  if (unwritten !== undefined) {
    throw new BadInput(
      `--${unwritten} cannot be given with --interactive: its reports are --json and --html`,
    );
  }
  checkOutputFiles({ json, html });
  const named = [module, exec, url].filter((value) => value !== undefined);
  if (named.length !== 1) {
    throw new BadInput("--interactive needs one of --module, --exec and --url");
  }
  const service = module === undefined ? undefined : await loadService(module);
  const relation = options.relation ?? service?.claim?.relation ?? asserted;
  const claim = claimOf(options, relation) ?? service?.claim;
  if (claim === undefined) {
    throw new BadInput("give a claim: --epsilon (with --delta or --order), --rho or --mu");
  }
  const questions = questionsOf(options) ?? service?.questions;
  if (questions === undefined) {
    throw new BadInput(
      '--interactive needs --questions SPEC, as {"count":{"x":{"type":"number","min":0,"max":10}}}, or the name of a file that has it',
    );
  }
  if (options.strategy !== undefined && !Array.isArray(options.strategy.value)) {
    throw new BadInput(`--strategy ${options.strategy.text} must be a list of steps`);
  }
  const datasets = datasetsOf(options, {
    subject: service?.domain === undefined ? {} : { domain: service.domain },
    relation,
  });
  const domain = datasets.domain ?? service?.domain;
  let program: InteractiveProgram | undefined;
  try {
    program = service !== undefined
      ? functionProgram({ name: module!, ...atWork(service, sign) }, { timeoutSeconds: timeout })
      : exec !== undefined
      ? await processSessions(exec, { timeoutSeconds: timeout })
      : await httpSessions(url!, { timeoutSeconds: timeout });
    const searched = await auditProgram(program, {
      claim,
      questions,
      relation,
      ...(domain === undefined ? {} : { domain }),
      ...(datasets.pair === undefined ? {} : { pair: datasets.pair }),
      ...(options.strategy === undefined ? {} : { strategy: options.strategy.value as Strategy }),
      ...(options.lifetime === undefined ? {} : { lifetime: options.lifetime as Lifetime }),
      ...(options.restartKeeps === undefined
        ? {}
        : { restartKeeps: options.restartKeeps as "everything" | "nothing" }),
      ...(options.alpha === undefined ? {} : { alpha: options.alpha }),
      ...(options.maxDraws === undefined
        ? {}
        : { maxSearchDraws: 3 * options.maxDraws, maxDraws: options.maxDraws }),
      ...(options.maxSeconds === undefined ? {} : { maxSeconds: options.maxSeconds }),
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      shrink: options.shrink !== false,
    });
    const report = {
      ...searched,
      replay: replayCommand(sessionReplay(options, searched)),
    };
    if (json !== undefined) writeOutput("--json", json, sessionJson(report));
    if (html !== undefined) writeOutput("--html", html, sessionHtml(report, madeHere()));
    const isTaken = usesStandardOutput({ json, html });
    if (options.quiet !== true && !isTaken) {
      const { stdout } = process, color = stdout.isTTY && !process.env.NO_COLOR;
      stdout.write(wrapLines(`${sessionText(report, { color }).trimEnd()}\n`, stdout.columns));
    }
    return statusOf(report.verdict);
  } catch (error) {
    // Refused by the audit before it began: questions, claim or domain, which a module may declare.
    const isRefused = error instanceof TypeError && /^Cannot (call )?audit/.test(error.message);
    if (error instanceof RangeError || isRefused) {
      throw new BadInput(error.message, { cause: error });
    }
    throw error;
  } finally {
    await program?.close();
  }
}

/** The service, each start of which is a sign of work. */
function atWork(service: Declared, sign: () => void): Declared {
  return {
    ...service,
    start: (...given) => {
      sign();
      return service.start(...given);
    },
  };
}

function questionsOf({ questions }: AuditCommandArguments): QuestionSpecs | undefined {
  if (questions === undefined) return undefined;
  return reading("--questions", questions, () => {
    const specs = JSON.parse(/^\s*[{[]/.test(questions) ? questions : textOf(questions));
    if (specs === null || typeof specs !== "object" || Array.isArray(specs)) {
      throw new TypeError("it must be an object");
    }
    return specs as QuestionSpecs;
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new RangeError(`it must be JSON, or a file of it: ${(error as Error).message}`);
  }
}

/** The service that a module is, by its exports or by one of them. */
async function loadService(specifier: string): Promise<Declared> {
  const hash = specifier.lastIndexOf("#");
  const file = hash < 0 ? specifier : specifier.slice(0, hash);
  const exports = await reading(
    "--module",
    specifier,
    () => import(pathToFileURL(resolve(file)).href) as Promise<Record<string, unknown>>,
  );
  const named = hash < 0
    ? exports.open === undefined ? exports.default : exports
    : exports[specifier.slice(hash + 1)];
  const service = named as Partial<Declared> | undefined, { start, open } = service ?? {};
  if (typeof open !== "function" || !["function", "undefined"].includes(typeof start)) {
    throw new BadInput(
      `--module ${specifier} must have open(state), and start(rows, source) unless it keeps nothing between sessions, for it is asked questions`,
    );
  }
  if (start !== undefined) return { ...service, start, open };
  // What keeps nothing between sessions is opened on the rows themselves.
  const openOn = open as unknown as (...given: unknown[]) => ReturnType<Declared["open"]>;
  return {
    ...service,
    start: (...given) => given,
    open: (given) => openOn.apply(service, given as unknown[]),
  };
}
