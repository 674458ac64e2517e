import { assert } from "@std/assert";
import {
  type Cell,
  foundAtStated,
  holm,
  LEAST_FOUND,
  POWER,
} from "../../bench/audits/stated_power.ts";
import { plantedEvent } from "../../fixtures/judge/planted_events.ts";
import { audit } from "../../lib/judge/audit/audit.ts";
import { approximate, gaussian, pure, zcdp } from "../../lib/core/mod.ts";
import { pairOf, replaceOne as relation } from "../../lib/core/relations/relation.ts";
import { logBinomialLowerTail } from "../../lib/core/numeric/binomial_tail.ts";
import { longTest } from "../long.ts";

// The figures of a report are planted as it states them, and audits with other seeds find them as often as stated. `deno task bench
// power-stated` prints the whole table. A cell of 10 runs fails at 5 found or fewer: once in 600 where the power is 0.9.
const RUNS = 10, FEWEST = 6;

const claims = {
  pure: pure({ epsilon: 1, relation }),
  approximate: approximate({ epsilon: 1, delta: 1e-3, relation }),
  gaussian: gaussian({ mu: 1, relation }),
  zcdp: zcdp({ rho: 0.5, relation }),
};

const few: readonly (readonly [keyof typeof claims, Omit<Cell, "claim">])[] = [
  ["pure", { kind: "an answer", maxDraws: 4000, share: 0.1 }],
  ["pure", { kind: "numbers beyond a threshold", maxDraws: 1000, share: 0.5 }],
  ["approximate", { kind: "seven of fourteen words", maxDraws: 1000, share: 0.5 }],
  ["gaussian", { kind: "an answer", maxDraws: 1000, share: 0.5 }],
  ["zcdp", { kind: "an answer", maxDraws: 1000, share: 0.5 }],
  ["pure", { kind: "a new word", maxDraws: 1000, share: "one side" }],
  ["approximate", { kind: "a key", maxDraws: 1000, share: "one side" }],
];

// Mutants: the figure of guesses in all outputs; that of a violation in half of the outputs where nearly all are equal.
for (const [claim, cell] of few) {
  Deno.test(`audit() finds "${cell.kind}" as often as its report states, ${claim} claim`, async () => {
    const { stated, found } = await foundAtStated({ ...cell, claim: claims[claim] }, {
      runs: RUNS,
      seed: 5401,
      enough: FEWEST,
    });
    assert(stated !== undefined);
    assert(found >= FEWEST, `${found} of ${RUNS} found at ${stated}`);
  });
}

longTest("audit() finds events of all kinds as often as its reports state", async () => {
  const cells: (readonly [string, Cell])[] = Object.entries(claims).flatMap(([name, claim]) =>
    [200, 1000, 4000, 10_000].flatMap((maxDraws) =>
      [
        ...["an answer", "seven of fourteen words", "numbers beyond a threshold", "a flag", "a key"]
          .map((kind) => ({ kind, share: 0.5 as const })),
        { kind: "an answer", share: 0.1 as const },
        ...["a new word", "numbers beyond a threshold", "one of 16 numbers", "a flag", "a key"]
          .map((kind) => ({ kind, share: "one side" as const })),
      ].map((cell) => [`${name}, ${maxDraws}: ${cell.kind}`, { ...cell, claim, maxDraws }] as const)
    )
  );
  const found = [];
  for (const [, cell] of cells) found.push(await foundAtStated(cell, { runs: 100, seed: 5402 }));
  const corrected = holm(found);
  found.forEach(({ stated, found, runs }, k) => {
    if (stated === undefined) return;
    const [name] = cells[k]!;
    console.log(`${name}: ${stated}, ${found} of ${runs}`);
    assert(
      found >= LEAST_FOUND * runs || corrected[k]! > 0.01,
      `${name}: ${found} of ${runs}, p ${corrected[k]}`,
    );
  });
});

Deno.test("holm() corrects the p-values of cells for their number", () => {
  const cell = (found: number) => ({ stated: 1, left: 0, right: 1, found, runs: 100 });
  const own = (found: number): number => Math.exp(logBinomialLowerTail(found, 100, POWER));
  const corrected = holm([cell(90), cell(80), cell(83)]);
  const expected = [own(90), 3 * own(80), 2 * own(83)];
  corrected.forEach((p, k) => assert(Math.abs(p - expected[k]!) < 1e-12, `${p}`));
});

// Its guesses in all outputs would have seen a violation above 1.29, but nearly all outputs are "no".
// Mutants: the figure of all guesses; the verdict by the figure of a half of the outputs.
Deno.test("audit() of rare answers says that it could have seen no violation of these, and is inconclusive", async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const left = 0.005 * Math.exp(-5);
    const report = await audit(plantedEvent("an answer", { left, right: 0.005, seed }), {
      claim: claims.pure,
      pair: pairOf(relation, { left: [0], right: [1] }),
      maxDraws: 4000,
      seed,
    });
    assert(report.verdict === "inconclusive", report.verdict);
    assert(
      report.reason.includes("however large, would have been seen with 90% power in an event"),
    );
    assert(report.detectableEpsilon === Infinity && report.detectableShare < 0.006);
  }
});
