import type { SideCounts } from "../subject.ts";
import type { ShardJob, ShardResult, ShardTask } from "./shard_job.ts";
import { resultProblem } from "./result_problem.ts";

/** Event of an attempt, as a line of a checkpoint says it. */
export type LedgerEvent =
  | { readonly event: "started"; readonly shard: number; readonly attempt: number }
  | { readonly event: "withdrawn"; readonly shard: number; readonly attempt: number }
  | { readonly event: "counted"; readonly result: ShardResult };

/** The counts of all shards together. */
export interface ShardTotals {
  readonly draws: number;
  readonly left: number;
  readonly right: number;
  readonly made: number;
  readonly rightGuesses: number;
  /** Draws at `[2 * node + label]`; absent where guesses are counted. */
  readonly counts?: Float64Array;
  /** Draws whose outputs did not come; in no count. */
  readonly unanswered: SideCounts;
  /** The numbers of the attempts that were begun and are not counted, where others may have been drawn in their place. */
  readonly lost: readonly number[];
}

interface ShardState {
  started: number;
  /** Numbers of the attempts that are counted. */
  readonly counted: Set<number>;
  draws: number;
  made: number;
  isComplete: boolean;
}

/** Fate of a result: counted; known already, or not needed; or refused, with the reason. */
export type Taken = "counted" | "not needed" | { readonly refused: string };

/**
 * Which attempts at shards were begun, and what was counted. Results are merged by shard and attempt: one that comes twice, late,
 * or after another attempt at the same shard, changes nothing. Sums do not depend on the order of their terms.
 */
export class ShardLedger {
  readonly #job: ShardJob;
  readonly #record: (event: LedgerEvent) => void;
  readonly #states = new Map<number, ShardState>();
  /** Shards with an attempt under way. */
  readonly #underWay = new Set<number>();
  readonly #sums = { draws: 0, left: 0, right: 0, made: 0, rightGuesses: 0 };
  readonly #counts: Float64Array | undefined;
  #unanswered: SideCounts = { left: 0, right: 0 };
  #complete = 0;
  /** The first shard that may have had no attempt. */
  #next = 0;

  /** A ledger of a job, after some `events`; `record` is told of each new one, of a start before the attempt begins. */
  constructor(
    job: ShardJob,
    { events = [], record = () => {} }: {
      readonly events?: readonly LedgerEvent[];
      readonly record?: (event: LedgerEvent) => void;
    } = {},
  ) {
    this.#job = job;
    this.#counts = job.guess === undefined
      ? new Float64Array(job.learned.counts.length)
      : undefined;
    this.#record = () => {};
    for (const event of events) {
      if (event.event === "started") this.started(event.shard, event.attempt);
      else if (event.event === "withdrawn") this.withdraw(event);
      else this.take(event.result);
    }
    this.#record = record;
  }

  /** The job. */
  get job(): ShardJob {
    return this.#job;
  }

  /** Shards that are counted to their end. */
  get complete(): number {
    return this.#complete;
  }

  /** Whether all are. */
  get isComplete(): boolean {
    return this.#complete === this.#job.shards;
  }

  /** Draws that are counted. */
  get draws(): number {
    return this.#sums.draws;
  }

  /** Begins the next attempt, at the first shard that needs one and has none under way; `undefined` where there is none now. */
  begin(): ShardTask | undefined {
    for (let shard = this.#next; shard < this.#job.shards; shard++) {
      const state = this.#states.get(shard);
      if (state?.isComplete || this.#underWay.has(shard)) {
        if (shard === this.#next && state?.isComplete) this.#next++;
        continue;
      }
      const task = this.#taskOf(shard);
      this.#underWay.add(shard);
      this.started(shard, task.attempt);
      return task;
    }
    return undefined;
  }

  /** Returns the task that the next attempt at a shard has. */
  #taskOf(shard: number): ShardTask {
    const { draws, goal } = this.#left(shard);
    const started = this.#states.get(shard)?.started ?? 0;
    return { shard, attempt: this.#job.isFunctionOfSeed ? 1 : started + 1, draws, goal };
  }

  /** Draws and guesses that are left of a shard. */
  #left(shard: number): { readonly draws: number; readonly goal: number } {
    const { draws, goal, guess } = this.#job, state = this.#states.get(shard);
    if (state === undefined) return { draws, goal };
    const done = guess === undefined ? state.draws : state.made;
    return { draws: draws - state.draws, goal: goal - done };
  }

  /** Notes that an attempt was begun, and with it all before it. */
  started(shard: number, attempt: number): void {
    const state = this.#stateOf(shard);
    if (attempt <= state.started) return;
    state.started = attempt;
    this.#record({ event: "started", shard, attempt });
  }

  /** Takes the start of the last attempt at a shard back: it is known that nothing was drawn, and that nothing will be. */
  withdraw({ shard, attempt }: Pick<ShardTask, "shard" | "attempt">): void {
    const state = this.#stateOf(shard);
    if (state.started !== attempt || state.counted.has(attempt)) return;
    this.#underWay.delete(shard);
    state.started--;
    this.#record({ event: "withdrawn", shard, attempt });
  }

  /** Ends the wait for an attempt: another one may be begun. */
  lose({ shard }: Pick<ShardTask, "shard">): void {
    this.#underWay.delete(shard);
  }

  /** Counts a result, if it is needed and can be one. */
  take(result: ShardResult): Taken {
    const problem = resultProblem(result, this.#job);
    if (problem !== undefined) return { refused: problem };
    const { shard, attempt } = result, state = this.#stateOf(shard);
    if (state.isComplete || state.counted.has(attempt)) return "not needed";
    const left = this.#left(shard);
    // Another attempt was counted in part after this one began.
    if (result.drawsAsked !== left.draws || result.goal !== left.goal) return "not needed";
    // What a function of the seed counts up to a stop is drawn again with the rest.
    if (this.#job.isFunctionOfSeed && !result.ended) return "not needed";
    this.started(shard, attempt);
    this.#count(result, state);
    this.#underWay.delete(shard);
    this.#record({ event: "counted", result });
    return "counted";
  }

  #count(result: ShardResult, state: ShardState): void {
    state.counted.add(result.attempt);
    state.draws += result.draws;
    state.made += result.made;
    for (const name of ["draws", "left", "right", "made", "rightGuesses"] as const) {
      this.#sums[name] += result[name];
    }
    const { left = 0, right = 0 } = result.unanswered ?? {};
    const before = this.#unanswered;
    this.#unanswered = { left: before.left + left, right: before.right + right };
    result.counts?.forEach((count, at) => this.#counts![at]! += count);
    if (!result.ended) return;
    state.isComplete = true;
    this.#complete++;
  }

  #stateOf(shard: number): ShardState {
    let state = this.#states.get(shard);
    if (state === undefined) {
      state = { started: 0, counted: new Set(), draws: 0, made: 0, isComplete: false };
      this.#states.set(shard, state);
    }
    return state;
  }

  /** Counts of all shards, and the attempts that were lost. */
  get totals(): ShardTotals {
    const lost: number[] = [];
    for (const { started, counted, isComplete } of this.#states.values()) {
      // Attempts after the one that ended the shard are counted nowhere, whatever they show.
      const last = isComplete ? Math.max(...counted) : started;
      for (let attempt = 1; attempt <= last; attempt++) {
        if (!counted.has(attempt)) lost.push(attempt);
      }
    }
    return {
      ...this.#sums,
      ...(this.#counts && { counts: this.#counts.slice() }),
      unanswered: this.#unanswered,
      lost,
    };
  }
}
