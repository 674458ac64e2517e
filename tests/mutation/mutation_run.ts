import { distancesFrom, type Sources } from "./import_graph.ts";
import type { Event, RecordedTest, TestName } from "./messages.ts";
import type { Mutant } from "./mutant.ts";
import { type Ended, RunnerProcess } from "./runner_process.ts";

/** What became of a mutant. */
export type Fate =
  /** A test failed that passes without the mutant. */
  | "killed"
  /** A test took more than ten times as long and two seconds of the processor, or the process broke off. */
  | "by time"
  /** Every test that reaches it passed. */
  | "survived"
  /** No test reaches it. */
  | "not reached"
  /** The tests for which there was time passed. */
  | "survived so far"
  /** The time given ran out before any test that reaches it was run. */
  | "not run";

/** A mutant, what became of it, and the test that noticed. */
export interface Result {
  readonly mutant: Mutant;
  readonly fate: Fate;
  readonly by?: string;
  /** Milliseconds that it took. */
  readonly ms?: number;
}

/** Tests of all that was recorded, and the places that loading their files reaches. */
interface Recording {
  readonly tests: RecordedTest[];
  readonly whileLoading: Map<string, Set<number>>;
}

/** More imports than lie between any two files: the distance of files that do not reach one another. */
const FAR = 20;

/** Recording a file of tests stops after that long; the tests until then are used. */
const SECONDS_PER_FILE = 180;

/**
 * Runs the mutants of one copy: first against tests near their file, then what survives against tests
 * that reach it from afar, then in a process in which the mutant is on from the start, for what is
 * computed once while a file loads.
 */
export class MutationRun {
  readonly #root: string;
  readonly #mutants: readonly Mutant[];
  readonly #sources: Sources;
  readonly #deadline: number;
  readonly #testSeconds: number;
  readonly #log: (line: string) => void;
  readonly #recording: Recording = { tests: [], whileLoading: new Map() };
  readonly #distances = new Map<string, Map<string, number>>();
  readonly #results = new Map<number, Result>();
  /** Mutants that were not reached when they were on: what they compute was remembered. */
  readonly #remembered = new Set<number>();
  /** Mutants that met all their tests. */
  readonly #finished = new Set<number>();
  /** Whether time ran out before all tests were recorded: any mutant may have more of them. */
  #cutOff = false;
  #runner: RunnerProcess | undefined;

  /** @param testSeconds what the tests of one mutant may take together in each round, as recorded */
  constructor({ root, mutants, sources, deadline, testSeconds, log }: {
    root: string;
    mutants: readonly Mutant[];
    sources: Sources;
    deadline: number;
    testSeconds: number;
    log: (line: string) => void;
  }) {
    this.#root = root;
    this.#mutants = mutants;
    this.#sources = sources;
    this.#deadline = deadline;
    this.#testSeconds = testSeconds;
    this.#log = log;
  }

  /**
   * @param near tests to begin with; recording them takes half of the time at most
   * @param far tests for what survives
   * @param farSeconds after which no more of these are recorded, as in every run
   */
  async run(
    { near, far, farSeconds }: {
      near: readonly string[];
      far: readonly string[];
      farSeconds: number;
    },
  ): Promise<Result[]> {
    try {
      await this.#record(near, { end: (Date.now() + this.#deadline) / 2, cutOff: true });
      await this.#round(new Set(near), { last: far.length === 0 });
      if (far.length > 0 && this.#open().length > 0) {
        const end = Date.now() + 1000 * farSeconds, cutOff = this.#deadline < end;
        await this.#record(far, { end: Math.min(this.#deadline, end), cutOff });
        await this.#round(new Set(far), { last: true });
      }
      for (const mutant of this.#open()) await this.#fromTheStart(mutant);
    } finally {
      this.#runner?.end();
    }
    return this.results();
  }

  /** What became of each mutant so far: one that has not met all its tests is no survivor. */
  results(): Result[] {
    return this.#mutants.map((mutant) => {
      const result = this.#results.get(mutant.id);
      if (result !== undefined && result.fate !== "survived") return result;
      if (this.#cutOff || !this.#finished.has(mutant.id)) {
        return { mutant, fate: result === undefined ? "not run" : "survived so far" };
      }
      return result ?? { mutant, fate: "not reached" };
    });
  }

  #late(): boolean {
    return Date.now() > this.#deadline;
  }

  /** Mutants that nothing has noticed yet. */
  #open(): Mutant[] {
    return this.#mutants.filter(({ id }) =>
      (this.#results.get(id)?.fate ?? "survived") === "survived"
    );
  }

  async #process(): Promise<RunnerProcess> {
    if (this.#runner === undefined || this.#runner.ended) this.#runner = await this.#start(0);
    return this.#runner;
  }

  async #start(fresh: number): Promise<RunnerProcess> {
    const mutants = this.#mutants.reduce((most, { id }) => Math.max(most, id), 0);
    const runner = new RunnerProcess({ root: this.#root, fresh, mutants });
    for await (const _ of runner.answers());
    return runner;
  }

  /**
   * Which places each test of some files reaches, without any mutant.
   *
   * @param end milliseconds: what is not recorded then is left out
   * @param cutOff whether that is for want of time, so that a longer run would not leave it out
   */
  async #record(
    files: readonly string[],
    { end, cutOff }: { end: number; cutOff: boolean },
  ): Promise<void> {
    for (const [k, file] of files.entries()) {
      if (Date.now() > end) {
        this.#cutOff ||= cutOff;
        return this.#log(`${files.length - k} files of tests are left out`);
      }
      const start = Date.now(), runner = await this.#process();
      // Where time is short, no file takes it from all others.
      const share = this.#deadline < Infinity ? (end - start) / 3 : Infinity;
      const limit = Math.min(1000 * SECONDS_PER_FILE, share);
      const timer = setTimeout(() => {
        runner.end();
        this.#cutOff ||= cutOff && limit < 1000 * SECONDS_PER_FILE;
      }, limit);
      for await (const event of runner.ask({ command: "record", file })) this.#note(file, event);
      clearTimeout(timer);
      this.#log(`recorded ${file} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
    }
  }

  #note(file: string, event: Event | Ended): void {
    if (event.event === "loaded") this.#recording.whileLoading.set(file, new Set(event.places));
    else if (event.event === "unusable" || event.event === "ended") {
      this.#log(`${file} cannot be used: ${event.event === "ended" ? event.why : event.reason}`);
    } else if (event.event === "recorded") {
      if (event.ok) this.#recording.tests.push(event);
      else this.#log(`${file}: fails without mutants: ${event.name}`);
    }
  }

  /** The tests among `files` that reach a mutant: the nearest and the fastest first. */
  #testsFor(
    mutant: Mutant,
    files: ReadonlySet<string>,
    { loading }: { loading: boolean },
  ): TestName[] {
    const { tests } = this.#recording;
    const reaching = tests.filter(({ file, places }) =>
      files.has(file) &&
      (places.includes(mutant.place) || loading && this.#distance(file, mutant.file) < FAR)
    );
    const order = ({ file, cpu }: RecordedTest): number =>
      (1 + cpu) * 8 ** (isMirror(file, mutant.file) ? 0 : this.#distance(file, mutant.file));
    reaching.sort((a, b) => order(a) - order(b));
    const chosen: TestName[] = [];
    let total = 0;
    for (const { file, index, ms, cpu } of reaching) {
      total += cpu;
      if (chosen.length > 0 && total > 1000 * this.#testSeconds) break;
      chosen.push({ file, index, limit: Math.ceil(10 * ms + 2000) });
    }
    return chosen;
  }

  #distance(from: string, to: string): number {
    let distances = this.#distances.get(from);
    if (distances === undefined) {
      distances = distancesFrom(from, this.#sources);
      this.#distances.set(from, distances);
    }
    return distances.get(to) ?? FAR;
  }

  /** @param last whether mutants meet no tests after these, but in a process of their own */
  async #round(files: ReadonlySet<string>, { last }: { last: boolean }): Promise<void> {
    let done = 0;
    for (const mutant of this.#open()) {
      if (this.#late()) return;
      const tests = this.#testsFor(mutant, files, { loading: false });
      if (tests.length > 0) await this.#attempt(mutant, tests);
      if (last && !this.#needsOwnProcess(mutant)) this.#finished.add(mutant.id);
      if (tests.length === 0 || ++done % 100 !== 0) continue;
      this.#log(`${done} mutants run, ${this.#open().length} open`);
    }
  }

  /** Runs a mutant; one that may have been noticed for what another left behind is run once more. */
  async #attempt(mutant: Mutant, tests: readonly TestName[]): Promise<void> {
    const start = Date.now();
    let event = await this.#last(await this.#process(), mutant, tests);
    if (event.event === "killed" && !event.clean) {
      this.#runner!.end();
      event = await this.#last(await this.#process(), mutant, tests);
      this.#runner!.end();
    }
    this.#judge(mutant, event, Date.now() - start);
  }

  /** A process for one mutant, on from the start, with every test that it may change. */
  async #fromTheStart(mutant: Mutant): Promise<void> {
    if (this.#late()) return;
    this.#finished.add(mutant.id);
    if (!this.#needsOwnProcess(mutant)) return;
    const files = new Set(this.#recording.whileLoading.keys());
    const tests = this.#testsFor(mutant, files, { loading: true });
    if (tests.length === 0) return;
    const start = Date.now(), runner = await this.#start(mutant.id);
    this.#judge(mutant, await this.#last(runner, mutant, tests), Date.now() - start);
    runner.end();
  }

  /** Whether it changes a constant, which is computed while a file loads, or what a cache hid. */
  #needsOwnProcess({ id, place }: Mutant): boolean {
    return this.#remembered.has(id) ||
      [...this.#recording.whileLoading.values()].some((places) => places.has(place));
  }

  async #last(
    runner: RunnerProcess,
    { id, place }: Mutant,
    tests: readonly TestName[],
  ): Promise<Event | Ended> {
    let last: Event | Ended = { event: "ended", why: "crash" };
    for await (const event of runner.ask({ command: "attempt", id, place, tests })) last = event;
    return last;
  }

  #judge(mutant: Mutant, event: Event | Ended, ms: number): void {
    if (event.event === "killed") {
      const name = this.#recording.tests.find(({ file, index }) =>
        file === event.file && index === event.index
      )?.name;
      this.#results.set(mutant.id, { mutant, fate: "killed", by: `${event.file}: ${name}`, ms });
    } else {
      if (event.event === "survived" && !event.reached) this.#remembered.add(mutant.id);
      const fate = event.event === "ended" ? "by time" : "survived";
      this.#results.set(mutant.id, { mutant, fate, ms });
    }
  }
}

/** Whether a file of tests is called like the file that is mutated. */
export function isMirror(test: string, file: string): boolean {
  return test.slice(test.lastIndexOf("/")) ===
    file.slice(file.lastIndexOf("/")).replace(".ts", "_test.ts");
}
