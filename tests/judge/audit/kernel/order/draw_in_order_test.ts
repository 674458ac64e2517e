import { assert, assertEquals } from "@std/assert";
import { inParallel } from "../../../../../lib/judge/audit/kernel/copies/in_parallel.ts";
import { functionSubject } from "../../../../../lib/judge/audit/subjects/function_subject.ts";
import { mechanismSubject } from "../../../../../lib/judge/audit/subjects/mechanism_subject.ts";
import { Coins } from "../../../../../lib/judge/audit/kernel/order/coins.ts";
import {
  countOf,
  dealOutputs,
  type Outputs,
  outputValues,
  type PairOutputs,
} from "../../../../../lib/judge/audit/kernel/outputs.ts";
import { drawInOrder } from "../../../../../lib/judge/audit/kernel/order/draw_in_order.ts";
import { type Subject, Thrown } from "../../../../../lib/judge/audit/kernel/subject.ts";
import { moduleSubject } from "../../../../../lib/judge/audit/subjects/thread/module_subject.ts";
import { pure } from "../../../../../lib/core/mod.ts";
import type { Mechanism } from "../../../../../lib/core/mechanism/mechanism.ts";
import { replaceOne } from "../../../../../lib/core/relations/relation.ts";
import { SeededSource } from "../../../../../lib/core/random/seeded_source.ts";

const pair = { left: [0], right: [1] };
const coins = Coins.thrown(new SeededSource("in order"), 500);
const source = new SeededSource(1);
const claim = pure({ epsilon: 1, relation: replaceOne });

/** What a subject is asked, in time. Its outputs are [number, row]. */
interface Clock {
  readonly subject: Subject;
  readonly counts: number[];
}

/** The rows in the order in which outputs on them were made, of outputs [number, row]. */
function rowsInTime({ left, right }: PairOutputs): number[] {
  const sides = [[...outputValues(left)], [...outputValues(right)]] as [number, number][][];
  sides.forEach((side, label) => assert(side.every(([, row]) => row === label)));
  assertEquals(sides.map((side) => side.length), [coins.left, coins.right]);
  return sides.flat().sort(([a], [b]) => a - b).map(([, row]) => row);
}

/** A subject that has `draw` alone. */
function plain(more: Partial<Subject> = {}): Clock {
  let number = 0;
  const counts: number[] = [];
  return {
    counts,
    subject: {
      name: "plain",
      draw(data, count): Outputs | Promise<Outputs> {
        counts.push(count);
        const row = (data as number[])[0]!;
        const values = Array.from({ length: count }, () => [number++, row]);
        const outputs: Outputs = { kind: "values", values };
        return more.drawsElsewhere
          ? new Promise((resolve) => setTimeout(() => resolve(outputs), 0))
          : outputs;
      },
      close: () => Promise.resolve(),
      ...more,
    },
  };
}

// Mutants: blocks of one side; one side after the other.
Deno.test("drawInOrder() asks a subject that has only draw() for one output after the other", async () => {
  for (const drawsElsewhere of [false, true]) {
    const { subject, counts } = plain({ drawsElsewhere });
    assertEquals(rowsInTime(await drawInOrder(subject, pair, coins)), [...coins.order]);
    assert(counts.every((count) => count === 1));
  }
});

// What is drawn later must not be mixed into it: its bets may rest on what is drawn before. Mutant: both at once.
Deno.test("drawInOrder() begins a draw elsewhere when the one before it has ended", async () => {
  const { subject } = plain({ drawsElsewhere: true });
  const drawn = await Promise.all(
    [0, 1].map(() => drawInOrder(subject, pair, coins.slice(0, 50))),
  );
  const numbers = drawn.map(({ left, right }) =>
    ([...outputValues(left), ...outputValues(right)] as [number, number][]).map(([at]) => at)
  );
  assert(Math.max(...numbers[0]!) < Math.min(...numbers[1]!), `${numbers}`);
});

Deno.test("drawInOrder() asks for blocks where outputs are independent by declaration, or recorded", async () => {
  const recorded = {
    left: { kind: "values", values: [] },
    right: { kind: "values", values: [] },
  } as const;
  for (const more of [{ independent: true }, { recorded }]) {
    const { subject, counts } = plain(more);
    await drawInOrder(subject, pair, coins);
    assertEquals(counts, coins.leftFirst ? [coins.left, coins.right] : [coins.right, coins.left]);
  }
});

/** A mechanism whose outputs are [number, row], and with `blocks` declares them independent. */
function numbering({ blocks = false } = {}): Mechanism<number, number[]> {
  let number = 0;
  const sample = ([row]: readonly number[]): number[] => [number++, row!];
  return {
    name: "numbering",
    claim,
    width: 2,
    sample,
    ...(blocks
      ? {
        sampleMany: (data, count) =>
          Float64Array.from(Array.from({ length: count }, () => sample(data)).flat()),
      }
      : {}),
  };
}

// Mutant: all of the left side first.
Deno.test("mechanismSubject() calls sample() in the order of the coins, and sampleMany() for a side each", async () => {
  const one = mechanismSubject(numbering(), { source });
  assertEquals(rowsInTime(await one.drawInOrder!(pair, coins)), [...coins.order]);
  for (const leftFirst of [true, false]) {
    const blocks = mechanismSubject(numbering({ blocks: true }), { source });
    const sorted = [...coins.order].sort();
    if (!leftFirst) sorted.reverse();
    const drawn = await blocks.drawInOrder!(pair, Coins.of(coins.order, { leftFirst }));
    assertEquals(rowsInTime(drawn), sorted);
  }
});

// Mutants: blocks of no outputs asked of a mechanism, and of a subject.
Deno.test("a single draw asks for no outputs of the other side", async () => {
  const first = coins.slice(0, 1), { sampleMany, ...mechanism } = numbering({ blocks: true });
  const counts: number[] = [];
  const blocks = mechanismSubject({
    ...mechanism,
    sampleMany(data, count, random): Float64Array {
      counts.push(count);
      if (count === 0) throw new RangeError("count must be at least 1");
      return sampleMany!(data, count, random);
    },
  }, { source });
  for (const subject of [blocks, plain({ independent: true }).subject]) {
    const { left, right, lost } = await drawInOrder(subject, pair, first);
    assertEquals([countOf(left), countOf(right), lost], [first.left, first.right, undefined]);
  }
  const { subject, counts: asked } = plain({ independent: true });
  await drawInOrder(subject, pair, first);
  assertEquals([counts, asked], [[1], [1]]);
});

// Mutant: the block of one side is kept when the other one's throws.
// Mutant: the blocks drawn again one by one, when the mechanism knows how many outputs each side has.
Deno.test("mechanismSubject() loses the blocks of a batch when sampleMany() throws, and then draws in the order of the coins", async () => {
  for (const failing of [0, 1]) {
    const { sampleMany, ...mechanism } = numbering({ blocks: true });
    const subject = mechanismSubject({
      ...mechanism,
      sampleMany(data, count, random): Float64Array {
        if (data[0] === failing) throw new Error("no blocks");
        return sampleMany!(data, count, random);
      },
    }, { source });
    const { left, right, lost } = await subject.drawInOrder!(pair, coins);
    assertEquals([countOf(left), countOf(right)], [0, 0]);
    assertEquals(lost, { left: coins.left, right: coins.right });
    assertEquals(rowsInTime(await subject.drawInOrder!(pair, coins)), [...coins.order]);
  }
});

Deno.test("functionSubject() calls the function in the order of the coins, asynchronous or not", async () => {
  for (const wait of [false, true]) {
    let number = 0;
    const run = ([row]: number[]): unknown =>
      wait ? Promise.resolve([number++, row]) : [number++, row];
    const subject = functionSubject(run, { name: "numbering", source });
    assertEquals(rowsInTime(await subject.drawInOrder!(pair, coins)), [...coins.order]);
  }
  const odd = functionSubject(([row]: number[]) => {
    if (row === 1) throw new Error("odd");
    return 0;
  }, { name: "odd", source });
  const { left, right } = await odd.drawInOrder!(pair, coins);
  assertEquals(left, { kind: "block", width: 1, values: new Float64Array(coins.left) });
  assertEquals(right.values, new Array(coins.right).fill(new Thrown("odd")));
});

Deno.test("moduleSubject() draws in the order of the coins in its thread", async () => {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(
    file,
    "let number = 0;\nexport default ([row]) => [number++, row];\n",
  );
  const subject = await moduleSubject(file, { source });
  try {
    assertEquals(rowsInTime(await subject.drawInOrder!(pair, coins)), [...coins.order]);
  } finally {
    await subject.close();
    await Deno.remove(file);
  }
});

// Mutants: shares by side; places dealt by coin.
Deno.test("inParallel() gives each copy places that follow each other, in the order of the coins", async () => {
  const clocks = [0, 100_000, 200_000].map((begin) => {
    let number = begin;
    return mechanismSubject({
      ...numbering(),
      sample: ([row]: readonly number[]) => [number++, row!],
    }, { source });
  });
  for (const coins of [10, 100, 101].map((count) => Coins.thrown(source, count))) {
    const subject = inParallel(clocks);
    const { left, right } = await subject.drawInOrder!(pair, coins);
    const outputs = [...outputValues(left), ...outputValues(right)] as [number, number][];
    const byCopy = [0, 1, 2].map((k) =>
      outputs.filter(([at]) => Math.floor(at / 100_000) === k).sort(([a], [b]) => a - b)
    );
    const sizes = byCopy.map((own) => own.length);
    // The first copy has the first output too, by which they differed.
    const share = Math.ceil((coins.count - 1) / 3);
    assertEquals(sizes[0], share + 1);
    assertEquals(byCopy.flat().map(([, row]) => row), [...coins.order]);
  }
});

Deno.test("dealOutputs() deals blocks and values alike", () => {
  const order = Uint8Array.of(1, 0, 0, 1, 1);
  const rows = [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]];
  const block: Outputs = { kind: "block", width: 2, values: Float64Array.from(rows.flat()) };
  const expected = {
    left: { kind: "block", width: 2, values: Float64Array.of(3, 4, 5, 6) },
    right: { kind: "block", width: 2, values: Float64Array.of(1, 2, 7, 8, 9, 10) },
  };
  assertEquals(dealOutputs(block, order) as unknown, expected);
  assertEquals(dealOutputs({ kind: "values", values: rows }, order) as unknown, expected);
  const single: Outputs = { kind: "block", width: 1, values: Float64Array.of(1, 2, 3, 4, 5) };
  for (const outputs of [single, { kind: "values", values: [1, 2, 3, 4, 5] } as const]) {
    const { left, right } = dealOutputs(outputs, order);
    assertEquals([[...left.values], [...right.values]], [[2, 3], [1, 4, 5]]);
  }
  for (const side of [0, 1]) {
    const { left, right } = dealOutputs(single, new Uint8Array(5).fill(side));
    assertEquals([left, right].map(({ values }) => values.length), side === 0 ? [5, 0] : [0, 5]);
  }
  assertEquals(dealOutputs({ kind: "values", values: ["a", 1, 2, null, true] }, order), {
    left: { kind: "block", width: 1, values: Float64Array.of(1, 2) },
    right: { kind: "values", values: ["a", null, true] },
  });
});
