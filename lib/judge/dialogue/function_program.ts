import { programSource } from "../../core/random/program_source.ts";
import type { Source } from "../../core/mechanism/source.ts";
import { copyOf } from "../audit/subjects/copy_of.ts";
import { LONGEST_WAIT } from "../audit/subjects/longest_wait.ts";
import { SubjectFailure } from "../audit/kernel/subject.ts";
import type { InteractiveProgram } from "./interactive_program.ts";
import { type Conversation, isPromise, play } from "./play.ts";
import type { Question, Service, Session } from "./service.ts";
import { type Reply, replyOf, type Transcript } from "./transcript.ts";
import { type Lifetime, userOf } from "./users.ts";

/** Returns a service of this process as a program that holds sessions. */
export function functionProgram(
  service: Service<unknown, unknown>,
  { timeoutSeconds }: { readonly timeoutSeconds: number },
): InteractiveProgram {
  const name = service.name ?? "the service";
  return {
    name,
    service,
    mayRestart: service.restart !== undefined,
    usualDraws: { search: 300_000, bet: 40_000 },
    transcript(data, { strategy, kinds, lifetime, source }): Transcript | Promise<Transcript> {
      const conversation = new Talk(service, { data, source, lifetime });
      const transcript = play(conversation, strategy, kinds);
      return isPromise(transcript)
        ? inTime(transcript as Promise<Transcript>, {
          name,
          timeoutSeconds,
          end: () => conversation.end(),
        })
        : transcript;
    },
    close: () => Promise.resolve(),
  };
}

/** Steps of promises after which a service that is asked at once has come to its waits. */
const MICROTASKS = 20;

/** One run of a service from its start. */
class Talk implements Conversation {
  readonly queues = false;
  readonly #service: Service<unknown, unknown>;
  readonly #data: unknown;
  readonly #source: Source;
  readonly #lifetime: Lifetime;
  readonly #sessions = new Map<number, Session | Promise<Session>>();
  readonly #waits: (() => void)[] = [];
  #state: unknown;
  #hasStarted = false;
  /** Why it did not start. */
  #failure: { readonly error: unknown } | undefined;

  constructor(
    service: Service<unknown, unknown>,
    { data, source, lifetime }: {
      data: unknown;
      source: Source;
      lifetime: Lifetime;
    },
  ) {
    this.#service = service;
    this.#data = data;
    this.#source = source;
    this.#lifetime = lifetime;
  }

  #start(): unknown {
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      const wait = (): Promise<void> => new Promise((resolve) => this.#waits.push(resolve));
      try {
        this.#state = this.#service.start(
          copyOf(this.#data) as unknown[],
          programSource(this.#source),
          // A service that waits where nothing else is asked goes on at once.
          { wait: () => this.#isAtOnce ? wait() : Promise.resolve() },
        );
      } catch (error) {
        this.#failure = { error };
      }
      if (isPromise(this.#state)) {
        const started = this.#state;
        // Kept as a promise until it is awaited by the first who asks.
        started.then((state) => this.#state = state, () => {});
      }
    }
    // What did not start answers nothing, whoever asks.
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#state;
  }

  #isAtOnce = false;

  ask(session: number, question: Question): Reply | Promise<Reply> {
    try {
      const opened = this.#opened(session);
      if (isPromise(opened)) {
        return this.#askLater(opened as Promise<Session>, question);
      }
      const answer = (opened as Session).ask(question);
      return isPromise(answer) ? settled(answer) : replyOf(answer);
    } catch (error) {
      return { error: messageOf(error) };
    }
  }

  async #askLater(opened: Promise<Session>, question: Question): Promise<Reply> {
    try {
      return replyOf(await (await opened).ask(question));
    } catch (error) {
      return { error: messageOf(error) };
    }
  }

  #opened(session: number): Session | Promise<Session> {
    const before = this.#sessions.get(session);
    if (before !== undefined) return before;
    const user = userOf(session, this.#lifetime);
    const state = this.#start();
    const opened = isPromise(state)
      ? (async () => await this.#service.open(await state, { user }))()
      : this.#service.open(state, { user });
    this.#sessions.set(session, opened);
    if (isPromise(opened)) {
      (opened as Promise<Session>).then((open) => this.#sessions.set(session, open), () => {});
    }
    return opened;
  }

  async askAtOnce(
    questions: readonly [session: number, question: Question][],
    order: readonly number[],
  ): Promise<Reply[]> {
    // Sessions are open before, so that no order of openings is taken for one of questions.
    for (const [session] of questions) {
      try {
        await this.#opened(session);
      } catch { /* An error of opening is the answer to the question. */ }
    }
    this.#isAtOnce = true;
    const replies = questions.map(([session, question]) =>
      Promise.resolve(this.ask(session, question))
    );
    let open = true;
    const all = Promise.all(replies).finally(() => open = false);
    // Whoever waits goes on in the order of the strategy, once nothing else can happen.
    for (let turn = 0; open; turn++) {
      for (let step = 0; step < MICROTASKS && open; step++) await undefined;
      if (this.#waits.length > 0) {
        const [next] = this.#waits.splice((order[turn] ?? 0) % this.#waits.length, 1);
        next!();
      } else if (open) {
        // The service waits for something of its own.
        await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 0))]);
      }
    }
    this.#isAtOnce = false;
    return await all;
  }

  restart(): Reply | undefined | Promise<Reply | undefined> {
    this.#sessions.clear();
    const { restart } = this.#service;
    if (restart === undefined) return undefined;
    const keep = (state: unknown): undefined => {
      if (state !== undefined) this.#state = state;
      return undefined;
    };
    try {
      const state = this.#start();
      const restarted = isPromise(state)
        ? (async () => await restart.call(this.#service, await state))()
        : restart.call(this.#service, state);
      if (!isPromise(restarted)) return keep(restarted);
      return (restarted as Promise<unknown>).then(keep, (error) => ({ error: messageOf(error) }));
    } catch (error) {
      return { error: messageOf(error) };
    }
  }

  end(): Reply | undefined | Promise<Reply | undefined> {
    const waiting: PromiseLike<unknown>[] = [];
    let failed: Reply | undefined;
    const attempt = (close: () => unknown): void => {
      try {
        const closed = close();
        if (isPromise(closed)) waiting.push(closed);
      } catch (error) {
        failed ??= { error: messageOf(error) };
      }
    };
    for (const session of this.#sessions.values()) {
      if (isPromise(session)) {
        waiting.push((async () => {
          const open = await (session as Promise<Session>).catch(() => undefined);
          await open?.close?.();
        })());
      } else attempt(() => session.close?.());
    }
    if (this.#hasStarted && this.#failure === undefined && !isPromise(this.#state)) {
      attempt(() => this.#service.stop?.(this.#state));
    }
    if (waiting.length === 0) return failed;
    return (async () => {
      for (const result of await Promise.allSettled(waiting)) {
        if (result.status === "rejected") failed ??= { error: messageOf(result.reason) };
      }
      return failed;
    })();
  }
}

async function settled(answer: PromiseLike<unknown>): Promise<Reply> {
  try {
    return replyOf(await answer);
  } catch (error) {
    return { error: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  if (error instanceof SubjectFailure) throw error;
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return "an error that cannot be read";
  }
}

async function inTime(
  transcript: Promise<Transcript>,
  { name, timeoutSeconds, end }: {
    readonly name: string;
    readonly timeoutSeconds: number;
    /** Closes the sessions of a service that hangs. */
    readonly end: () => unknown;
  },
): Promise<Transcript> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const ended = end();
      if (isPromise(ended)) ended.then(undefined, () => {});
      reject(new SubjectFailure(`${name} hung: a transcript did not end in ${timeoutSeconds} s`));
    }, Math.min(LONGEST_WAIT, timeoutSeconds * 1000));
  });
  try {
    return await Promise.race([transcript, late]);
  } finally {
    clearTimeout(timer);
  }
}
