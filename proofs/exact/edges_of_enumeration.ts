import { approximate, pure } from "../../lib/core/claim.ts";
import type { Source } from "../../lib/core/source.ts";
import type { Domain } from "../../lib/core/dataset.ts";
import { replaceOne as relation } from "../../lib/core/relation.ts";
import { certificateOf } from "../../lib/exact/enumeration/certificate.ts";
import { checkExactly } from "../../lib/exact/enumeration/check_exactly.ts";
import type { LawsOfPair } from "../../lib/exact/enumeration/compare_laws.ts";
import { drawingFrom } from "../../lib/exact/enumeration/drawing_from.ts";
import { signOf } from "../../lib/exact/enumeration/exponential_sum.ts";
import { datasetsOfDomain } from "../../lib/exact/enumeration/finite_domain.ts";
import { largestLoss } from "../../lib/exact/enumeration/least_epsilon.ts";
import { monomial } from "../../lib/exact/polynomial.ts";
import { SeededSource } from "../../lib/random/seeded_source.ts";
import { BITS, exponential } from "../checks/generated_programs.ts";
import { withoutRemainders } from "../checks/without_remainders.ts";
import { requireProducts } from "../checks/factor_product_cases.ts";
import { requireCounts } from "../checks/enumeration_counts.ts";
import { requireCertifiedMethods } from "../checks/methods_of_signs.ts";
import {
  casesOf,
  requireEqual,
  requireNear,
  requireRefused,
  requireThat,
} from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const shipped = { signOf, datasetsOfDomain, largestLoss, certificateOf };

/** What enumeration decides beside its laws. */
export const edgesOfEnumeration = theorem<typeof shipped>({
  id: "exact/edges_of_enumeration",
  statement:
    "Signs of sums of exponentials are decided where these nearly cancel; the largest loss of two laws is enclosed with what was not run on its safe side; " +
    "domains are enumerated up to a number of datasets and refused beyond; certificates of what was cut off hold all of its mass; paths to one state are followed, four beside the first and 16 of a layer; reports name the worst pair.",
  citation: "dpcheck; exponentials by their series in 400 binary places",
  source: "lib/exact/enumeration",
  kind: "sampled",
  checked:
    "300 sums of two to four terms that cancel to one part in 2^100 to 2^160, and 80 with coefficients of 1; 12 families of products of four factors; losses of 60 generated laws, complete and not; thirteen domains at the limit; certificates of noise without end; runs of 14 programs with merged states; places of values in 17 outputs, and one that is refused",
  subject: shipped,
  check: (of, { seed }) => {
    const source = new SeededSource(seed).split("edges");
    return casesOf({
      "signs": () => requireSigns(of, source),
      "products": () => requireProducts(source),
      "largest losses": () => requireLosses(of, source),
      "domains": () => requireDomains(of),
      "certificates": () => requireCertificates(of),
      "certificates for every ε": () => requireCertifiedMethods(of.certificateOf),
      "runs and reports": requireCounts,
      "sources and monomials": () => {
        const seen: unknown[] = [];
        const run = drawingFrom((_, draws) => void seen.push(draws));
        const sources = [1, 2].map((each): Source => new SeededSource(each));
        for (const i of [0, 0, 1, 0]) run([], sources[i]! as never);
        requireEqual([seen[0] === seen[1], seen[1] === seen[2], seen[0] === seen[3]], [
          true,
          false,
          false,
        ]);
        requireEqual([monomial(3), monomial(2, 2), monomial(0, 4)], [[3n], [0n, 0n, 2n], []]);
        for (const degree of [-1, 0.5, NaN, 2 ** 53]) {
          requireRefused(`degree ${degree}`, () => monomial(1, degree), "degree");
        }
      },
    });
  },
  mutants: {
    "signs by doubles": {
      ...shipped,
      signOf: (sum, { scale }) =>
        Math.sign(
          [...sum].reduce((s, [x, c]) => s + Number(c) * Math.exp(-Number(x) / Number(scale)), 0),
        ),
    },
    "what was not run forgotten": { ...shipped, largestLoss: withoutRemainders },
    "the largest datasets alone": {
      ...shipped,
      datasetsOfDomain: (domain, options) =>
        datasetsOfDomain(domain, options).filter(({ length }) => length === domain.size.max),
    },
    "a certificate of what is undecided": {
      ...shipped,
      certificateOf: ({ report, details }, options) =>
        certificateOf({ report: { ...report, verdict: "holds" }, details }, options),
    },
  },
});

function requireSigns({ signOf }: Pick<typeof shipped, "signOf">, source: SeededSource): void {
  const below = (limit: number): bigint => BigInt(source.uint32() % limit);
  for (let k = 0; k < 300; k++) {
    const scale = 1n + below(5), bits = 100n + below(60), terms = 1 + source.uint32() % 3;
    const sum = new Map<bigint, bigint>();
    let value = 0n;
    for (let i = 0; i < terms; i++) {
      const exponent = 1n + BigInt(i) * 3n + below(3), sign = source.uint32() % 2 === 0 ? 1n : -1n;
      const coefficient = sign * ((1n << bits) + below(1 << 30));
      sum.set(exponent, coefficient);
      value += coefficient * exponential(-exponent, scale);
    }
    // The whole number next to it, on either side: what is left is below 1.
    const rest = -(value >> BITS) - BigInt(k % 2);
    sum.set(0n, rest);
    const left = value + (rest << BITS);
    if (left < 1n << 300n && left > -(1n << 300n)) continue;
    const expected = left > 0n ? 1 : -1;
    requireEqual(signOf(sum, { scale }), expected, `the sign of sum ${k}`);
    // A factor of all terms changes nothing.
    const moved = new Map([...sum].map(([x, c]) => [x + 40n, -c]));
    requireEqual(signOf(moved, { scale }), -expected, `the sign of minus sum ${k}`);
  }
  requireSmallSigns({ signOf }, source);
  requireEqual([signOf(new Map(), { scale: 1n }), signOf(new Map([[5n, -1n]]), { scale: 1n })], [
    0,
    -1,
  ]);
}

/** ±(1 − e^−x − e^−y) with e^−y next to x: coefficients of 1 that leave 2^−120 to 2^−280. */
function requireSmallSigns(
  { signOf }: Pick<typeof shipped, "signOf">,
  source: SeededSource,
): void {
  const seen = { above: 0, below: 0 };
  for (let k = 0; k < 80; k++) {
    const bits = 120n + BigInt(source.uint32() % 70), scale = 1n << bits;
    const x = 1n + BigInt(source.uint32() % 1000);
    // x/scale is e^−y, up to one part in 2^(8 to 39).
    const log = BigInt(Math.round((Number(bits) * Math.LN2 - Math.log(Number(x))) * 2 ** 40));
    const by = BigInt(source.uint32() % 2 === 0 ? 1 : -1) << BigInt(source.uint32() % 32);
    const y = (log + by) << bits - 40n;
    const value = exponential(0n, 1n) - exponential(-x, scale) - exponential(-y, scale);
    requireThat(value > 1n << 40n || value < -(1n << 40n), "a sum that 400 places do not decide");
    const sign = value > 0n ? 1 : -1;
    seen[sign > 0 ? "above" : "below"]++;
    for (const factor of [1n, -1n, 3n]) {
      const sum = new Map([[0n, factor], [x, -factor], [y, -factor]]);
      requireEqual(
        signOf(sum, { scale }),
        factor < 0n ? -sign : sign,
        `the sign of ${factor} times small sum ${k}`,
      );
    }
  }
  requireThat(seen.above > 10 && seen.below > 10, () => JSON.stringify(seen));
}

/** Laws of three outputs in units of 2^−64; a part of each may not have been run. */
function requireLosses({ largestLoss }: typeof shipped, source: SeededSource): void {
  const unit = 2 ** 64, bits = 64;
  for (let k = 0; k < 60; k++) {
    const complete = k % 2 === 0;
    const side = (): LawsOfPair["left"] => {
      const shares = [1, 2, 3].map(() => 0.05 + source.uniform());
      const left = complete ? 2 ** -40 * source.uniform() : 0.01 * source.uniform();
      const total = shares.reduce((a, b) => a + b, 0) / (1 - left);
      const outputs = new Map(
        shares.map((
          share,
          i,
        ) => [`${i}`, { lower: BigInt(Math.floor(share / total * 2 ** 53)) << 11n }]),
      );
      const run = [...outputs.values()].reduce((sum, { lower }) => sum + lower, 0n);
      return { outputs, remainder: (1n << 64n) - run, complete } as unknown as LawsOfPair["left"];
    };
    const left = side(), right = side();
    const found = largestLoss({ left, right }, { bits })!;
    const p = (law: typeof left, key: string): number => Number(law.outputs.get(key)!.lower) / unit;
    const rest = (law: typeof left): number => Number(law.remainder) / unit;
    const losses = ["0", "1", "2"].map((key) =>
      complete
        ? [
          Math.log(p(left, key) / (p(right, key) + rest(right))),
          Math.log((p(left, key) + rest(left)) / p(right, key)),
        ]
        : [Math.log(p(left, key) / (p(right, key) + rest(right))), Infinity]
    );
    const best = losses.findIndex(([low]) => low === Math.max(...losses.map(([each]) => each!)));
    if (!complete) requireEqual(found.key, `${best}`, "the output");
    const [low, high] = losses[Number(found.key)]!;
    requireNear(found.loss.lower, low!, { absolute: 2e-12, what: "a loss from below" });
    requireThat(found.loss.lower <= low! + 1e-15, "a loss from below");
    if (complete) {
      requireNear(found.loss.upper, high!, { absolute: 2e-12, what: "a loss from above" });
      requireThat(found.loss.upper >= high! - 1e-15, "a loss from above");
    } else requireEqual(found.loss.upper, Infinity);
    for (const [bounds, law] of [[found.left, left], [found.right, right]] as const) {
      const least = p(law, found.key);
      requireThat(
        bounds.lower <= least && least + rest(law) <= bounds.upper * (1 + 1e-15),
        "a probability",
      );
      requireNear(bounds.upper, least + rest(law), { relative: 1e-14, what: "a probability" });
      requireNear(bounds.lower, least, { relative: 1e-14, what: "a probability" });
    }
  }
}

function requireDomains({ datasetsOfDomain }: typeof shipped): void {
  const integer = (count: number): Domain["rows"] => ({ type: "integer", min: 5, max: 4 + count });
  const vector = (length: number, of: number) =>
    ({ type: "vector", length, of: integer(of) }) as Domain["rows"];
  const record = (a: number, b: number): Domain["rows"] => ({
    type: "record",
    fields: { a: integer(a), b: integer(b) },
  });
  const one = { min: 1, max: 1 },
    cases: [Domain["rows"], Domain["size"], number | undefined][] = [
      [integer(2000), one, 2000],
      [integer(1999), one, 1999],
      [integer(2000), { min: 0, max: 0 }, 1],
      [integer(2001), { min: 0, max: 0 }, undefined],
      [{ type: "boolean" }, { min: 0, max: 9 }, 1023],
      // 1,024 lists of ten, and 1,023 shorter ones.
      [{ type: "boolean" }, { min: 0, max: 10 }, undefined],
      [{ type: "boolean" }, { min: 10, max: 10 }, 1024],
      [integer(44), { min: 0, max: 2 }, 1981],
      [integer(45), { min: 2, max: 2 }, undefined],
      [vector(2, 44), one, 1936],
      [vector(2, 45), { min: 0, max: 0 }, undefined],
      [record(44, 45), one, 1980],
      [record(45, 45), { min: 0, max: 0 }, undefined],
    ];
  for (const [rows, size, count] of cases) {
    const run = (): unknown[] => datasetsOfDomain({ rows, size }, { most: 2000 }) as unknown[];
    if (count === undefined) {
      requireRefused(JSON.stringify([rows, size]), run, "at most 2000");
      continue;
    }
    requireEqual([run().length, new Set(run().map((each) => JSON.stringify(each))).size], [
      count,
      count,
    ]);
  }
}

function requireCertificates({ certificateOf }: typeof shipped): void {
  const run = drawingFrom((data, draws) =>
    (data[0] as number) + draws.discreteLaplace({ rate: 1 })
  );
  const options = { datasets: [[0], [1]], neighbours: [[0, 1]] as const };
  const of = (claim: ReturnType<typeof pure>, more = {}) =>
    checkExactly({ name: "it", run }, { ...options, ...more, claim });
  const found = of(approximate({ epsilon: 1, delta: 1e-6, relation }) as never);
  requireEqual(found.report.verdict, "holds");
  const { laws } = JSON.parse(certificateOf(found, options)) as {
    laws: { denominator: string[][]; remainder: string; outputs: Record<string, string[][]> }[];
  };
  laws.forEach(({ denominator, remainder, outputs }, at) => {
    const [[exponent, whole]] = denominator as [[string, string]];
    requireEqual(exponent, "0");
    const masses = Object.entries(outputs).map(([key, terms]) => {
      const [x, mass] = terms[0]!;
      requireEqual(x, "0");
      requireThat(BigInt(mass!) > 0n, "an output of no probability");
      return [
        Number(/-?\d+/.exec(key)![0]),
        Number(BigInt(mass!)) / Number(BigInt(whole)),
      ] as const;
    });
    const sum = Object.values(outputs).reduce(
      (total, terms) => total + BigInt(terms[0]![1]!),
      0n,
    );
    const rest = BigInt(whole) - sum;
    requireThat(
      rest >= 0n && rest <= BigInt(remainder),
      "mass that is neither an output nor left out",
    );
    requireThat(Number(BigInt(remainder)) / Number(BigInt(whole)) < 1e-9, "too much left out");
    for (const [output, mass] of masses) {
      const law = Math.tanh(0.5) * Math.exp(-Math.abs(output - at));
      requireNear(mass, law, { absolute: 1e-9, what: `the probability of ${output}` });
    }
  });
  const open = of(pure({ epsilon: 1, relation }), { remainder: 1e-3, maxBranches: 3 });
  requireEqual(open.report.verdict, "undecided");
  requireRefused("what is undecided", () => certificateOf(open, options), "undecided");
}
