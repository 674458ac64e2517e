import { bareJson, parseBareJson } from "../../core/text/bare_json.ts";
import { ChildProcess } from "../audit/subjects/process/child_process.ts";
import { type Awaited, ProgramAnswers } from "../audit/subjects/process/program_answers.ts";
import { Thrown } from "../audit/kernel/subject.ts";
import { RequestLines } from "../audit/subjects/process/request_lines.ts";
import { wordsOfCommand } from "../audit/subjects/process/process_subject.ts";
import { type OutputParts, outputParts } from "./output_parts.ts";
import {
  BadRecording,
  parseRecordings,
  type Recorder,
  type Recording,
  type RecordRequest,
} from "./recording.ts";

/** The most runs of one answer that a line may hold, in outputs: recordings are longer than outputs. */
const LONG = 4096;

/** Why nothing is followed in a program that can only be seeded. */
const SEEDED_ALONE = "it can be seeded, and does not record";

/**
 * Starts a program that records its noise: one whose first line has `"records":true`, as those served by the Python and R adapters do. One
 * that can only be seeded gives recordings in which nothing is followed.
 *
 * @returns `undefined` where the program does neither.
 * @throws {RangeError} when the command cannot be split or started.
 * @throws {SubjectFailure} when the program crashed, hung or answered something that is not an answer.
 */
export async function programRecorder(
  command: string,
  { timeoutSeconds, answersOn, first, signal }: {
    /** Seconds within which it must have started and answered once, and for each further answer. */
    readonly timeoutSeconds: number;
    /** Ends the program, which fails then. */
    readonly signal?: AbortSignal;
    readonly answersOn: number;
    /** A dataset of the domain, which the first request is about. */
    readonly first: unknown;
  },
): Promise<Recorder | undefined> {
  const channel = new ChildProcess(wordsOfCommand(command), { answersOn });
  const answers = new ProgramAnswers(channel, { name: command, timeoutSeconds });
  const encoder = new TextEncoder();
  let lastId = 0;
  const deadline = (): number => performance.now() + timeoutSeconds * 1000;
  const end = (): void => void channel.end({ broken: true });
  signal?.addEventListener("abort", end);
  const close = (): Promise<void> => {
    signal?.removeEventListener("abort", end);
    return channel.end({ broken: false });
  };
  const outputsOf = async (request: Awaited): Promise<readonly OutputParts[]> => {
    const { width } = answers.greeting!;
    if (width === undefined) {
      const answer = await answers.answer(request);
      return answer.kind === "outputs"
        ? answer.outputs.map(outputParts)
        // One error in place of all outputs.
        : Array.from({ length: request.count }, () => outputParts(new Thrown(answer.message)));
    }
    const block = new Float64Array(request.count * width);
    await answers.block(request, block);
    return Array.from(
      { length: request.count },
      (_, i) => outputParts(block.subarray(i * width, (i + 1) * width)),
    );
  };
  try {
    answers.about = [first];
    // As an audit begins: a program may send its first line after it has read a request.
    const json = bareJson(first)!;
    const request = { id: ++lastId, count: 1, deadline: deadline() };
    channel.write(encoder.encode(new RequestLines(json, json).first(request.id, 0)));
    await answers.greet(request);
    const { records, seeded } = answers.greeting!;
    if (!records && !seeded) {
      await channel.end({ broken: true });
      return undefined;
    }
    await outputsOf(request);
  } catch (error) {
    await channel.end({ broken: true });
    throw error;
  }
  const { records, seeded } = answers.greeting!;
  const replay = async (
    { datasets, seed }: Pick<RecordRequest, "datasets" | "seed">,
  ): Promise<readonly OutputParts[]> => {
    const id = ++lastId, order = datasets.map((_, i) => i);
    answers.about = datasets;
    channel.write(encoder.encode(`${bareJson({ id, seed, datasets, order })}\n`));
    return await outputsOf({ id, count: order.length, deadline: deadline() });
  };
  const record = async (
    { datasets, seed, meet, asReads, order = datasets.map((_, i) => i), force, keep, shifts }:
      RecordRequest,
  ): Promise<readonly Recording[]> => {
    if (!records) {
      return datasets.map(() => ({
        output: null,
        atoms: [],
        reads: [],
        notFollowed: SEEDED_ALONE,
        runs: 0,
      }));
    }
    const id = ++lastId;
    answers.about = datasets;
    const asked = {
      id,
      record: true,
      seed,
      datasets,
      order,
      meet,
      asReads,
      ...(force && { force }),
      ...(keep !== undefined && { keep }),
      ...(shifts && { shifts }),
    };
    channel.write(encoder.encode(`${bareJson(asked)}\n`));
    const line = await answers.line({ id, count: LONG, deadline: deadline() });
    try {
      const answer = parseBareJson(new TextDecoder().decode(line)) as Record<string, unknown>;
      if (answer?.id !== id) throw new BadRecording(`must answer request ${id}`);
      if (answer.error !== undefined) throw new BadRecording("must give recordings, not an error");
      return parseRecordings(answer, order.length);
    } catch (error) {
      if (!(error instanceof BadRecording || error instanceof SyntaxError)) throw error;
      const reason = error instanceof BadRecording ? error.message : "must be JSON";
      throw await answers.failure(`sent a bad recording: it ${reason}`, { line });
    }
  };
  try {
    // Without a run: a program may prepare for recordings, which is not to take the seconds of a search.
    await record({ datasets: [first], seed: 0, meet: false, asReads: [], order: [] });
  } catch (error) {
    await close();
    throw error;
  }
  return { name: command, record, ...(seeded ? { replay } : {}), close };
}
