import { createHash } from "node:crypto";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import type { Domain } from "../../../lib/core/relations/dataset.ts";
import { approximate, pure } from "../../../lib/core/mod.ts";
import type { DiscreteSource } from "../../../lib/core/mechanism/discrete_source.ts";
import { rational } from "../../../lib/core/numeric/rational.ts";
import { replaceOne as relation } from "../../../lib/core/relations/relation.ts";
import { certificateOf } from "../../../lib/judge/exact/enumeration/certificate.ts";
import { checkExactly } from "../../../lib/judge/exact/enumeration/check_exactly.ts";
import type { ExactOptions } from "../../../lib/judge/exact/enumeration/enumerated_program.ts";
import { drawingFrom } from "../../../lib/judge/exact/enumeration/drawing_from.ts";
import { solverAnswers, solvers } from "../../solver_answers.ts";
import { forgeries } from "./forgeries.ts";
import { rejection, shown } from "../../../lib/judge/certificates/check_enumeration.ts";

type Program = (row: number, source: DiscreteSource) => unknown;

const PROGRAM = "the text of the program";
const HASH = createHash("sha256").update(PROGRAM).digest("hex");

function certified(
  program: Program,
  { epsilon, delta = 0, domain, ...options }: {
    epsilon: number;
    delta?: number;
    maxBranches?: number;
    domain?: Domain;
  },
): string {
  const all: ExactOptions = {
    claim: delta === 0 ? pure({ epsilon, relation }) : approximate({ epsilon, delta, relation }),
    datasets: [[0], [1]],
    neighbours: [[0, 1]],
    ...options,
  };
  const run = drawingFrom(([row], source) => program(row as number, source));
  return certificateOf(checkExactly({ name: "it", run }, all), {
    ...all,
    sha256: HASH,
    ...(domain && { domain }),
  });
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
const inDomain = {
  domain: { rows: { type: "integer", min: 0, max: 1 }, size: { min: 1, max: 1 } },
} as const;
const genuine: Record<string, string> = {
  "attained": certified(respond, { epsilon: 1 }),
  "in a domain": certified(respond, { epsilon: 1, ...inDomain }),
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

Deno.test({
  name: "independent solvers prove what certificates of enumerations say, and not another ε",
  ignore: solvers.length === 0,
  fn: async () => {
    for (const [name, text] of Object.entries(genuine)) {
      for (const { solver, answers } of await solverAnswers(text)) {
        assertEquals([...answers], ["unsat"], `${name}, ${solver}`);
      }
      // The others are not at the least ε, or say that a claim fails.
      if (!["attained", "in a domain", "hardly refuted, 13"].includes(name)) continue;
      const { epsilon } = JSON.parse(text).claim, factor = name.includes("refuted") ? 1.01 : 0.99;
      for (const { solver, answers } of await solverAnswers(text, { epsilon: factor * epsilon })) {
        assertEquals([...answers].sort(), ["sat", "unsat"], `${name} with another ε, ${solver}`);
      }
    }
  },
});

type Terms = [string, string][];

// deno-lint-ignore no-explicit-any -- whatever a certificate holds.
type Json = any;

/** Whether what an accepted certificate says follows from its laws, in doubles: false for what is clearly wrong. */
function isTrue(text: string): boolean {
  const { claim, verdict, slack, scale, datasets, pairs, places, laws } = JSON.parse(text);
  const value = (terms: Terms): number =>
    terms.reduce((sum, [x, c]) => sum + Number(c) * Math.exp(-Number(x) / Number(scale)), 0);
  const [n, d = "1"] = slack.split("/");
  const { epsilon, delta = 0 } = claim, tolerance = 1e-9;
  let most = 0;
  const law = (i: number): Map<string, number> => {
    const { denominator, outputs } = laws[places[i]];
    return new Map(
      Object.entries(outputs as Record<string, Terms>)
        .map(([key, terms]) => [key, value(terms) / value(denominator)]),
    );
  };
  for (const [i, j] of pairs) {
    for (const [p, q] of [[law(i), law(j)], [law(j), law(i)]] as const) {
      let excess = 0;
      for (const [key, chance] of p) {
        if (!(chance >= 0 && chance <= 1 + tolerance)) return false;
        excess += Math.max(0, chance - Math.exp(Math.min(epsilon, 700)) * (q.get(key) ?? 0));
      }
      most = Math.max(most, excess);
    }
  }
  const total = (i: number): number => [...law(i).values()].reduce((a, b) => a + b, 0);
  const isLaw = datasets.every((_: unknown, i: number) => Math.abs(total(i) - 1) < 1e-3);
  return isLaw && epsilon > 0 && delta >= 0 && Number(n) / Number(d) <= 1e-3 &&
    JSON.stringify(pairs) === "[[0,1]]" && JSON.stringify(datasets) === "[[0],[1]]" &&
    (verdict === "holds"
      ? most <= delta + Number(n) / Number(d) + 1e-6
      : most >= delta - tolerance);
}

// Mutants of the checker: no sum of the probabilities; one direction; signs of doubles; a verdict, datasets or neighbours that are believed.
Deno.test("rejection() accepts no forgery that says something false", () => {
  let all = 0, accepted = 0;
  const forged: Record<string, string> = {
    "attained": certified(respond, { epsilon: 1, ...inDomain }),
    "refuted": certified(respond, { epsilon: 0.99, ...inDomain }),
    "endless": certified(noisy, { epsilon: 1, ...inDomain }),
    "approximate": certified(uneven, { epsilon: 0.3, delta: 0.2, ...inDomain }),
    "reversed, refuted": certified(rare, { epsilon: 1, delta: 0.2, ...inDomain }),
  };
  for (const [name, genuine] of Object.entries(forged)) {
    const whole = JSON.parse(genuine);
    for (const [what, text] of forgeries(whole)) {
      // Of many outputs a few are forged.
      if (/outputs\.-?\d{2}|outputs\.-?[2-9]/.test(what)) continue;
      all++;
      if (rejection(text, PROGRAM) !== undefined) continue;
      accepted++;
      assert(isTrue(text), `${name}: ${what}`);
    }
  }
  assert(all > 3000 && accepted < all / 20, `${accepted} of ${all}`);
});

Deno.test("rejection() rejects forgeries of several places", () => {
  const forged: Record<string, [name: string, forge: (c: Json) => void]> = {
    "all mass in the remainder": ["endless", (c) => {
      c.laws = [{ denominator: [["0", "4"]], remainder: "4", outputs: {} }];
      c.places = [0, 0];
      c.slack = "4";
    }],
    "half of the mass in the remainder": ["endless", (c) => {
      c.laws = [{ denominator: [["0", "4"]], remainder: "2", outputs: { "1": [["0", "2"]] } }];
      c.places = [0, 0];
    }],
    "a pure claim with δ": ["attained", (c) => (c.claim.delta = 0.5, c.claim.epsilon = 0.5)],
    "a refutation with δ below 0": [
      "approximate",
      (c) => (c.claim.delta = -1, c.verdict = "refuted"),
    ],
    "no pairs": ["refuted", (c) => (c.pairs = [], c.verdict = "holds")],
    "datasets that are no neighbours": ["refuted", (c) => {
      c.datasets = [[0, 0], [1, 1]];
    }],
    "datasets that the domain has not": ["in a domain", (c) => c.datasets = [[0], [2]]],
    "a domain with more datasets": ["in a domain", (c) => c.domain.rows.max = 2],
    "a relation with fewer pairs": ["in a domain", (c) => c.claim.relation = "add-remove-one"],
    "another program": ["attained", (c) => c.program.sha256 = "0".repeat(64)],
    "a probability below 0": ["attained", (c) => {
      c.laws[0].outputs = { "0": [["0", "-1"]], "1": [...c.laws[0].denominator, ["1", "1"]] };
    }],
  };
  for (const [what, [name, forge]] of Object.entries(forged)) {
    const whole = JSON.parse(genuine[name]!);
    assertEquals(rejection(JSON.stringify(whole) + "\n", PROGRAM), undefined, what);
    forge(whole);
    assert(rejection(JSON.stringify(whole) + "\n", PROGRAM) !== undefined, what);
  }
  const text = genuine["attained"]!;
  for (
    const other of [
      "",
      "{}\n",
      "[]\n",
      "null\n",
      text.trimEnd(),
      text.replace('"claim":', '"claim": '),
      text.replace('"epsilon":1,', '"epsilon":1,"epsilon":9,'),
      text.replace('"epsilon":1,', '"epsilon":9,"epsilon":1,'),
      text.replace('"epsilon":1,', '"epsilon":1e999,'),
      text.replace('"epsilon":1,', '"epsilon":1.0,'),
    ]
  ) {
    assert(other !== text && rejection(other, PROGRAM) !== undefined, other.slice(0, 80));
  }
});

Deno.test("shown() says what follows from the laws, for which datasets and which program", () => {
  assertStringIncludes(
    shown(genuine["in a domain"]!),
    'ε = 1 under replace-one on all 1 pairs of the 2 datasets with {"rows":{"type":"integer","min":0,"max":1}',
  );
  assertStringIncludes(shown(genuine["attained"]!), HASH);
  assertStringIncludes(shown(genuine["endless"]!), "with δ larger by at most");
  assertStringIncludes(shown(genuine["refuted"]!), "it does not keep ε = 0.99 under replace-one");
});

// The claim is what is attained: any change of it by one unit in the last place turns the verdict or its proof.
Deno.test("rejection() rejects a claim that is smaller by one unit in the last place", () => {
  const certificate = JSON.parse(genuine["attained"]!);
  certificate.claim.epsilon = 1 - 2 ** -53;
  certificate.scale = String(BigInt(certificate.scale as string) << 53n);
  for (const law of certificate.laws) {
    for (const terms of [law.denominator, ...Object.values(law.outputs)]) {
      for (const each of terms) each[0] = String(BigInt(each[0]) << 53n);
    }
  }
  certificate.everyEpsilon = false;
  assertEquals(
    rejection(JSON.stringify(certificate) + "\n"),
    "rejected: the verdict does not follow from the laws",
  );
});

Deno.test("rejection() looks at every t ≥ 1 where a certificate says so", () => {
  const fixed: Program = (row, source) => row ^ Number(source.bernoulli({ probability: 0.3 }));
  const text = certified(fixed, { epsilon: 1 });
  assertEquals([JSON.parse(text).everyEpsilon, rejection(text)], [false, undefined]);
  assertEquals(
    rejection(text.replace('"everyEpsilon":false', '"everyEpsilon":true')),
    "rejected: an inequality at some t ≥ 1",
  );
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
