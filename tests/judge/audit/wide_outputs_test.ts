import { assert, assertEquals } from "@std/assert";
import { audit } from "../../../lib/judge/audit/audit.ts";
import { packOutputs } from "../../../lib/judge/audit/kernel/outputs.ts";
import { Predictor } from "../../../lib/judge/audit/model/prediction/predictor.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import { pure } from "../../../lib/core/mod.ts";
import { pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import { floatLaplace } from "../../../lib/core/random/float_laplace.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { longTest } from "../../long.ts";

const pair = pairOf(replaceOne, { left: [0], right: [1] });
const claim = pure({ epsilon: 1, relation: replaceOne });
const WIDTH = 1500, PLACE = 1234;

/** Numbers of Laplace noise of this scale, one of which has the value of the row besides. */
function noisy(rows: readonly number[], source: Source, scale: number): Float64Array {
  const numbers = floatLaplace(source, new Float64Array(WIDTH), { scale });
  numbers[PLACE]! += rows[0]!;
  return numbers;
}

function toRecord(numbers: Float64Array): Record<string, number> {
  const record: Record<string, number> = {};
  numbers.forEach((value, i) => record[`k${i}`] = value);
  return record;
}

// Mutants: columns from the 64th on are not looked at; no column is kept.
Deno.test("the model of very wide outputs finds the one column that tells", () => {
  const source = new SeededSource(57), predictor = new Predictor();
  for (let batch = 0; batch < 20; batch++) {
    const [left, right] = [0, 1].map((row) =>
      packOutputs(Array.from({ length: 16 }, () => noisy([row], source, 0.4)))
    );
    predictor.observe(left!, right!);
  }
  const names = predictor.partition.features.map(({ name }) => name);
  assert(names.includes(`output[${PLACE}]`), names.join());
  assert(predictor.encoder!.columns.length < 64);
});

// Mutants: a split on a column that was chosen among 1,500 costs as little as one of 40.
longTest(
  "an audit finds one column of 1,500, of lists and of records, and no column where none tells",
  async () => {
    for (const [name, form] of [["lists", Array.from], ["records", toRecord]] as const) {
      const run = (scale: number) =>
        functionSubject(
          (rows: number[], source) =>
            (form as (x: Float64Array) => unknown)(noisy(rows, source, scale)),
          { name, source: new SeededSource(57) },
        );
      const options = { pair, claim, seed: 57, maxDraws: 1200, shrink: false };
      assertEquals((await audit(run(0.4), options)).verdict, "refuted", name);
      const tight = await audit(run(1), { ...options, maxDraws: 600 });
      assert(tight.verdict !== "refuted", name);
    }
  },
);

// Mutant: a text of bits is a number whose last digits are lost. The loss is 2 ln 3.
Deno.test("an audit reads the bits of a text", async () => {
  const randomised = ([row]: number[], source: Source): string =>
    Array.from({ length: 40 }, (_, i) => {
      const truth = Number(i === 30 + 5 * row!);
      return source.uniform() < 0.5 ? truth : source.uint32() & 1;
    }).join("");
  const subject = functionSubject(randomised, { name: "bits", source: new SeededSource(58) });
  const { verdict, event } = await audit(subject, {
    pair,
    claim: pure({ epsilon: 1.5, relation: replaceOne }),
    seed: 58,
    maxDraws: 4000,
    shrink: false,
  });
  assertEquals(verdict, "refuted");
  assert(/number 3[16] in output/.test(event!.description), event!.description);
});

Deno.test("packOutputs() makes columns of records of the same keys in the same order alone", () => {
  const packed = packOutputs([{ a: 1, b: 2 }, { a: 3, b: -0 }]);
  assertEquals(packed, {
    kind: "block",
    width: 2,
    values: Float64Array.of(1, 2, 3, -0),
    keys: ["a", "b"],
  });
  for (
    const values of [
      [{ a: 1, b: 2 }, { b: 2, a: 1 }],
      [{ a: 1, b: 2 }, { a: 1, b: 2, c: 3 }],
      [{ a: 1, b: 2 }, { a: 1, b: "2" }],
      [{ a: 1, b: 2 }, [1, 2]],
      [{ a: 1 }, { a: 2 }],
      [Object.create(null), { a: 1, b: 2 }],
    ]
  ) {
    assertEquals(packOutputs(values).kind, "values");
  }
});
