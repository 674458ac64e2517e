import { assert, assertEquals, assertMatch } from "@std/assert";
import { audit } from "../../../lib/judge/audit/audit.ts";
import type { EventReport } from "../../../lib/judge/audit/counterexample/event_report.ts";
import { functionSubject } from "../../../lib/judge/audit/subjects/function_subject.ts";
import { pure } from "../../../lib/core/mod.ts";
import { pairOf, replaceOne } from "../../../lib/core/relations/relation.ts";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

const claim = pure({ epsilon: 1, relation: replaceOne });
const pair = pairOf(replaceOne, { left: [0], right: [1] });

type Draw = (source: Source) => unknown;
interface Drawn {
  readonly side: "left" | "right";
  readonly output: unknown;
}

/** The event that an audit shows where one dataset has these outputs and the other those; and all that was drawn, in order. */
async function eventOf(
  left: Draw,
  right: Draw,
  { bits = false, seed = 1 } = {},
): Promise<{ event: EventReport; drawn: readonly Drawn[] }> {
  const drawn: Drawn[] = [];
  const run = ([row]: readonly unknown[], source: Source): unknown => {
    const side = row === 0 ? "left" : "right";
    const output = (side === "left" ? left : right)(source);
    drawn.push({ side, output });
    return output;
  };
  const subject = functionSubject(run, { name: "f", source: new SeededSource(seed) });
  const report = await audit(subject, { claim, pair, seed, bits, maxDraws: 8000, shrink: false });
  assertEquals(report.verdict, "refuted");
  return { event: report.event!, drawn };
}

const noise = (source: Source): number => source.uniform() - 0.5;
const laplace = (source: Source, scale: number): number =>
  scale * Math.log(source.uniform() / source.uniform());

/** Eight letters, a text of its own for each draw. */
const letters = (source: Source): string =>
  Array.from(
    { length: 8 },
    () => String.fromCharCode(97 + Math.floor(26 * source.uniform())),
  ).join("");

/** Above 3 with this probability; another number is noise. */
const above3 = (chance: number): Draw => (source) => [
  source.uniform() < chance ? 3 + source.uniform() : 3 * source.uniform(),
  source.uniform(),
];

// Mutants: the hits of the other side; counted on the draws that the rule was found on, or on other draws than it says.
Deno.test("an event is a threshold where that is what tells, and is counted by its rule on the last draws", async () => {
  const { event, drawn } = await eventOf(above3(0.01), above3(0.3));
  const [{ feature, operator, value }] = event.conditions as [EventReport["conditions"][0]];
  assertEquals(event.description, `${feature} ${operator} ${value}`);
  assertEquals([event.conditions.length, feature, operator], [1, "output[0]", ">"]);
  assert(Math.abs(Number(value) - 3) < 0.1, event.description);
  const fresh = drawn.slice(-event.left.draws - event.right.draws);
  for (const side of ["left", "right"] as const) {
    const own = fresh.filter((each) => each.side === side);
    const hits = own.filter(({ output }) => (output as number[])[0]! > Number(value)).length;
    assertEquals(event[side], { hits, draws: own.length });
  }
});

Deno.test("an event names a word, a key, a text among others, a number in a text, the bits of a double", async () => {
  const stopping = (chance: number): Draw => (s) => s.uniform() < chance ? "stopping" : letters(s);
  const total = (shift: number): Draw => (s) => `total ${(shift + s.uniform()).toFixed(12)}`;
  const whole = (x: number): Draw => (s) => Math.floor(s.uniform() * 2 ** 20) + x;
  const cases: [Draw, Draw, RegExp, { bits?: boolean }?][] = [
    [(s) => s.uniform() < 0.2 ? "none" : "many", () => "many", /^output (=|!=) (none|many)$/],
    [(s) => ({ a: noise(s) }), (s) => ({ a: noise(s), b: 1 }), /output\.b|keys\(output\)/],
    [letters, stopping(0.3), /^output = stopping$/],
    [stopping(0.3), stopping(0.95), /^output != stopping$/],
    [total(1), total(1.5), /^number 1 in output (<=|>) /],
    [() => 0, noise, /^output = 0$/],
    [whole(0), whole(2 ** -30), /^lowestBit\(/, { bits: true }],
    // Of rules that show the same, the one that a reader need not compute.
    [() => "about 3", () => "nobody", /^output = /],
    [() => ({ Rome: 1 }), () => ({ Oslo: 1 }), /^output\.(Rome|Oslo) /],
  ];
  for (const [left, right, description, options] of cases) {
    const { event } = await eventOf(left, right, options);
    assert(description.test(event.description), `${event.description}, not ${description}`);
  }
});

Deno.test("an event joins two conditions where one is not enough, and goes out into tails", async () => {
  const flat = (s: Source): number[] => [s.uniform(), s.uniform()];
  // Mass is moved into one corner without a trace in either number's lower half.
  const corner = (s: Source): number[] => {
    const [x, y] = flat(s) as [number, number];
    return x > 0.5 && s.uniform() < 0.9 ? [x, 0.9 + 0.1 * y] : [x, y];
  };
  const both = (await eventOf(flat, corner)).event;
  assertEquals(both.conditions.length, 2, both.description);
  const hits = [both.left.hits, both.right.hits].toSorted((a, b) => a - b);
  assert(hits[1]! > 4 * hits[0]!, `${both.description}: ${hits}`);
  const tails = (await eventOf((s) => laplace(s, 1), (s) => laplace(s, 0.4))).event;
  const [left, right] = [tails.left, tails.right].map(({ hits, draws }) => hits / draws);
  assert(left! > 10 * right!, `${tails.description}: ${left} and ${right}`);
});

// Mutants: the example from the other side; the first value for all; the sides exchanged; counts of all draws for those beyond.
Deno.test("an event has an output that satisfies it, says what never changes, and counts a further threshold", async () => {
  const error: Draw = () => {
    throw new Error("no rows");
  };
  const failed = (await eventOf(noise, error)).event;
  assertEquals([failed.description, failed.example], ["kind(output) = error", "no rows"]);
  const same = (await eventOf(() => 3, noise)).event;
  assertEquals(same.constant, { left: 3 }, same.description);
  const both = (await eventOf((s) => [noise(s), 0], (s) => [noise(s), 1])).event;
  assertEquals(both.constant, { left: 0, right: 1 }, both.description);
  const moved = await eventOf((s) => laplace(s, 1), (s) => 1.5 + laplace(s, 1));
  const { conditions, beyond, left, right } = moved.event;
  const { operator, value } = conditions[0]!;
  assert(operator === ">" ? beyond!.threshold > Number(value) : beyond!.threshold < Number(value));
  const fresh = moved.drawn.slice(-left.draws - right.draws);
  for (const side of ["left", "right"] as const) {
    const hits = fresh.filter(({ side: own, output }) =>
      own === side &&
      (operator === ">" ? Number(output) > beyond!.threshold : Number(output) <= beyond!.threshold)
    ).length;
    assertEquals(beyond![side], hits);
  }
  assertEquals((await eventOf(() => "a", () => "b")).event.beyond, undefined);
});

// Mutants: 1 and 0 for yes and no; yes and no where there are numbers too; the value that never changes as a number.
Deno.test("an event of answers names true or false, and of a mix a number", async () => {
  const yes = (share: number): Draw => (s) => s.uniform() < share;
  const answers = (await eventOf(yes(0.9), yes(0.1))).event;
  assertMatch(answers.description, /^output = (true|false)$/);
  assertEquals(answers.example, answers.description === "output = true");
  const fields = (await eventOf((s) => ({ old: yes(0.9)(s) }), () => ({ old: false }))).event;
  assertMatch(fields.description, /^output\.old = (true|false)$/);
  assertEquals(fields.constant, { right: "false" });
  const mixed = (await eventOf((s) => s.uniform() < 0.5 ? 3 : true, () => 0)).event;
  assertMatch(mixed.description, /^output (<=|>) /);
});
