import { assert, assertEquals, assertThrows } from "@std/assert";
import { approximate, pure } from "../../lib/core/claim.ts";
import type { DiscreteSource } from "../../lib/core/discrete_source.ts";
import { rational } from "../../lib/numeric/rational.ts";
import { replaceOne as relation } from "../../lib/core/relation.ts";
import { certificateOf } from "../../lib/exact/enumeration/certificate.ts";
import { checkExactly, type ExactOptions } from "../../lib/exact/enumeration/check_exactly.ts";
import { drawingFrom } from "../../lib/exact/enumeration/drawing_from.ts";
import { rejection } from "../../scripts/check_certificate.ts";

type Program = (row: number, source: DiscreteSource) => unknown;

function certified(
  program: Program,
  { epsilon, delta = 0, ...options }: { epsilon: number; delta?: number; maxBranches?: number },
): string {
  const all: ExactOptions = {
    claim: delta === 0 ? pure({ epsilon, relation }) : approximate({ epsilon, delta, relation }),
    datasets: [[0], [1]],
    neighbours: [[0, 1]],
    ...options,
  };
  const run = drawingFrom(([row], source) => program(row as number, source));
  return certificateOf(checkExactly({ name: "it", run }, all), all);
}

const respond: Program = (row, source) => row ^ source.choice({ exponents: [0, 1] });
const noisy: Program = (row, source) => row + source.discreteLaplace({ rate: 1 });
const uneven: Program = (row, source) =>
  source.bernoulli({ probability: row === 0 ? 0.75 : 0.5 }) && source.integer({ below: 3 });

const rare: Program = (row, source) => row === 1 && source.bernoulli({ probability: 0.25 });
/** Off by 2^−140: more digits than the checker begins with. */
const near = (sign: bigint): Program => (row, source) =>
  row ^ source.choice({ exponents: [0, rational(2n ** 140n + sign, 2n ** 140n)] });

/** Certificates of both verdicts, exact and not, pure and approximate. */
const genuine: Record<string, string> = {
  "attained": certified(respond, { epsilon: 1 }),
  "refuted": certified(respond, { epsilon: 0.99 }),
  "beyond doubles": certified(respond, { epsilon: 1 - 2 ** -53 }),
  "endless": certified(noisy, { epsilon: 1 }),
  "endless, refuted": certified(noisy, { epsilon: 0.9 }),
  "approximate": certified(uneven, { epsilon: 0.3, delta: 0.2 }),
  "approximate, refuted": certified(uneven, { epsilon: 0.3, delta: 0.01 }),
  "reversed, refuted": certified(rare, { epsilon: 1, delta: 0.2 }),
  "hardly refuted": certified(near(1n), { epsilon: 1 }),
  ...Object.fromEntries([1n, 3n, 5n, 7n, 11n, 13n].flatMap((k) => [
    [`hardly kept, ${k}`, certified(near(-k), { epsilon: 1 })],
    [`hardly refuted, ${k}`, certified(near(k), { epsilon: 1 })],
  ])),
  "endless, approximate": certified(noisy, { epsilon: 0.5, delta: 0.3 }),
};

Deno.test("rejection() accepts what the enumeration certifies", () => {
  for (const [name, text] of Object.entries(genuine)) {
    assertEquals(rejection(text), undefined, name);
    assertEquals(
      JSON.parse(text).verdict,
      name.includes("refuted") || name.includes("doubles") ? "refuted" : "holds",
    );
  }
});

type Certificate = Record<string, unknown> & {
  claim: Record<string, unknown>;
  laws: {
    denominator: [string, string][];
    remainder: string;
    outputs: Record<string, [string, string][]>;
  }[];
};

/** One more on a whole number in decimal. */
const more = (text: string, by = 1n): string => String(BigInt(text) + by);

// Mutants of the checker: no sum of the probabilities; one direction; signs of doubles; a verdict that is believed.
Deno.test("rejection() rejects certificates that were tampered with", () => {
  const change: Record<string, (certificate: Certificate) => void> = {
    "another verdict": (c) => c.verdict = c.verdict === "holds" ? "refuted" : "holds",
    "no verdict": (c) => c.verdict = "undecided",
    "an output taken out": (c) => delete c.laws[0]!.outputs[Object.keys(c.laws[0]!.outputs)[0]!],
    "a numerator": (c) => {
      const [first] = Object.values(c.laws[0]!.outputs);
      first![0]![1] = more(first![0]![1]);
    },
    "a denominator": (c) => c.laws[1]!.denominator[0]![1] = more(c.laws[1]!.denominator[0]![1]),
    "a probability below 0": (c) => {
      const [first, second] = Object.values(c.laws[1]!.outputs);
      const much = 3n * BigInt(c.laws[1]!.denominator[0]![1]);
      first![0]![1] = more(first![0]![1], -much);
      if (second![0]![0] === first![0]![0]) second![0]![1] = more(second![0]![1], much);
      else second!.push([first![0]![0], String(much)]);
    },
    "a remainder below 0": (c) => {
      c.laws[0]!.remainder = "-1";
      c.laws[0]!.denominator[0]![1] = more(c.laws[0]!.denominator[0]![1], -1n);
    },
    "no pairs": (c) => c.pairs = [],
    "a pair of one dataset": (c) => c.pairs = [[0, 0]],
    "fewer datasets": (c) => c.datasets = [[0]],
    "no scale": (c) => c.scale = "0",
    "ε below 0": (c) => c.claim.epsilon = -1,
    "another kind of claim": (c) => c.claim.kind = "zcdp",
    "terms twice": (c) => c.laws[0]!.denominator.push(c.laws[0]!.denominator[0]!),
  };
  for (const [name, text] of Object.entries(genuine)) {
    for (const [what, tamper] of Object.entries(change)) {
      const certificate = JSON.parse(text) as Certificate;
      tamper(certificate);
      assert(rejection(JSON.stringify(certificate)) !== undefined, `${what} of ${name}`);
    }
  }
  for (const text of ["", "{}", "[]", '{"dpcheck":"certificate 2"}']) {
    assert(rejection(text) !== undefined, text);
  }
});

// The claim is what is attained: any change of it by one unit in the last place turns the verdict or its proof.
Deno.test("rejection() rejects a claim that is smaller by one unit in the last place", () => {
  const certificate = JSON.parse(genuine["attained"]!) as Certificate;
  certificate.claim.epsilon = 1 - 2 ** -53;
  certificate.scale = String(BigInt(certificate.scale as string) << 53n);
  for (const law of certificate.laws) {
    for (const terms of [law.denominator, ...Object.values(law.outputs)]) {
      for (const each of terms) each[0] = String(BigInt(each[0]) << 53n);
    }
  }
  certificate.everyEpsilon = false;
  assertEquals(
    rejection(JSON.stringify(certificate)),
    "rejected: the verdict does not follow from the laws",
  );
});

Deno.test("rejection() looks at every t ≥ 1 where a certificate says so", () => {
  const fixed: Program = (row, source) => row ^ Number(source.bernoulli({ probability: 0.3 }));
  const certificate = JSON.parse(certified(fixed, { epsilon: 1 })) as Certificate;
  assertEquals([certificate.everyEpsilon, rejection(JSON.stringify(certificate))], [
    false,
    undefined,
  ]);
  certificate.everyEpsilon = true;
  assertEquals(rejection(JSON.stringify(certificate)), "rejected: an inequality at some t ≥ 1");
});

Deno.test("certificateOf() writes none when nothing was decided", () => {
  assertThrows(
    () =>
      certified((row, source) => row + source.discreteLaplace({ rate: 1e-3 }), {
        epsilon: 1,
        maxBranches: 40,
      }),
    RangeError,
    "undecided",
  );
});
