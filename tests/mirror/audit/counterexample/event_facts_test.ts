import { assert, assertEquals } from "@std/assert";
import { countEvent } from "../../../../lib/audit/counterexample/count_event.ts";
import type { TwoSides } from "../../../../lib/audit/counterexample/event.ts";
import type { EventReport } from "../../../../lib/audit/counterexample/event_report.ts";
import { findEvent } from "../../../../lib/audit/counterexample/find_event.ts";
import { packOutputs } from "../../../../lib/audit/subjects/outputs.ts";
import { Thrown } from "../../../../lib/audit/subjects/subject.ts";
import { pure } from "../../../../lib/core/claim.ts";
import { replaceOne } from "../../../../lib/core/relation.ts";
import { floatLaplace } from "../../../../lib/random/float_laplace.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

const claim = pure({ epsilon: 1, relation: replaceOne });
const COUNT = 8000;

/** An event found and counted on outputs of these, drawn by one seed after the other. */
function counted(
  of: Record<"left" | "right", (source: SeededSource, k: number) => unknown>,
): { report: EventReport; sides: TwoSides } {
  const source = new SeededSource(2721);
  const draw = (): TwoSides => ({
    left: packOutputs(Array.from({ length: COUNT }, (_, k) => of.left(source, k))),
    right: packOutputs(Array.from({ length: COUNT }, (_, k) => of.right(source, k))),
  });
  const event = findEvent(claim, { sides: draw() })!;
  const sides = draw();
  return { report: countEvent(event, sides), sides };
}

const noise = (source: SeededSource, scale: number): number =>
  floatLaplace(source, new Float64Array(1), { scale })[0]!;

// Mutants: the example from the other side; the first output in place of the first that satisfies the rule.
Deno.test("an event has an output that satisfies it", () => {
  const { report } = counted({
    left: (s) => ({ a: noise(s, 1) }),
    right: (s, k) => k % 3 === 0 ? { a: noise(s, 1) } : { a: noise(s, 1), b: 2 },
  });
  assertEquals(Object.keys(report.example as object), ["a", "b"], report.description);
  const { report: failed } = counted({
    left: (s) => noise(s, 1),
    right: () => new Thrown("no rows"),
  });
  assertEquals(failed.description, "kind(output) = error");
  assertEquals(failed.example, "no rows");
});

// Mutants: the first value for all; the sides exchanged.
Deno.test("an event says where its feature never changes", () => {
  const { report } = counted({ left: () => 3, right: (s) => noise(s, 1) });
  assertEquals(report.constant, { left: 3 }, report.description);
  const { report: both } = counted({
    left: (s) => [noise(s, 1), 0],
    right: (s) => [noise(s, 1), 1],
  });
  assertEquals(both.constant, { left: 0, right: 1 }, both.description);
  const { report: neither } = counted({ left: (s) => noise(s, 1), right: (s) => 2 + noise(s, 1) });
  assertEquals(neither.constant, undefined);
});

// Mutants: the median of the other side; counts of all draws in place of those beyond.
Deno.test("an event of one threshold has the counts of a further one", () => {
  const { report, sides } = counted({ left: (s) => noise(s, 1), right: (s) => 1.5 + noise(s, 1) });
  const [{ operator, value }] = report.conditions as [EventReport["conditions"][0]];
  const { threshold, left, right } = report.beyond!;
  assert(operator === ">" ? threshold > Number(value) : threshold < Number(value));
  const beyond = (values: Float64Array): number =>
    values.filter((x) => operator === ">" ? x > threshold : x <= threshold).length;
  assertEquals(left, beyond(sides.left.values as Float64Array));
  assertEquals(right, beyond(sides.right.values as Float64Array));
  const [few, hits] = operator === ">" ? [left, report.left.hits] : [right, report.right.hits];
  assert(Math.abs(few - hits / 2) <= 1, `${few} of ${hits}`);
  const { report: word } = counted({
    left: () => "a",
    right: (s) => s.uniform() < 0.9 ? "b" : "a",
  });
  assertEquals(word.beyond, undefined);
});

// Mutants: the first of equal rules, whatever it is.
Deno.test("of rules that show the same the one is found that a reader need not compute", () => {
  const text = counted({ left: () => "about 3", right: () => "nobody" }).report;
  assert(/^output = /.test(text.description), text.description);
  const keys = counted({ left: () => ({ Rome: 1 }), right: () => ({ Oslo: 1 }) }).report;
  assert(/^output\.(Rome|Oslo) /.test(keys.description), keys.description);
});
