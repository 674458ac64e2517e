import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { approximate, type Claim, gaussian, pure } from "../../lib/core/mod.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../lib/core/relations/relation.ts";
import type { Domain } from "../../lib/core/relations/dataset.ts";
import { programRecorder } from "../../lib/judge/recording/program_recorder.ts";
import { record, type RecordReport } from "../../lib/judge/recording/record.ts";
import { hasProgram } from "../has_program.ts";
import { dailyOf, LONG } from "../long.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const ignore = !await hasProgram(
  ["python3", "-c", "import numpy"],
  "which line leaks, in programs in Python",
);

/** Watches a program of fixtures/judge/recorded, on thirty pairs. */
async function watched(
  program: string,
  { claim, rows, size }: { readonly claim: Claim } & Pick<Domain, "rows" | "size">,
): Promise<RecordReport> {
  const recorder = await programRecorder(
    `env PYTHONPATH=${ROOT}adapters/python python3 ${ROOT}fixtures/judge/recorded/${program}`,
    { timeoutSeconds: 30, answersOn: 1, first: [] },
  );
  const space = { domain: { rows, size }, relation: claim.relation };
  try {
    return await record(recorder!, { claim, space, seed: 1, maxPairs: 30, maxSeconds: 60 });
  } finally {
    await recorder!.close();
  }
}

const oneDP = (relation: Relation): Claim => pure({ epsilon: 1, relation });
const numbers = (min: number, max: number) => ({ type: "number" as const, min, max });

const ORDERS = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

function softmax(scores: readonly number[], factor: number): number[] {
  const weights = scores.map((score) => Math.exp(factor * score));
  return weights.map((weight) => weight / weights.reduce((sum, one) => sum + one, 0));
}

/** The first option, in one of the orders, whose coin falls heads. */
function permuteAndFlip(
  scores: readonly number[],
  { orders, factor }: { readonly orders: readonly (readonly number[])[]; readonly factor: number },
): number[] {
  const best = Math.max(...scores), chances = scores.map(() => 0);
  for (const order of orders) {
    let left = 1 / orders.length;
    for (const option of order) {
      const heads = Math.exp(factor * (scores[option]! - best));
      chances[option]! += left * heads;
      left *= 1 - heads;
    }
  }
  return chances;
}

/** The largest loss of a choice by the counts of one to three rows, one of which is replaced. */
function lossOf(chances: (scores: readonly number[]) => readonly number[]): number {
  const counts = [0, 1, 2, 3].flatMap((a) =>
    [0, 1, 2, 3].flatMap((b) => [0, 1, 2, 3].map((c) => [a, b, c]))
  )
    .filter((scores) => [1, 2, 3].includes(scores.reduce((sum, score) => sum + score, 0)));
  const losses = counts.flatMap((own) =>
    [0, 1, 2].flatMap((from) =>
      [0, 1, 2].map((to) => {
        const other = own.map((score, i) => score - Number(i === from) + Number(i === to));
        if (own[from] === 0) return 0;
        return Math.max(
          ...chances(own).map((p, i) =>
            p === chances(other)[i] ? 0 : Math.abs(Math.log(p / chances(other)[i]!))
          ),
        );
      })
    )
  );
  return Math.max(...losses);
}

// Mutants: the first path alone; outcomes that are not multiplied; the chances of one dataset on both sides.
Deno.test({
  name:
    "record forces all outcomes of programs that only choose, and knows their loss on a pair exactly",
  ignore,
  fn: async () => {
    const claim = oneDP(replaceOne), size = { min: 1, max: 3 };
    const programs: readonly [name: string, values: number, loss: number][] = [
      ["response", 2, 1],
      ["subset_selection", 5, 1],
      ["flipped_geometric", 2, 1],
      ["exponential", 3, lossOf((scores) => softmax(scores, 0.5))],
      [
        "permute_and_flip",
        3,
        lossOf((scores) => permuteAndFlip(scores, { orders: ORDERS, factor: 0.5 })),
      ],
      ["wrong_response", 2, Math.log(3)],
      ["wrong_exponential", 3, lossOf((scores) => softmax(scores, 2))],
      [
        "wrong_permute_and_flip",
        3,
        lossOf((scores) => permuteAndFlip(scores, { orders: [[0, 1, 2]], factor: 2 })),
      ],
    ];
    const daily = ["subset_selection", "exponential", "wrong_permute_and_flip"];
    for (const [name, values, loss] of dailyOf(programs, ([name]) => daily.includes(name))) {
      const { verdict, findings: [first], cost, notFollowed } = await watched(
        `choices.py ${name}`,
        {
          claim,
          rows: { type: "integer", min: 0, max: values - 1 },
          size: loss === 1 || name === "wrong_response" ? { min: 1, max: 1 } : size,
        },
      );
      assertEquals([name, notFollowed], [name, undefined]);
      if (name.startsWith("wrong")) {
        assertEquals([verdict, first!.kind], ["suspected", "all-outcomes"]);
        // JSON has no infinity.
        assertAlmostEquals(first!.cost ?? Infinity, loss, 1e-9, name);
      } else {
        assertEquals(verdict, "nothing found");
        assertAlmostEquals(cost!, loss, 1e-9, name);
      }
    }
    const { notFollowed } = await watched("choices.py many_flips", {
      claim,
      rows: { type: "integer", min: 0, max: 1 },
      size,
    });
    assertStringIncludes(notFollowed!.reason, "more than 4096 ways");
  },
});

// Mutants: values released where they are read alone; where noise meets a number alone.
Deno.test({
  name:
    "record names the line of three faults in gradient descent, and says that it does not see amplification",
  ignore,
  fn: async () => {
    const claim = gaussian({ mu: Math.sqrt(2) / 4, relation: addRemoveOne });
    const domain = { claim, rows: numbers(-1, 1), size: { min: 0, max: 5 } };
    const source = (await Deno.readTextFile(`${ROOT}fixtures/judge/recorded/dp_sgd.py`)).split(
      "\n",
    );
    const placeOf = (text: string): string[] =>
      source.flatMap((line, i) => line.includes(text) ? [`dp_sgd.py:${i + 1}`] : []);
    if (LONG) {
      const right = await watched("dp_sgd.py right", domain);
      assertEquals([right.verdict, right.findings], ["nothing found", []]);
    }
    const faults = [
      ["clipped_after_averaging", "RATE * (clipped(mean)"],
      ["private_batch_size", "max(len(x), 1)"],
      ["shared_noise", "RATE * total / BATCH"],
    ] as const;
    for (const [name, text] of dailyOf(faults, ([name]) => name === "private_batch_size")) {
      const { verdict, findings } = await watched(`dp_sgd.py ${name}`, domain);
      assertEquals([name, verdict], [name, "suspected"]);
      const places = findings.map(({ place }) => place);
      assert(places.some((place) => placeOf(text).includes(place)), `${name}: ${places}`);
    }
    const shuffled = await watched("dp_sgd.py shuffled", {
      ...domain,
      claim: gaussian({ mu: 0.5, relation: addRemoveOne }),
      size: { min: 0, max: 10 },
    });
    assertStringIncludes(
      shuffled.findings[0]!.sentence,
      "if they choose rows, what that amplifies is not seen",
    );
  },
});

/** The claims of fixtures/judge/recorded/right.py, and what its programs are suspected of by the coupling that is tried. */
const RIGHT: readonly [name: string, claim: Claim, suspected?: string][] = [
  ["histogram", oneDP(addRemoveOne)],
  ["noisy_max", oneDP(replaceOne)],
  ["exponential_noisy_max", oneDP(replaceOne)],
  ["sparse_vector", oneDP(addRemoveOne)],
  ["subsampled_sum", pure({ epsilon: Math.log((1 + Math.E) / 2), relation: addRemoveOne })],
  ["smooth_sensitivity", oneDP(replaceOne), "noise-depends-on-data"],
  ["propose_test_release", approximate({ epsilon: 2, delta: 0.001, relation: replaceOne })],
  ["randomised_response", oneDP(replaceOne)],
  ["exponential", oneDP(replaceOne)],
  ["permute_and_flip", oneDP(replaceOne)],
  ["geometric_count", oneDP(addRemoveOne)],
  ["vector_gaussian", gaussian({ mu: 0.5, relation: addRemoveOne })],
  ["noisy_mean", oneDP(addRemoveOne)],
  ["private_quantile", oneDP(replaceOne), "noise-depends-on-data"],
  ["inverse_distribution", oneDP(addRemoveOne)],
];

Deno.test({
  name:
    "record breaks no correct program, and suspects those alone whose noise covers a change in another way",
  ignore,
  fn: async () => {
    const daily = ["noisy_max", "smooth_sensitivity", "propose_test_release", "vector_gaussian"];
    for (const [name, claim, suspected] of dailyOf(RIGHT, ([name]) => daily.includes(name))) {
      const { verdict, findings, cost } = await watched(`right.py ${name}`, {
        claim,
        rows: numbers(0, 1),
        size: { min: 1, max: 5 },
      });
      assertEquals(
        [name, verdict, ...new Set(findings.map(({ kind }) => kind))],
        suspected === undefined ? [name, "nothing found"] : [name, "suspected", suspected],
      );
      if (suspected === undefined) assert(cost! <= 1 + 1e-9, `${name}: ${cost}`);
    }
  },
});

/** The ε of programs in fixtures/judge/recorded/before_noise.py that keep 1-DP. */
const KEPT: Readonly<Record<string, number>> = {
  gate: Math.log(1.5) + 0.5,
  subsample: Math.log((1 + Math.E) / 2),
  random_sign: 1,
  converted: 1,
  cut: 0.25 + Math.LN2,
};
/** What wrong ones cost, whose lines say it in a comment. */
const LOST: Readonly<Record<string, number>> = {
  weak_gate: Math.log(9) + 0.5,
  small_converted: 2.5,
  stamped: 4,
};

// Mutants: choices that are kept by their draws; a read of noise alone that counts as released; no run on the same data.
Deno.test({
  name:
    "record compares outcomes of choices and follows converted noise, to the ε that programs have",
  ignore,
  async fn(): Promise<void> {
    const options = {
      claim: oneDP(addRemoveOne),
      rows: { type: "integer" as const, min: 0, max: 3 },
      size: { min: 0, max: 3 },
    };
    const text = await Deno.readTextFile(`${ROOT}fixtures/judge/recorded/before_noise.py`);
    const lineOf = (note: string): string =>
      `before_noise.py:${text.split("\n").findIndex((line) => line.endsWith(`# ${note}`)) + 1}`;
    const daily = ["gate", "converted", "weak_gate", "stamped"];
    const some = (programs: Readonly<Record<string, number>>): readonly [string, number][] =>
      dailyOf(Object.entries(programs), ([name]) => daily.includes(name));
    for (const [name, epsilon] of some(KEPT)) {
      const { verdict, cost } = await watched(`before_noise.py ${name}`, options);
      assertEquals([name, verdict], [name, "nothing found"]);
      assertAlmostEquals(cost!, epsilon, 1e-6, name);
    }
    for (const [name, epsilon] of some(LOST)) {
      const { verdict, findings: [finding] } = await watched(`before_noise.py ${name}`, options);
      assertEquals([name, verdict], [name, "suspected"]);
      assertAlmostEquals(finding!.cost!, epsilon, 1e-6, name);
      if (name !== "weak_gate") assertEquals(finding!.place, lineOf(String(epsilon)));
    }
    const { verdict, findings: [broken] } = await watched("before_noise.py broken_gate", options);
    assertEquals([verdict, broken!.place, broken!.change], ["broken", lineOf("broken"), 3]);
    const unstable = ["counted", "counted_in_twos", "rarely_moved"];
    for (const name of dailyOf(unstable, (name) => name === "counted_in_twos")) {
      const { verdict, findings, notFollowed } = await watched(`before_noise.py ${name}`, options);
      assertEquals([name, verdict, findings.length], [name, "not followed", 0]);
      assertStringIncludes(notFollowed!.reason, "two runs on the same data");
    }
  },
});
