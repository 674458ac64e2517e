import {
  requireFields,
  requireInteger,
  requireKind,
  requirePositive,
} from "../../../../core/numeric/require.ts";
import type { Subject } from "../../kernel/subject.ts";
import { inParallel, requireWorkers } from "../../kernel/copies/in_parallel.ts";
import { ChildProcess } from "./child_process.ts";
import { Program, programSubject } from "./program.ts";
import { quoteWord, shellOperatorIn, splitCommand } from "./split_command.ts";

/** How to run a program as a subject. */
export interface ProcessSubjectOptions {
  /** Seconds that one answer may take before the program counts as hung. Default 30. */
  readonly timeoutSeconds?: number;
  /** Its name in reports. Default: the command. */
  readonly name?: string;
  /** Copies of the program that run at the same time. Default 1. */
  readonly workers?: number;
  /**
   * Your declaration that each output is independent of all others. A program that takes no orders is then asked for blocks
   * of one side, which is faster and, if it keeps anything from one output to the next, unsound. Default false.
   */
  readonly independent?: boolean;
  /**
   * The file descriptor that answers come on, from 3 to 9, where the program's standard output is taken by something else: that is
   * then read like standard error. Default 1, standard output.
   */
  readonly answersOn?: number;
}

/** The draws of an audit of a program that is given no number of them. */
const USUAL_DRAWS = 50_000;

/** Descriptors that are free for answers: those below are the standard streams, those above no shell can name. */
export const LEAST_DESCRIPTOR = 3, MOST_DESCRIPTOR = 9;

/**
 * Returns a program in any language as a subject. The command is split into words as a shell does, without a shell, and
 * started once; operators of shells among its words are refused unless quoted. dpcheck writes a JSON object
 * a line and the program answers each with one line, `{"id":1,"outputs":[…]}`. An output that is an error is null there, and its
 * message stands at its place in `"errors":{"2":"…"}`, counted from 0.
 *
 * Outputs are asked for in the order of the coins, so that a change over time is not taken for a difference of the datasets. A
 * program whose first line has `"order":true`, as in `{"dpcheck":1,"order":true}`, gets
 * `{"id":1,"datasets":[A,B],"order":[0,1,1,0]}` and gives its outputs in this order; any other gets
 * `{"id":1,"data":A,"count":1}`, one output a request (the first request has both forms). If the first line has
 * `"binary":"f64","width":w`, answers are `w` little-endian doubles an output instead.
 *
 * An answer `{"id":1,"error":"…"}` to a request of several outputs loses them all: the program knows their coins by now, so that
 * they are not asked for again, and bets on them are settled as if the worst outputs had come. From then on requests are for one
 * output each.
 *
 * With `workers` above 1 the program is started that many times, and each copy draws its share. Copies that
 * draw the same outputs, because they start from the same seed, are a {@linkcode SubjectFailure}.
 *
 * @throws {RangeError} when the command cannot be split or started, or an option is out of its bounds.
 *
 * @example
 * ```ts
 * // It takes a seed of its own for every request and keeps nothing: blocks of one side will do.
 * const subject = processSubject("sh fixtures/judge/subjects/randomised_response.sh", { independent: true });
 * await subject.draw([1], 1000);
 * await subject.close();
 * ```
 */
export function processSubject(
  command: string,
  given: ProcessSubjectOptions = {},
): Subject {
  requireKind("processSubject", "command", command, "text");
  const {
    timeoutSeconds = 30,
    name = command,
    workers = 1,
    independent = false,
    answersOn = 1,
  } = requireFields("processSubject", given, { name: "text?", independent: "boolean?" });
  requirePositive("start a subject", "timeoutSeconds", timeoutSeconds);
  requireWorkers(workers);
  if (answersOn !== 1) {
    const bounds = { min: LEAST_DESCRIPTOR, max: MOST_DESCRIPTOR };
    requireInteger("start a subject", "answersOn", answersOn, bounds);
  }
  const words = wordsOfCommand(command);
  const options = { name, timeoutSeconds, independent, usualDraws: USUAL_DRAWS };
  const start = (): Subject =>
    programSubject(new Program(new ChildProcess(words, { answersOn }), options), options);
  return inParallel(Array.from({ length: workers }, start));
}

/**
 * Returns the words of a command. Operators of shells are refused: the program would get them as arguments, without the effect that the user
 * expects.
 *
 * @throws {RangeError} when the command cannot be split, or has an operator that is not quoted.
 */
export function wordsOfCommand(command: string): string[] {
  const words = splitCommand(command);
  const operator = shellOperatorIn(command);
  if (operator === undefined) return words;
  throw new RangeError(
    `Cannot start a subject: ${operator} must not be a word of its command, for there is no shell: ` +
      `write sh -c ${quoteWord(command)}, or quote it`,
  );
}
