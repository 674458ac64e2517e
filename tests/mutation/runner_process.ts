import { type Command, type Event, WAITS } from "./messages.ts";

/** How a process that no longer answers ended: a test took too long, or the process broke off. */
export interface Ended {
  readonly event: "ended";
  readonly why: "time" | "crash";
}

/** Returns the milliseconds of the processor that a process has taken, infinity where the system does not say. */
function workOf(pid: number): number {
  try {
    const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ").at(-1)!.split(" ");
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return Infinity;
  }
}

const PERMISSIONS = ["read", "write", "env", "run", "sys"].map((name) => `--allow-${name}`);

/** A process that runs tests, and the clock that ends it when a test loops for ever. */
export class RunnerProcess {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #events: AsyncGenerator<Event>;
  #ended = false;

  /** @param fresh the mutant that is on from the start; 0 for none */
  constructor({ root, fresh, mutants }: { root: string; fresh: number; mutants: number }) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-check",
        "--no-prompt",
        "--v8-flags=--max-old-space-size=3000",
        ...PERMISSIONS,
        `${root}/tests/mutation/runner.ts`,
        root,
        String(fresh),
        String(mutants),
      ],
      cwd: root,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#events = eventsOf(this.#child.stdout);
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Sends a command and gives its events as they come, `Ended` last if the process had to be ended. */
  async *ask(command: Command): AsyncGenerator<Event | Ended> {
    try {
      await this.#writer.write(new TextEncoder().encode(`${JSON.stringify(command)}\n`));
    } catch { // the process has ended: so says the next event
    }
    yield* this.answers();
  }

  /** The events up to the end of an answer; the first answer says that the process is ready. */
  async *answers(): AsyncGenerator<Event | Ended> {
    let limit = 120_000;
    while (true) {
      const event = await this.#next(limit);
      yield event;
      if (event.event === "ended") return;
      limit = event.event === "begin" ? event.limit + 1000 : 120_000;
      if (["done", "unusable", "killed", "survived"].includes(event.event)) return;
    }
  }

  async #next(limit: number): Promise<Event | Ended> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const start = Date.now(), before = workOf(this.#child.pid);
    const late = new Promise<"late">((resolve) => {
      const look = (): void => {
        const work = workOf(this.#child.pid) - before, waited = Date.now() - start;
        if (work < limit && waited < WAITS * limit) timer = setTimeout(look, limit / 4);
        else resolve("late");
      };
      timer = setTimeout(look, limit);
    });
    const result = await Promise.race([this.#events.next(), late]);
    clearTimeout(timer);
    if (result === "late") {
      this.end();
      return { event: "ended", why: "time" };
    }
    if (result.done) {
      this.#ended = true;
      return { event: "ended", why: "crash" };
    }
    return result.value;
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#writer.abort().catch(() => {});
    try {
      this.#child.kill("SIGKILL");
    } catch { // it has ended by itself
    }
  }
}

async function* eventsOf(stdout: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of stdout) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      if (line.startsWith("\x01")) yield JSON.parse(line.slice(1)) as Event;
    }
  }
}
