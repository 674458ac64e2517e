import { assertEquals, assertNotEquals } from "@std/assert";
import { gaussianNoise, laplace, randomisedResponse } from "../../fixtures/judge/true_claims.ts";
import { audit } from "../../lib/judge/audit/audit.ts";
import type { AuditOptions } from "../../lib/judge/audit/options.ts";
import type { Subject } from "../../lib/judge/audit/kernel/subject.ts";
import { functionSubject } from "../../lib/judge/audit/subjects/function_subject.ts";
import { mechanismSubject } from "../../lib/judge/audit/subjects/mechanism_subject.ts";
import { approximate, pure } from "../../lib/core/mod.ts";
import { addRemoveOne, replaceOne } from "../../lib/core/relations/relation.ts";
import { gaussianDelta } from "../../lib/core/numeric/gaussian_delta.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { functionRecorder } from "../../lib/judge/recording/function_recorder.ts";
import { record } from "../../lib/judge/recording/record.ts";
import type { Program } from "../../lib/judge/recording/replay/replayed_program.ts";
import { runCli, withFolder } from "../end_to_end/run_cli.ts";
import { dailyOf, longTest } from "../long.ts";

// The promise: the same seed, program and options give the same verdict, bounds and words on any machine, unless the run was cut.

/** A run that is made again on another machine; its seconds are left out. */
type Run = () => Promise<object>;

const numbers = {
  rows: { type: "number", min: 0, max: 1 } as const,
  size: { min: 0, max: 3 },
};

function source(): SeededSource {
  return new SeededSource(5).split("subject");
}

/** Running counts by partial sums, with noise for one level too few. */
const runningCounts: Program = (data, source) => {
  let sum = 0;
  return (data as number[]).map((row, at) => {
    sum += row;
    let noise = 0;
    for (let level = 1; level <= at + 1; level *= 2) {
      const u = source.uniform() - 0.5;
      noise -= 2 * Math.sign(u) * Math.log(1 - 2 * Math.abs(u));
    }
    return sum + noise;
  });
};

function audited(subject: () => Subject, options: AuditOptions): Run {
  return async () => {
    const report = await audit(subject(), { seed: 7, maxSeconds: 1e7, ...options });
    return { ...report, seconds: 0, claim: report.claim.kind };
  };
}

const AUDITS: Readonly<Record<string, Run>> = {
  "half of the noise": audited(
    () => mechanismSubject(laplace(1, { noise: 0.5 }), { source: source() }),
    { maxDraws: 8000 },
  ),
  "a true claim": audited(
    () => mechanismSubject(randomisedResponse(1), { source: source() }),
    { maxDraws: 8000 },
  ),
  "the best bound": audited(
    () => mechanismSubject(laplace(1, { noise: 0.8 }), { source: source() }),
    { maxDraws: 8000, effort: "thorough" },
  ),
  "an approximate claim": audited(
    () =>
      mechanismSubject(
        gaussianNoise(
          approximate({ epsilon: 1, delta: gaussianDelta(1, 1), relation: replaceOne }),
          { mu: 1, noise: 0.6 },
        ),
        { source: source() },
      ),
    { maxDraws: 8000 },
  ),
  "running counts": audited(
    () => functionSubject(runningCounts, { name: "running counts", source: source() }),
    {
      claim: pure({ epsilon: 1, relation: replaceOne }),
      domain: { rows: { type: "integer", min: 0, max: 1 }, size: { min: 4, max: 8 } },
      maxDraws: 6000,
    },
  ),
  "an error of one dataset": audited(
    () =>
      functionSubject((data, source) => {
        if ((data as number[]).length === 2 && source.uniform() < 0.2) throw new Error("two");
        return source.uniform();
      }, { name: "errors", source: source() }),
    {
      claim: pure({ epsilon: 0.1, relation: addRemoveOne }),
      domain: { rows: { type: "boolean" }, size: { min: 0, max: 3 } },
      maxDraws: 8000,
      all: true,
    },
  ),
};

function recorded(program: Program, epsilon = 1): Run {
  return async () => {
    const recorder = functionRecorder(program, { name: "f", folder: import.meta.url });
    const claim = pure({ epsilon, relation: addRemoveOne });
    const space = { domain: numbers, relation: addRemoveOne };
    const report = await record(recorder, { claim, space, seed: 3, maxPairs: 25, maxSeconds: 1e7 });
    return { ...report, claim: report.claim.kind };
  };
}

const sum = (data: unknown): number => (data as number[]).reduce((a, b) => a + b, 0);

const RECORDINGS: Readonly<Record<string, Run>> = {
  "noise of the source": recorded((data, source) =>
    source.sum(sum(data), source.laplace({ scale: 1 }))
  ),
  "too little noise": recorded(
    (data, source) => source.sum(sum(data), source.laplace({ scale: 1 })),
    0.5,
  ),
  "choices alone": recorded((data, source) =>
    (data as number[]).map((row) => source.uniform() < 0.7 ? row > 0.5 : row <= 0.5)
  ),
};

/** Runs where the clock is so many times as fast, and stands still and jumps now and then. */
async function onOtherMachine(times: number, run: Run): Promise<object> {
  const { now } = performance, begun = now.call(performance);
  let looks = 0, last = begun;
  performance.now = () => {
    const jumps = 40 * Math.floor(++looks / 13);
    if (looks % 3 > 0) return last;
    return last = begun + times * (now.call(performance) - begun) + jumps;
  };
  try {
    return await run();
  } finally {
    performance.now = now;
  }
}

// Mutants: sizes of batches, pairs, or the draws of what follows a verdict by seconds.
const DAILY = [
  ...["half of the noise", "an approximate claim", "running counts"],
  ...["too little noise", "choices alone"],
];
for (const [kind, runs] of Object.entries({ "audit()": AUDITS, "record()": RECORDINGS })) {
  Deno.test(`${kind} says the same on a machine of any speed`, async () => {
    for (const [name, run] of dailyOf(Object.entries(runs), ([name]) => DAILY.includes(name))) {
      const here = JSON.stringify(await run());
      const slow = JSON.stringify(await onOtherMachine(1000, run));
      assertEquals(slow, here, name);
      assertEquals(JSON.parse(here).cut, undefined, name);
    }
  });
}

Deno.test("an audit that its limit of time cuts says so", async () => {
  const { cut } = await onOtherMachine(
    1e6,
    audited(() => mechanismSubject(laplace(1, { noise: 0.9 }), { source: source() }), {
      maxDraws: 200_000,
      maxSeconds: 1,
    }),
  ) as { cut?: readonly object[] };
  assertNotEquals(cut, undefined);
});

/** Programs of the command line, and what is asked of them. */
const PROGRAM = `
const sum = (rows) => rows.reduce((a, b) => a + b, 0);
export const laplace = (rows, source) => {
  const u = source.uniform() - 0.5;
  return sum(rows) - Math.sign(u) * Math.log(1 - 2 * Math.abs(u));
};
export const half = (rows, source) => sum(rows) + 0.5 * (laplace([], source));
export const choice = (rows, source) => rows.map((x) => source.uniform() < 0.7 ? x > 0.5 : x <= 0.5);
`;

longTest("dpcheck says the same alone and beside four busy loops", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/programs.mjs`, PROGRAM);
    const rows = ["--rows", '{"type":"number","min":0,"max":1}', "--size", "0..3"];
    const json = `${folder}/r.json`;
    const reports = async (): Promise<string[]> => {
      const all: string[] = [];
      for (const command of ["record", "audit"]) {
        for (const name of ["laplace", "half", "choice"]) {
          for (const epsilon of ["1", "0.8"]) {
            await runCli([
              command,
              ...[
                "--module",
                `${folder}/programs.mjs#${name}`,
                "--epsilon",
                epsilon,
                "--seed",
                "3",
              ],
              ...[...rows, "--relation", "add-remove-one", "--json", json],
            ]);
            const report = JSON.parse(await Deno.readTextFile(json));
            assertEquals(report.cut, undefined);
            all.push(JSON.stringify({ ...report, seconds: 0 }));
          }
        }
      }
      return all;
    };
    const alone = await reports();
    const loop = `data:application/javascript,${encodeURIComponent("for (;;);")}`;
    const busy = Array.from(
      { length: 4 },
      () => new Deno.Command(Deno.execPath(), { args: ["run", loop] }).spawn(),
    );
    try {
      assertEquals(await reports(), alone);
    } finally {
      for (const child of busy) {
        child.kill("SIGKILL");
        await child.status;
      }
    }
  });
});
