import { bareJson, parseBareJson } from "../../core/text/bare_json.ts";
import { requirePositive } from "../../core/numeric/require.ts";
import { SubjectFailure } from "../audit/kernel/subject.ts";
import { Endpoint } from "../audit/subjects/http/endpoint.ts";
import { LONGEST_WAIT } from "../audit/subjects/longest_wait.ts";
import { outputProblem } from "../audit/subjects/output_limits.ts";
import type { Channel } from "../audit/subjects/process/channel.ts";
import { ChildProcess } from "../audit/subjects/process/child_process.ts";
import { wordsOfCommand } from "../audit/subjects/process/process_subject.ts";
import { quoted, quotedEnd } from "../audit/subjects/quoted.ts";
import type { InteractiveProgram } from "./interactive_program.ts";
import { type Conversation, play } from "./play.ts";
import type { Question } from "./service.ts";
import { type Reply, replyOf, type Transcript } from "./transcript.ts";
import { type Lifetime, userOf } from "./users.ts";

/** How a program is spoken with. */
export interface LineProgramOptions {
  /** Seconds that one answer may take. Default 30. */
  readonly timeoutSeconds?: number;
  /** Its name in reports. Default: the command or the URL. */
  readonly name?: string;
}

/** Transcripts of a search and of a bet: a program takes some tenths of a millisecond for an answer, an endpoint a millisecond. */
const USUAL = { process: { search: 60_000, bet: 20_000 }, url: { search: 10_000, bet: 5_000 } };

/** The most bytes of a line. */
const LONGEST_LINE = 1 << 22;

/**
 * Returns a program that holds sessions, started once. dpcheck writes a JSON object a line and the program answers each with one:
 * `{"id":1,"session":0,"open":DATASET,"user":"A"}` with `{"id":1,"ok":true}`, `{"id":2,"session":0,"ask":{"kind":"count","x":3}}`
 * with `{"id":2,"answer":VALUE}`, `{"id":2,"refused":REASON}` or `{"id":2,"error":MESSAGE}`, and `{"id":3,"session":0,"close":true}`.
 * The service begins anew, on the dataset that is given, when a session is opened and none is open; sessions that are open at once
 * are sessions of one service. A program whose first line is `{"dpcheck":1,"sessions":true,"restart":true}` takes
 * `{"id":4,"restart":true}` too, after which sessions are opened again; with `"reset":true` it gets `{"id":5,"reset":true}` before
 * each transcript.
 *
 * @throws {RangeError} when the command cannot be split or started.
 */
export async function processSessions(
  command: string,
  options: LineProgramOptions = {},
): Promise<InteractiveProgram> {
  return await lineProgram(new ChildProcess(wordsOfCommand(command)), {
    name: command,
    ...options,
    usualDraws: USUAL.process,
  });
}

/**
 * Returns an HTTP endpoint that holds sessions: each line of {@linkcode processSessions} is the body of a POST, and its answer that of the response.
 *
 * @throws {RangeError} when the URL is neither `http:` nor `https:`.
 */
export async function httpSessions(
  url: string,
  options: LineProgramOptions = {},
): Promise<InteractiveProgram> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new RangeError(
      `Cannot start a service: its URL must begin with http:// or https://: current value is ${url}`,
    );
  }
  return await lineProgram(new Endpoint(url, { mostBytes: LONGEST_LINE }), {
    name: url,
    ...options,
    usualDraws: USUAL.url,
    // The process of a program ends with its sessions, and a server goes on.
    afterFailure: (line) => closeAnyhow(url, line),
  });
}

/** The longest wait for a server that failed to close a session, in milliseconds. */
const LAST_WAIT = 2000;

async function closeAnyhow(url: string, body: string): Promise<void> {
  try {
    const signal = AbortSignal.timeout(LAST_WAIT), headers = { "content-type": "application/json" };
    const answer = await fetch(url, { method: "POST", headers, body, redirect: "error", signal });
    await answer.body?.cancel();
  } catch { /* The failure that came before is reported. */ }
}

async function lineProgram(
  channel: Channel,
  { name, timeoutSeconds = 30, usualDraws, afterFailure }: LineProgramOptions & {
    readonly name: string;
    readonly usualDraws: InteractiveProgram["usualDraws"];
    /** Sends a request to a service that failed, without an answer. */
    readonly afterFailure?: (line: string) => Promise<void>;
  },
): Promise<InteractiveProgram> {
  requirePositive("start a service", "timeoutSeconds", timeoutSeconds);
  const lines = new Lines(channel, { name, timeoutSeconds });
  try {
    await lines.begin();
  } catch (error) {
    await channel.end({ broken: true });
    throw error;
  }
  return {
    name,
    mayRestart: lines.mayRestart,
    usualDraws,
    transcript(data, { strategy, kinds, lifetime }): Promise<Transcript> {
      return Promise.resolve(play(new LineTalk(lines, { data, lifetime }), strategy, kinds));
    },
    async close(): Promise<void> {
      await channel.end({ broken: lines.isBroken });
      if (afterFailure !== undefined) await Promise.all(lines.closings().map(afterFailure));
    },
  };
}

/** Requests and their answers, in order. */
class Lines {
  readonly #channel: Channel;
  readonly #name: string;
  readonly #timeoutSeconds: number;
  #nextId = 1;
  /** Resolves when everything that was asked before is answered. */
  #last: Promise<unknown> = Promise.resolve();
  #failure: SubjectFailure | undefined;
  /** Sessions that were opened and not closed. */
  readonly #open = new Set<unknown>();
  mayRestart = false;
  resets = false;

  constructor(
    channel: Channel,
    { name, timeoutSeconds }: { name: string; timeoutSeconds: number },
  ) {
    this.#channel = channel;
    this.#name = name;
    this.#timeoutSeconds = timeoutSeconds;
  }

  /** Whether the program failed, so that nothing more is asked of it. */
  get isBroken(): boolean {
    return this.#failure !== undefined;
  }

  /** Opens and closes a session on no rows, to read what the program says of itself. An error of that is none of the audit. */
  async begin(): Promise<void> {
    await this.ask({ session: 0, open: [], user: "A" });
    await this.ask({ session: 0, close: true });
  }

  /** Asks at once; answers come in the order of requests. */
  ask(request: Record<string, unknown>): Promise<Record<string, unknown>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = this.#nextId++;
    if ("open" in request) this.#open.add(request.session);
    else if ("close" in request) this.#open.delete(request.session);
    else if ("restart" in request) this.#open.clear();
    this.#channel.write(new TextEncoder().encode(`${bareJson({ id, ...request })}\n`));
    const answer = this.#last.then(() => this.#read(id, request.session));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #read(id: number, session: unknown): Promise<Record<string, unknown>> {
    if (this.#failure !== undefined) throw this.#failure;
    let line = await this.#line(id);
    let parsed = parsedLine(line);
    if (id === 1 && parsed?.dpcheck !== undefined) {
      if (parsed.dpcheck !== 1) {
        return await this.#fail(
          `speaks version ${quoted(String(parsed.dpcheck))} of the protocol, not 1`,
        );
      }
      if (parsed.sessions !== true) {
        return await this.#fail(
          'does not offer sessions: its first line must have "sessions":true',
        );
      }
      this.mayRestart = parsed.restart === true;
      this.resets = parsed.reset === true;
      line = await this.#line(id);
      parsed = parsedLine(line);
    }
    const sent = quoted(new TextDecoder().decode(line.subarray(0, 800)));
    if (parsed === undefined) {
      return await this.#fail(`sent no JSON object in answer to request ${id}: ${sent}`);
    }
    if (parsed.dpcheck !== undefined) {
      return await this.#fail(`changed its protocol at request ${id}: ${sent}`);
    }
    if (parsed.id !== id) return await this.#fail(`answered another request than ${id}: ${sent}`);
    if (parsed.session !== undefined && parsed.session !== session) {
      return await this.#fail(`answered another session than ${session} in request ${id}: ${sent}`);
    }
    if (this.#channel.output.available > LONGEST_LINE) {
      return await this.#fail("sends more than it is asked for");
    }
    return parsed;
  }

  async #line(id: number): Promise<Uint8Array> {
    const { output } = this.#channel, deadline = performance.now() + this.#timeoutSeconds * 1000;
    for (;;) {
      const line = output.takeLine();
      if (line !== undefined) return line;
      if (output.available > LONGEST_LINE) {
        return await this.#fail(
          `sent a line of more than ${LONGEST_LINE.toLocaleString("en")} bytes`,
        );
      }
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<"late">((resolve) => {
        timer = setTimeout(
          () => resolve("late"),
          Math.max(0, Math.min(LONGEST_WAIT, deadline - performance.now())),
        );
      });
      const outcome = await Promise.race([output.receive(), late]);
      clearTimeout(timer);
      if (outcome === "late") {
        return await this.#fail(
          `hung: it did not answer request ${id} in ${this.#timeoutSeconds} s`,
        );
      }
      if (!outcome) {
        return await this.#fail(
          `crashed: it ${await this.#channel.fate()} before it answered request ${id}`,
        );
      }
    }
  }

  async #fail(what: string): Promise<never> {
    const errors = await this.#channel.errorTail();
    this.#failure = new SubjectFailure(
      `${this.#name} ${what}${
        errors === "" ? "" : `; its standard error ends with ${quotedEnd(errors)}`
      }`,
    );
    throw this.#failure;
  }

  /** The requests that close what is open. */
  closings(): string[] {
    return [...this.#open].map((session) =>
      JSON.stringify({ id: this.#nextId++, session, close: true })
    );
  }

  /** A failure for an answer that is not what was asked for. */
  async refuse(what: string): Promise<never> {
    return await this.#fail(what);
  }
}

function parsedLine(line: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value = parseBareJson(new TextDecoder("utf-8", { fatal: true }).decode(line));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value as Record<string, unknown>
      : undefined;
  } catch {
    return undefined;
  }
}

/** One run of a service of another program. */
class LineTalk implements Conversation {
  readonly queues = true;
  readonly #lines: Lines;
  readonly #data: unknown;
  readonly #lifetime: Lifetime;
  readonly #open = new Map<number, Promise<Record<string, unknown>>>();
  #hasBegun = false;

  constructor(lines: Lines, { data, lifetime }: { data: unknown; lifetime: Lifetime }) {
    this.#lines = lines;
    this.#data = data;
    this.#lifetime = lifetime;
  }

  async ask(session: number, question: Question): Promise<Reply> {
    this.#opened(session);
    const opened = this.#open.get(session)!;
    const answered = this.#lines.ask({ session, ask: question });
    answered.catch(() => {});
    const failed = replyToOpen(await opened);
    const answer = await answered;
    if (failed !== undefined) return failed;
    if (typeof answer.error === "string") return { error: answer.error };
    if (Object.hasOwn(answer, "refused")) return { refused: answer.refused };
    if (!Object.hasOwn(answer, "answer")) {
      return await this.#lines.refuse(
        `sent neither answer, refused nor error in answer to request ${answer.id}`,
      );
    }
    const problem = outputProblem(answer.answer);
    if (problem !== undefined) return await this.#lines.refuse(`answered ${problem}`);
    return replyOf(answer.answer);
  }

  #opened(session: number): void {
    if (this.#open.has(session)) return;
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      if (this.#lines.resets) this.#lines.ask({ reset: true }).catch(() => {});
    }
    const opened = this.#lines.ask({
      session,
      open: this.#data,
      user: userOf(session, this.#lifetime),
    });
    opened.catch(() => {});
    this.#open.set(session, opened);
  }

  async askAtOnce(questions: readonly [session: number, question: Question][]): Promise<Reply[]> {
    return await Promise.all(questions.map(([session, question]) => this.ask(session, question)));
  }

  async restart(): Promise<Reply | undefined> {
    if (this.#open.size === 0) return undefined;
    this.#open.clear();
    const { error } = await this.#lines.ask({ restart: true });
    return typeof error === "string" ? { error } : undefined;
  }

  async end(): Promise<Reply | undefined> {
    let failed: Reply | undefined;
    const closing = [...this.#open.keys()].map((session) =>
      this.#lines.ask({ session, close: true })
    );
    for (const closed of await Promise.allSettled(closing)) {
      if (closed.status === "rejected") throw closed.reason;
      if (typeof closed.value.error === "string") failed ??= { error: closed.value.error };
    }
    return failed;
  }
}

/** The error of a session that could not be opened: an answer to what is asked of it. */
function replyToOpen({ error }: Record<string, unknown>): Reply | undefined {
  return typeof error === "string" ? { error } : undefined;
}
