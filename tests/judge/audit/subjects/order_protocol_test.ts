import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { Coins } from "../../../../lib/judge/audit/kernel/order/coins.ts";
import { outputValues, type PairOutputs } from "../../../../lib/judge/audit/kernel/outputs.ts";
import {
  processSubject,
  type ProcessSubjectOptions,
} from "../../../../lib/judge/audit/subjects/process/process_subject.ts";
import { RequestLines } from "../../../../lib/judge/audit/subjects/process/request_lines.ts";
import { quoteWord } from "../../../../lib/judge/audit/subjects/process/split_command.ts";
import { type Subject, Thrown } from "../../../../lib/judge/audit/kernel/subject.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";

/**
 * A Python program that numbers its outputs: [number, row, request], where a request is [keys, bytes, outputs of
 * each side that it asks for].
 */
const PROGRAM = `
import json, struct, sys
order, binary, fails = "order" in sys.argv, "binary" in sys.argv, "fails" in sys.argv
if order or binary:
    greeting = {"dpcheck": 1}
    if order: greeting["order"] = True
    if binary: greeting.update(binary="f64", width=2)
    print(json.dumps(greeting), flush=True)
number = 0
for line in sys.stdin:
    r = json.loads(line)
    if order:
        rows = [r["datasets"][side][0] for side in r["order"]]
    else:
        rows = [r["data"][0]] * r["count"]
    if fails and len(rows) > 1:
        print(json.dumps({"id": r["id"], "error": "too many"}), flush=True)
        continue
    request = [sorted(r), len(line.encode()), len(rows)]
    outputs = []
    for row in rows:
        outputs.append([number, row, request])
        number += 1
    if binary:
        sys.stdout.buffer.write(b"".join(struct.pack("<dd", *o[:2]) for o in outputs))
        sys.stdout.buffer.flush()
    else:
        print(json.dumps({"id": r["id"], "outputs": outputs}), flush=True)
`;
import { testsWith } from "../../../has_program.ts";

const testPython = await testsWith(["python3", "--version"], "the order of requests to programs");

type Output = [
  number: number,
  row: number,
  request: [keys: string[], bytes: number, count: number],
];

function program(words: string, options: ProcessSubjectOptions = {}): Subject {
  return processSubject(`python3 -c ${quoteWord(PROGRAM)} ${words}`, options);
}

const pair = { left: [0], right: [1] };
const coins = Coins.thrown(new SeededSource("order"), 3000);
const FIRST = ["count", "data", "datasets", "id", "order"];

/** The outputs of both sides in the order in which the program made them, after a look at their sides. */
async function drawn(subject: Subject): Promise<Output[]> {
  try {
    const { left, right } = await subject.drawInOrder!(pair, coins);
    const sides = [[...outputValues(left)], [...outputValues(right)]] as [Output[], Output[]];
    assertEquals(sides.map((side) => side.length), [coins.left, coins.right]);
    sides.forEach((side, label) => assert(side.every(([, row]) => row === label)));
    return sides.flat().sort(([a], [b]) => a - b);
  } finally {
    await subject.close();
  }
}

// Mutants: sides exchanged, or one after the other; requests of one output only; the number of outputs of a side told.
testPython(
  "processSubject() asks a program that takes orders in the order of the coins",
  async () => {
    for (const options of [{}, { independent: true }]) {
      const outputs = await drawn(program("order", options));
      assertEquals(outputs.map(([, row]) => row), [...coins.order]);
      assertEquals(outputs[0]![2][0], FIRST);
      assert(outputs.slice(1).every(([, , [keys]]) => keys.join() === "datasets,id,order"));
      // Requests grow: 16 outputs, 64 and so on.
      assertEquals(outputs.slice(0, 18).map(([, , [, , count]]) => count), [
        1,
        ...new Array(16).fill(16),
        outputs[17]![2][2],
      ]);
      assert(outputs.some(([, , [, , count]]) => count >= 64));
    }
  },
);

testPython("processSubject() takes doubles in the order of the coins", async () => {
  const subject = program("order binary");
  const outputs = await drawn(subject);
  assertEquals(outputs.map(([, row]) => row), [...coins.order]);
});

// A program that knows only `count`. Mutants: requests of several outputs, which reveal the number of a side;
// shorter lines for the shorter dataset.
testPython(
  "processSubject() asks any other program for one output at a time, in the order of the coins",
  async () => {
    const outputs = await drawn(program(""));
    assertEquals(outputs.map(([, row]) => row), [...coins.order]);
    assertEquals(outputs[0]![2][0], FIRST);
    assert(outputs.slice(1).every(([, , [keys]]) => keys.join() === "count,data,id"));
    assert(outputs.every(([, , [, , count]]) => count === 1));
    assertEquals((await drawn(program("binary"))).map(([, row]) => row), [...coins.order]);
  },
);

// Mutants: the declaration made by default; unheeded; a block that mixes sides.
testPython(
  "processSubject() asks for blocks of one side where outputs are declared independent",
  async () => {
    for (const leftFirst of [true, false]) {
      const subject = program("", { independent: true });
      assertEquals(subject.independent, true);
      const { left } = await subject.drawInOrder!(pair, Coins.of(coins.order, { leftFirst }));
      const numbers = [...outputValues(left)].map((output) => (output as Output)[0]);
      await subject.close();
      // But for the first output, which is asked for before anything is known of the program.
      const begin = leftFirst ? 1 : 3000 - coins.left + 1 - coins.order[0]!;
      assert(numbers.filter((number) => number >= begin).length >= coins.left - 1, `${numbers}`);
    }
    assertEquals(program("").independent, undefined);
  },
);

testPython(
  "processSubject() asks a program that takes orders about one dataset as about two",
  async () => {
    const subject = program("order");
    const outputs = [...outputValues(await subject.draw([7], 100))] as Output[];
    await subject.close();
    assertEquals(outputs.map(([number, row]) => [number, row]), outputs.map((_, i) => [i, 7]));
  },
);

// A program that reads the coins of a request, and then says that it cannot, would know them if they were asked for again: e-values
// of 10⁹ and more for a true claim. Mutants: the same coins asked for again, or none lost; several outputs a request after the error.
testPython(
  "processSubject() asks for no output again whose coin a program has read, and for one at a time after an error",
  async () => {
    const subject = program("order fails");
    const [first, second] = [
      await subject.drawInOrder!(pair, coins),
      await subject.drawInOrder!(pair, coins),
    ];
    await subject.close();
    const { left, right } = first.lost!, lost = left + right;
    // The first request of several, and one that waited behind it. What comes first is one output.
    assert(lost >= 2 && lost <= 32, `${lost}`);
    assertEquals(right, coins.slice(1, 1 + lost).right);
    const rows = [...coins.order].filter((_, at) => at < 1 || at > lost);
    assertEquals(inTime(first).map(([, row]) => row), rows);
    assertEquals(second.lost, undefined);
    assertEquals(inTime(second).map(([, row]) => row), [...coins.order]);
    assert([first, second].flatMap(inTime).every(([, , [, , count]]) => count === 1));

    const failing = processSubject(`sh -c ${
      quoteWord(
        `echo '{"dpcheck":1,"order":true}'; id=0; while read -r line; do id=$((id+1)); ` +
          `echo "{\\"id\\":$id,\\"error\\":\\"no\\"}"; done`,
      )
    }`);
    const none = await failing.drawInOrder!(pair, coins.slice(0, 9));
    const all = await failing.drawInOrder!(pair, coins.slice(0, 9));
    await failing.close();
    const later = coins.slice(1, 9);
    assertEquals(none.lost, { left: later.left, right: later.right });
    const errors = [...outputValues(all.left), ...outputValues(all.right)];
    assertEquals([errors, all.lost], [new Array(9).fill(new Thrown("no")), undefined]);
  },
);

/** Outputs of the program on both sides, in the order in which it drew them. */
function inTime({ left, right }: PairOutputs): Output[] {
  return [...outputValues(left), ...outputValues(right)].map((output) => output as Output)
    .sort(([one], [other]) => one - other);
}

// Mutants: no spaces; as many as there are characters, of which some take more bytes than others.
Deno.test("RequestLines are as long for one side as for the other, and whatever the coins", () => {
  const encoder = new TextEncoder();
  const sizeOf = (line: string | Uint8Array): number =>
    typeof line === "string" ? encoder.encode(line).length : line.length;
  fc.assert(fc.property(
    fc.jsonValue(),
    fc.jsonValue(),
    fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1 }),
    fc.integer({ min: 1, max: 1e6 }),
    (a, b, sides, id) => {
      const lines = new RequestLines(JSON.stringify(a), JSON.stringify(b));
      const order = Uint8Array.from(sides);
      const both = [0, 1] as const;
      assertEquals(new Set(both.map((side) => sizeOf(lines.first(id, side)))).size, 1);
      const blocks = both.map((side) => lines.block(id, { side, count: 3 }));
      assertEquals(new Set(blocks.map(sizeOf)).size, 1);
      assertEquals(
        blocks.map((line) => JSON.parse(line)),
        [a, b].map((data) => ({ id, data, count: 3 })),
      );
      const ordered = lines.ordered(id, order);
      assertEquals(sizeOf(ordered), sizeOf(lines.ordered(id, order.map((side) => 1 - side))));
      assertEquals(JSON.parse(new TextDecoder().decode(ordered)), {
        id,
        datasets: [a, b],
        order: sides,
      });
      assertEquals(JSON.parse(lines.first(id, 1)), {
        id,
        data: b,
        count: 1,
        datasets: [a, b],
        order: [1],
      });
    },
  ));
});
