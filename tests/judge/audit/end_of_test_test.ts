import { assert } from "@std/assert";
import { audit } from "../../../lib/judge/audit/audit.ts";
import type { AuditReport } from "../../../lib/judge/audit/report.ts";
import type { AuditOptions } from "../../../lib/judge/audit/options.ts";
import { mechanismSubject } from "../../../lib/judge/audit/subjects/mechanism_subject.ts";
import { pure } from "../../../lib/core/mod.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { logBinomialTail } from "../../../lib/core/numeric/binomial_tail.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { LONG } from "../../long.ts";

// Programs that keep their claim exactly, call by call, and stall or fall silent when they have given many right answers, in
// order to end the last test of the audit then (docs/decisions/guess_count_bound.md). Seeds and α are fixed beforehand.

const ALPHA = 0.05;
const AUDITS = LONG ? 200 : 50;
const EPSILON = 1;
const TRUTH = 1 / (1 + Math.exp(-EPSILON));
const claim = pure({ epsilon: EPSILON, relation: replaceOne });
const pair = pairOf(replaceOne, { left: [0], right: [1] });

/** Randomised response, with the number of right answers from some call on. */
class Tally {
  readonly #from: number;
  #calls = 0;
  #right = 0;
  #answers = 0;

  constructor(from: number) {
    this.#from = from;
  }

  /** One answer, which is right as often as the claim allows. */
  answer([row]: readonly number[], source: Source): number {
    const right = source.uniform() < TRUTH;
    if (this.#calls++ >= this.#from) {
      this.#answers++;
      if (right) this.#right++;
    }
    return right ? row! : 1 - row!;
  }

  /** Whether a test of the answers so far would refute the claim at about the level that the last test has. */
  get isHigh(): boolean {
    const deviation = Math.sqrt(this.#answers * TRUTH * (1 - TRUTH));
    return this.#answers >= 50 && this.#right - this.#answers * TRUTH > 1.8 * deviation;
  }

  get calls(): number {
    return this.#calls;
  }
}

async function refutedOf(
  program: (run: number) => Pick<Mechanism<number, number>, "sample">,
  options: AuditOptions,
): Promise<{ refuted: number; reports: AuditReport[] }> {
  const reports: AuditReport[] = [];
  for (let run = 0; run < AUDITS; run++) {
    const source = new SeededSource(run).split("end of a test");
    const subject = mechanismSubject({ name: "steering", claim, ...program(run) }, { source });
    reports.push(
      await audit(subject, { pair, alpha: ALPHA, seed: run, shrink: false, ...options }),
    );
  }
  const refuted = reports.filter(({ verdict }) => verdict === "refuted").length;
  // So many or more have probability 1e-4 at 5%.
  assert(
    logBinomialTail(refuted, AUDITS, ALPHA) > Math.log(1e-4),
    `${refuted} of ${AUDITS} true claims refuted`,
  );
  return { refuted, reports };
}

/** Runs with a clock that only `wait` moves, and timers that go off at once. */
async function withClock(
  run: (wait: (milliseconds: number) => void) => Promise<void>,
): Promise<void> {
  const { now } = performance, { setTimeout } = globalThis;
  let time = 1000;
  performance.now = () => time;
  globalThis.setTimeout = ((go: () => void) => queueMicrotask(go)) as typeof setTimeout;
  try {
    await run((milliseconds) => time += milliseconds);
  } finally {
    performance.now = now;
    globalThis.setTimeout = setTimeout;
  }
}

Deno.test("audit() refutes at most α of programs that stall when their tally is high", async () => {
  const milliseconds = 2, maxDraws = 8000, maxSeconds = 1.1 * maxDraws * milliseconds / 1000;
  await withClock(async (wait) => {
    let stalled = 0;
    await refutedOf(() => {
      // The partition of simple outputs is fixed at 42% of the budget.
      const tally = new Tally(0.42 * maxDraws);
      return {
        sample: (data, source) => {
          wait(milliseconds);
          const output = tally.answer(data, source);
          if (tally.isHigh) {
            wait(1e6);
            stalled++;
          }
          return output;
        },
      };
    }, { maxDraws, maxSeconds, effort: "thorough" });
    assert(stalled > AUDITS / 8, `${stalled} stalled`);
  });
});

Deno.test("audit() refutes at most α of programs that fall silent when their tally is high", async () => {
  const maxDraws = 8000;
  let silent = 0;
  await refutedOf(() => {
    const tally = new Tally(0.45 * maxDraws);
    let isSilent = false;
    return {
      sample: (data, source) => {
        // Silence occurs from the beginning, on both datasets alike, so that the auditor learns that it shows nothing.
        if (isSilent || source.uniform() < 0.05) return 2;
        const output = tally.answer(data, source);
        isSilent = tally.isHigh;
        if (isSilent) silent++;
        return output;
      },
    };
  }, { maxDraws, effort: "thorough" });
  assert(silent > AUDITS / 8, `${silent} fell silent`);
});

Deno.test("audit() shows nothing by a last test that cannot be finished in time", async () => {
  await withClock(async (wait) => {
    // It lies too seldom for its claim, and slows down so much that few of the guesses are made.
    const run = async (isSlow: boolean): Promise<AuditReport> => {
      let calls = 0;
      const source = new SeededSource(3);
      const subject = mechanismSubject({
        name: "slow",
        claim,
        sample: ([row]: readonly number[], random: Source) => {
          wait(++calls > 4500 && isSlow ? 1 : 0.05);
          return random.uniform() < 0.76 ? row! : 1 - row!;
        },
      }, { source });
      return await audit(subject, {
        pair,
        seed: 3,
        maxDraws: 8000,
        maxSeconds: 0.5,
        effort: "thorough",
        shrink: false,
      });
    };
    const [steady, slow] = [await run(false), await run(true)];
    assert(steady.epsilonLowerBound > 0.9);
    // By its bets alone, which have an eighth of α, it would have seen less.
    assert(slow.detectableEpsilon! > steady.detectableEpsilon!);
    assert(slow.epsilonLowerBound < steady.epsilonLowerBound - 0.05);
  });
});
