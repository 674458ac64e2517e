import { assert, assertEquals, assertMatch } from "@std/assert";
import type { EventReport } from "../../../lib/judge/audit/counterexample/event_report.ts";
import type { Condition } from "../../../lib/judge/audit/model/encoding/condition.ts";
import { approximate, type Claim, pure } from "../../../lib/core/mod.ts";
import { addRemoveOne, replaceOne } from "../../../lib/core/relations/relation.ts";
import { adviceOn } from "../../../lib/judge/report/advice.ts";

const DRAWS = 100_000;

/** An event of one condition, held so often on the left and on the right. */
function eventOf(
  feature: string,
  operator: Condition["operator"],
  value: number | string,
  { hits = [0, DRAWS], ...facts }: { hits?: readonly [number, number] } & Partial<EventReport> = {},
): EventReport {
  const [left, right] = hits.map((each) => ({ draws: DRAWS, hits: each }));
  return {
    description: `${feature} ${operator} ${value}`,
    conditions: [{ feature, operator, value }],
    left: left!,
    right: right!,
    ...facts,
  };
}

const one = pure({ epsilon: 1, relation: addRemoveOne });

/** What is said after the sentence about the ratio. */
function readOff(
  event: EventReport,
  { left = [1, 2], right = [1], claim = one }: {
    left?: unknown;
    right?: unknown;
    claim?: Claim;
  } = {},
): readonly string[] {
  const [ratio, ...rest] = adviceOn({ event, pair: { left, right }, claim });
  assertMatch(ratio!, /^The event (is|was) /);
  return rest;
}

function assertOne(said: readonly string[], ...parts: readonly string[]): void {
  assertEquals(said.length, 1, said.join("\n"));
  for (const part of parts) assert(said[0]!.includes(part), said[0]);
}

// Mutants: the failing side taken to be the other one; empty data not looked at; one that fails on both taken to fail on one.
Deno.test("adviceOn() says on which data the program fails", () => {
  const fails = eventOf("kind(output)", "=", "error");
  assertOne(readOff(fails, { right: [] }), "fails on empty data");
  assertOne(readOff(fails), "fails on the right dataset");
  assertOne(readOff(eventOf("kind(output)", "!=", "error")), "fails on the left dataset");
  assertOne(
    readOff(eventOf("kind(output)", "!=", "error"), { left: [] }),
    "fails on empty data",
  );
  assertEquals(readOff(eventOf("kind(output)", "=", "string")), []);
  assertOne(readOff(eventOf("kind(output)", "=", "NaN"), { right: [] }), "gives NaN on empty data");
  const rarer = eventOf("kind(output)", "=", "null", { hits: [100, 3000] });
  assertOne(readOff(rarer, { right: [] }), "gives null more often on the right dataset");
});

// Mutants: the key looked for on the wrong side; not looked for in records; outputs not looked at.
Deno.test("adviceOn() says that a key appears only where the data have it", () => {
  const left = [{ city: "Oslo" }], right = [{ city: "Rome" }];
  const missing = eventOf("output.Oslo", "is", NaN);
  assertOne(readOff(missing, { left, right }), "only where the data have Oslo");
  assertOne(readOff(missing, { left: right, right: left }), "Whether key Oslo is in the output");
  assertOne(readOff(missing, { left, right: left }), "Whether key Oslo is in the output");
  // Now and then it is there where the data lack it.
  const often = eventOf("output.Oslo", "is", NaN, { hits: [100, 80_000] });
  assertOne(readOff(often, { left, right }), "Whether key Oslo is in the output");
  // A text in place of a number is no missing key.
  const text = eventOf("output.Oslo", "is", NaN, { example: { Oslo: "cold" } });
  assertEquals(readOff(text, { left, right }), []);
  assertOne(readOff(eventOf("keys(output)", "=", "Oslo,Rome")), "keys of the output");
  assertEquals(readOff(eventOf("output[3]", "is", NaN)), []);
});

// Mutants: a value of both sides; one that is also put out elsewhere.
Deno.test("adviceOn() says that a text of the data is put out as it is", () => {
  const copied = eventOf("output[0]", "=", "Bern");
  assertOne(readOff(copied, { right: ["Bern"] }), "only where a row has it");
  assertEquals(readOff(copied, { left: ["Bern"], right: ["Bern", "Bern"] }), []);
  const elsewhere = { ...copied, left: { hits: 9, draws: DRAWS } };
  assertOne(readOff(elsewhere, { right: ["Bern"] }), "ignores the row more often");
});

Deno.test("adviceOn() knows lengths, equal numbers and last bits by the feature of the event", () => {
  assertOne(readOff(eventOf("length(output)", ">", 2)), "length of the output follows the data");
  assertOne(readOff(eventOf("count(output)", "<=", 2)), "length of the output follows the data");
  assertEquals(readOff(eventOf("count(output > 2)", "<=", 2)), []);
  assertEquals(readOff(eventOf("count(output = 0)", "<=", 2)), []);
  assertOne(readOff(eventOf("repeats(output)", ">", 0)), "Equal rows");
  assertOne(readOff(eventOf("lowestBit(output - 1)", "<=", -54)), "last bits");
  assertOne(readOff(eventOf("undoes(output - 1)", "<=", 0)), "last bits");
});

// Mutants: the side named is the other one; said of lengths, or of what is no number.
Deno.test("adviceOn() says where noise is missing", () => {
  const constant = (left?: number | string, right?: number | string): EventReport =>
    eventOf("output.c", ">", 0, {
      constant: { ...(left !== undefined && { left }), ...(right !== undefined && { right }) },
    });
  assertOne(
    readOff(constant(0, 1)),
    "On each dataset output.c was the same in every draw, as where noise is missing, or",
  );
  assertOne(
    readOff(constant(0)),
    "output.c was the same in every draw on the left dataset, as where noise is left out there",
  );
  assertOne(readOff(constant(undefined, 1)), "in every draw on the right dataset");
  assertEquals(readOff(constant("NaN")), []);
  assertEquals(readOff(eventOf("max(output)", ">", 0, { constant: { left: 1, right: 2 } })), []);
});

/** Counts of one threshold and of a further one, at log ratios near and far. */
function tail(near: number, far = near, seldom = 20_000): EventReport {
  const often = (ratio: number, hits: number): number => Math.round(Math.exp(ratio) * hits);
  const half = seldom / 2;
  return eventOf("output[1]", ">", 0.9, {
    hits: [often(near, seldom), seldom],
    beyond: { threshold: 1.4, left: often(far, half), right: half },
  });
}

// Mutants: 1 − times in place of 1 − 1/times; ratios that grow taken for those that stay; few counts believed.
Deno.test("adviceOn() reads the missing share of the scale off a tail whose ratio stays", () => {
  assertOne(readOff(tail(1.25)), "ratio stays", "output[1]", "about 20% too small");
  assertOne(readOff(tail(1.5)), "about 33% too small");
  const of = (relation: typeof replaceOne) => ({ claim: pure({ epsilon: 0.5, relation }) });
  assertOne(readOff(tail(1), of(replaceOne)), "1/2 of the scale", "leave one place and enter");
  const [said] = readOff(tail(1), of(addRemoveOne));
  assert(said!.includes("1/2 of the scale") && !said!.includes("leave one place"), said);
  assertOne(readOff(tail(1.5), of(replaceOne)), "1/3 of the scale");
  assertEquals(readOff(tail(1.25, 1.25, 300)), []);
  assertEquals(readOff(tail(1.25, 1.1)), []);
  assertEquals(readOff(tail(0.9)), []);
  const claim = approximate({ epsilon: 1, delta: 1e-3, relation: addRemoveOne });
  assertEquals(readOff(tail(1.25), { claim }), []);
});

Deno.test("adviceOn() says that the ratio grows, as with Gaussian noise", () => {
  assertOne(readOff(tail(1.25, 2, 2000)), "Gaussian noise", "7.39 times at 1.4");
});

Deno.test("adviceOn() says nothing more where no rule fits, and nothing without an event", () => {
  const unlike = eventOf("output", ">", 3, { hits: [4000, 500] });
  assertEquals(readOff(unlike), []);
  assertEquals(adviceOn({ event: null, pair: { left: 1, right: 2 }, claim: one }), []);
});
