import { assert, assertEquals, assertThrows } from "@std/assert";
import { encoderOf } from "../../../lib/judge/audit/model/encoding/encoder.ts";
import type { Dataset, Domain } from "../../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { changeEach } from "../../../lib/core/relations/relation.ts";
import {
  kAryRandomisedResponse,
  randomisedResponse,
  twoCoinSurvey,
} from "../../../lib/dp/mechanisms/randomised_response.ts";
import {
  keepOrReplace,
  mixedNoise,
  perturbedDatabase,
} from "../../../lib/dp/mechanisms/input_perturbation.ts";
import { aboveThreshold } from "../../../lib/dp/mechanisms/sparse_vector.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { randomRow } from "../../../lib/judge/audit/search/row_values.ts";
import { breachOfDraws } from "../../../lib/judge/testing/laws/stated_laws.ts";
import { KEPT } from "./weakened.ts";

const dataOf = (
  { rows }: Domain,
  { size, source }: { readonly size: number; readonly source: SeededSource },
): Dataset => Array.from({ length: size }, () => randomRow(rows, source));

const bits: Domain = { rows: { type: "boolean" }, size: { min: 0, max: 4 } };
const digits: Domain = { rows: { type: "integer", min: 0, max: 5 }, size: { min: 0, max: 4 } };

const rowByRow = [
  twoCoinSurvey({ domain: bits }),
  randomisedResponse({ epsilon: 1, domain: bits }),
  kAryRandomisedResponse({ epsilon: 1, categories: [0, 1, 2, 3, 4, 5], domain: digits }),
  kAryRandomisedResponse({ epsilon: 1, categories: [true, false], domain: bits }),
  perturbedDatabase(keepOrReplace({ size: 6, keep: 0.5 }), { domain: digits }),
  perturbedDatabase(mixedNoise({ size: 6, reach: 1, keep: 0.5 }), { domain: digits }),
] as readonly Mechanism[];

const stream = (epsilon: number, mostAnswers = 5): Mechanism<number, boolean[]> =>
  aboveThreshold<number>({
    answers: (rows) => rows,
    epsilon,
    sensitivity: 1,
    threshold: 1,
    count: 2,
    granularity: 1,
    relation: changeEach({ by: 1 }),
    mostAnswers,
  });

/** The rows of a block. */
function rowsOf(block: Float64Array, width: number): number[][] {
  return Array.from(
    { length: block.length / width },
    (_, i) => Array.from(block.subarray(i * width, (i + 1) * width)),
  );
}

/** An output as a row of a block. */
function padded(output: readonly unknown[], width: number): number[] {
  return Array.from({ length: width }, (_, i) => i < output.length ? Number(output[i]) : NaN);
}

for (const mechanism of rowByRow) {
  const { name, width, domain } = mechanism;
  Deno.test(`${name} of ${domain!.rows.type} rows gives in blocks what it gives one by one, draw for draw`, () => {
    assertEquals(width, 4);
    for (const size of [0, 1, 3, 4]) {
      const data = dataOf(domain!, { size, source: new SeededSource(130 + size) });
      const one = new SeededSource(140), many = new SeededSource(140);
      const block = mechanism.sampleMany!(data, 500, many);
      const singly = Array.from(
        { length: 500 },
        () => padded(mechanism.sample(data, one) as unknown[], 4),
      );
      assertEquals(rowsOf(block, 4), singly);
    }
  });
}

/** Transcripts from a block. */
function transcripts(mechanism: Mechanism<number, boolean[]>, data: Dataset<number>): boolean[][] {
  const block = mechanism.sampleMany!(data, 60_000, new SeededSource(141));
  return rowsOf(block, mechanism.width!).map((row) => {
    const said = row.filter((answer) => !Number.isNaN(answer));
    // Nothing but an end is missing.
    assertEquals(row, padded(said, row.length));
    return said.map((answer) => answer === 1);
  });
}

const breachOf = (data: Dataset<number>, drawn: readonly unknown[]): unknown =>
  breachOfDraws(stream(1) as Mechanism, { data, drawn });

Deno.test("aboveThreshold() draws whole transcripts in blocks with the probabilities it states", () => {
  for (const data of [[2, -1, 1, 0, 3], [0, 4, 1], [1]]) {
    assertEquals(breachOf(data, transcripts(stream(1), data)), undefined);
  }
  // With 15% less noise they are others, and so without what one threshold does to all answers.
  const data = [2, -1, 1, 0, 3], drawn = transcripts(stream(1), data);
  assert(breachOf(data, transcripts(stream(1 / KEPT), data)) !== undefined);
  const long = drawn.filter((said) => said.length === 5);
  const mixed = long.map((
    said,
    i,
  ) => [...long[(i + 1) % long.length]!.slice(0, 1), ...said.slice(1)]);
  let at = 0;
  assert(breachOf(data, drawn.map((said) => said.length === 5 ? mixed[at++] : said)) !== undefined);
});

Deno.test("blocks tell an audit what outputs one by one do", () => {
  const source = new SeededSource(142);
  const cases: [Mechanism, Dataset][] = [
    [stream(1) as Mechanism, [2, -1, 1, 0, 3]],
    ...rowByRow.map((mechanism): [Mechanism, Dataset] => [
      mechanism,
      dataOf(mechanism.domain!, { size: 4, source }),
    ]),
  ];
  for (const [mechanism, data] of cases) {
    const width = mechanism.width!;
    const values = Array.from(
      { length: 300 },
      () => mechanism.sample(data, source) as unknown[],
    );
    const singly = encoderOf([{ kind: "values", values }]);
    const names = singly.columns.map(({ name }) => name);
    const rows = rowsOf(singly.encode({ kind: "values", values }), names.length);
    const block = {
      kind: "block",
      width,
      values: Float64Array.from(values.flatMap((output) => padded(output, width))),
    } as const;
    const blocks = encoderOf([block]);
    // The length is the only column more, and it is the number of those that are there.
    assertEquals(names, [...blocks.columns.map(({ name }) => name), "length(output)"]);
    assertEquals(singly.elements, blocks.elements);
    rowsOf(blocks.encode(block), width).forEach((row, i) => {
      const present = row.filter((value) => !Number.isNaN(value)).length;
      assertEquals(rows[i], [...row, present]);
    });
  }
});

Deno.test("blocks refuse longer outputs before randomness is used", () => {
  const used = (): never => {
    throw new Error("randomness was used");
  };
  const untouchable = {
    kind: "seeded",
    uint32: used,
    uniform: used,
    fillUint32: used,
    split: used,
  } as const;
  for (const mechanism of [...rowByRow, stream(1, 4) as Mechanism]) {
    const data = [true, true, false, true, true].map((bit) =>
      mechanism.domain?.rows.type === "boolean" ? bit : Number(bit)
    );
    assertThrows(() => mechanism.sampleMany!(data, 2, untouchable), RangeError, "at most 4 parts");
    assert(Array.isArray(mechanism.sample(data, new SeededSource(143))));
  }
});
