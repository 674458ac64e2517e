import { assert, assertEquals, assertThrows } from "@std/assert";
import type { AuditOptions } from "../../../lib/audit/options.ts";
import type { Subject } from "../../../lib/audit/subjects/subject.ts";
import { validateOptions } from "../../../lib/audit/validate_options.ts";
import { pure } from "../../../lib/core/claim.ts";
import { pairOf, replaceOne } from "../../../lib/core/relation.ts";

const claim = pure({ epsilon: 1, relation: replaceOne });
const pair = pairOf(replaceOne, { left: [0], right: [1] });
const subject: Subject = {
  name: "nothing",
  draw: () => ({ kind: "values", values: [] }),
  close: () => Promise.resolve(),
};

Deno.test("validateOptions() names the option and its value when it is out of bounds", () => {
  const bad: [AuditOptions, string][] = [
    [{ alpha: 0 }, "alpha must be in (0, 1): current value is 0"],
    [{ alpha: 1 }, "alpha must be in (0, 1): current value is 1"],
    [{ alpha: NaN }, "alpha must be in (0, 1): current value is NaN"],
    [{ maxDraws: 0 }, "maxDraws must be a whole number, at least 1: current value is 0"],
    // Half a coin has a biased label.
    [{ maxDraws: 100.5 }, "maxDraws must be a whole number, at least 1: current value is 100.5"],
    [{ maxDraws: NaN }, "maxDraws must be a whole number, at least 1: current value is NaN"],
    [{ maxSeconds: 0 }, "maxSeconds must be positive: current value is 0"],
    [{ maxSeconds: NaN }, "maxSeconds must be positive: current value is NaN"],
    [{ maxSeconds: Infinity }, "maxSeconds must be finite unless maxDraws is"],
    [{ seed: -1 }, "seed must be a non-negative integer: current value is -1"],
    [{ seed: 0.5 }, "seed must be a non-negative integer: current value is 0.5"],
  ];
  for (const [options, message] of bad) {
    assertThrows(
      () => validateOptions(subject, { claim, pair, ...options }),
      RangeError,
      `Cannot audit: ${message}`,
    );
  }
  // A claim that no number of draws can refute, and whose numbers no double can hold.
  assertThrows(
    () =>
      validateOptions(subject, { claim: pure({ epsilon: 10_001, relation: replaceOne }), pair }),
    RangeError,
    "Cannot audit: epsilon must be at most 10000: current value is 10001",
  );
  validateOptions(subject, { claim: pure({ epsilon: 10_000, relation: replaceOne }), pair });
  // Mutants: compared as objects; as JSON, to which 0 and -0 are one.
  const twice = pairOf(replaceOne, { left: [{ age: 3 }], right: [{ age: 3 }] });
  const { message } = assertThrows(
    () => validateOptions(subject, { claim, pair: twice }),
    RangeError,
    "Cannot audit: pair must have two sides that differ",
  );
  assert(!message.includes("age"));
  validateOptions(subject, { claim, pair: pairOf(replaceOne, { left: [0], right: [-0] }) });
  assertThrows(() => validateOptions(subject, { pair }), RangeError, "claim must be given");
  assertThrows(() => validateOptions(subject, { claim }), RangeError, "pair must be given");
});

Deno.test("validateOptions() takes claim and domain from the subject unless they are given", () => {
  const domain = { rows: { type: "boolean" }, size: { min: 1, max: 2 } } as const;
  const own = { ...subject, claim, domain };
  const settings = validateOptions(own, { maxDraws: 10 });
  assertEquals(settings.claim, claim);
  assertEquals(settings.space, { domain, relation: replaceOne });
  assertEquals(settings.maxSeconds, Infinity);
  assert(settings.mayShrink);
  const other = pure({ epsilon: 2, relation: replaceOne });
  assertEquals(validateOptions(own, { claim: other }).claim, other);
  assert(!validateOptions(subject, { claim, pair }).mayShrink);
  assert(validateOptions(subject, { claim, pair }).maxSeconds < Infinity);
});

// Mutants: seconds that end an audit before recorded outputs do; an option that makes them last for longer.
Deno.test("validateOptions() gives recorded outputs as many draws as they last for, and all the time", () => {
  const outputs = { kind: "values", values: Array(90).fill("x") } as const;
  const samples = { ...subject, recorded: { left: outputs, right: outputs } };
  const limits = [{}, { maxDraws: 50 }, { maxDraws: 1000 }, { maxSeconds: 3 }].map((given) => {
    const { maxDraws, maxSeconds } = validateOptions(samples, { claim, pair, ...given });
    return [maxDraws, maxSeconds];
  });
  assertEquals(limits, [[124, Infinity], [50, Infinity], [124, Infinity], [124, 3]]);
});
