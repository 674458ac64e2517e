import { assert, assertAlmostEquals, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { pairOf } from "../../../lib/core/relations/relation.ts";
import type { Mechanism } from "../../../lib/core/mechanism/mechanism.ts";
import { rappor } from "../../../lib/dp/mechanisms/rappor.ts";
import { unaryEncoding } from "../../../lib/dp/mechanisms/unary_encoding.ts";
import { shippedNamed, shippedNames } from "../../../lib/dp/tables/registry.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import {
  AssertionError,
  checkMechanism,
  type CheckMechanismOptions,
} from "../../../lib/judge/testing/mod.ts";
import { numberOf } from "../../../lib/judge/testing/laws/mechanism_laws.ts";
import { LONG, longTest } from "../../long.ts";
import { FACTORIES, MANIFEST, type MechanismEntry } from "./manifest.ts";
import { weakened } from "./weakened.ts";

/** Its ε is fixed. */
const OWN_EPSILON = "two-coin-survey";
/** All take it: the classical Gaussian one takes none of 1 or more. */
const EPSILON = 0.9, DELTA = 1e-3;
/** Their noise is rounded to doubles, which an audit sees that looks at bits. */
const isFloating = (name: string): boolean => name.startsWith("float-");

/** The answers that tell most are too rare to be drawn: its sweep looks at them. */
const SELDOM = "numeric-sparse-vector";
/** It states no law. */
const WITHOUT_LAW = "table-quantiles";
/** Audits of these take longest; others that are made in the same way are checked every day. */
const SLOW = [
  "mean-of-unknown-size",
  "float-gaussian",
  "float-spherical-laplace",
  "table-histogram",
  "table-sum",
  "table-mean",
  "table-variance",
  "table-quantiles",
];

/** What a mechanism is checked on. */
function optionsOf(
  { extremes, badData, worst }: MechanismEntry,
  { claim }: Mechanism,
): CheckMechanismOptions {
  return {
    data: extremes,
    ...badData && { badData },
    ...worst && { pairs: [pairOf(claim.relation, worst)] },
    maxDraws: LONG ? 6_000 : 2_000,
  };
}

Deno.test("the manifest has an entry for every registered mechanism", () => {
  assertEquals(Object.keys(MANIFEST).sort(), shippedNames.toSorted());
});

for (const [place, [name, entry]] of Object.entries(MANIFEST).entries()) {
  const own = name === OWN_EPSILON ? Math.log(3) : EPSILON;
  const mechanism = shippedNamed(name, { epsilon: own, delta: DELTA });
  const options = { ...optionsOf(entry, mechanism), bits: !isFloating(name) };

  (SLOW.includes(name) ? longTest : Deno.test)(
    `${name} keeps the laws of checkMechanism()`,
    async () => {
      const { largestLoss } = await checkMechanism(mechanism, options);
      const least = mechanism.claim.kind !== "pure" || name === WITHOUT_LAW
        ? 0
        : name === SELDOM
        ? 0.8
        : 0.94;
      assert(largestLoss >= least, `${largestLoss} of the claim`);
      if (!isFloating(name)) return;
      const { message } = await assertRejects(
        () => checkMechanism(mechanism, { ...options, bits: true }),
        AssertionError,
      );
      assert(message.includes("bits"), message);
    },
  );

  // What the first test finds of the largest loss says the same of all: here the law that finds it is seen to refuse.
  if (mechanism.claim.kind === "pure" && name !== SELDOM && name !== WITHOUT_LAW) {
    (place % 4 === 0 ? Deno.test : longTest)(
      `${name} with 15% less noise is refused by checkMechanism()`,
      async () => {
        const { message } = await assertRejects(
          () => checkMechanism(weakened(name, { epsilon: EPSILON, delta: DELTA }), options),
          AssertionError,
        );
        assert(message.includes("times what the claim allows"), message);
      },
    );
  }

  Deno.test(`${name} draws a block of one as it draws one, and no more random numbers`, () => {
    if (mechanism.sampleMany === undefined) return;
    for (let seed = 77; seed < 80; seed++) {
      const [one, block] = [seed, seed].map((k) => new SeededSource(k));
      const short = entry.extremes.filter(({ length }) => length <= mechanism.domain.size.max);
      assert(short.length > 0);
      for (const data of short) {
        const output = [mechanism.sample(data, one!)].flat().map(numberOf);
        const [...row] = mechanism.sampleMany(data, 1, block!);
        assertEquals(row.slice(0, output.length).map(numberOf), output);
        assertEquals(block!.uint32(), one!.uint32());
      }
    }
  });

  if (entry.answer !== undefined) {
    const [data, released] = entry.answer;
    Deno.test(`${name} releases what its name says`, () => {
      // Noise is next to none at such an ε; chances that are told as doubles need a smaller one.
      const epsilon = name === "keep-or-replace" ? 30 : 5000;
      const output = shippedNamed(name, { epsilon }).sample(data, new SeededSource(1641));
      [output].flat().forEach((value, i) => assertAlmostEquals(Number(value), released[i]!, 0.05));
      assertEquals([output].flat().length, released.length);
    });
  }
}

Deno.test("registered mechanisms refuse an ε that is none", () => {
  for (const name of shippedNames.filter((name) => name !== OWN_EPSILON)) {
    for (const epsilon of [0, -1, NaN, Infinity, -Infinity]) {
      assertThrows(() => shippedNamed(name, { epsilon, delta: DELTA }), RangeError);
    }
  }
});

/** They take one row, and its domain is a caller's. */
const WITHOUT_DOMAIN: readonly unknown[] = [unaryEncoding, rappor];

Deno.test("mechanisms have a domain where they are given one, and no property without a value", () => {
  const domain = { rows: { type: "boolean" }, size: { min: 1, max: 2 } };
  for (const [factory, options] of FACTORIES) {
    const make = factory as (options: unknown) => Record<string, unknown>;
    const made = make(options);
    if (made["claim"] === undefined) continue;
    for (const [name, value] of Object.entries(made)) {
      assert(value !== undefined, `${factory.name}: ${name}`);
    }
    assert(!("domain" in made), factory.name);
    if (WITHOUT_DOMAIN.includes(factory)) continue;
    const { domain: given } = make({ ...options, domain });
    assertEquals(given, domain, factory.name);
  }
});
