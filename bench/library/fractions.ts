/** Exact fractions and polynomials of ours beside mathjs's fractions. Run: deno task bench fractions */
import { multiplyPolynomials, type Polynomial } from "../../lib/judge/exact/polynomial.ts";
import { rootsAbove } from "../../lib/judge/exact/sturm.ts";
import { divide, multiply, rational, subtract } from "../../lib/core/numeric/rational.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { median } from "../median.ts";

const loading = performance.now();
const { fraction } = await import("mathjs");
const seconds = (performance.now() - loading) / 1000;
type Fraction = ReturnType<typeof fraction>;

const source = new SeededSource(1);
const doubles = Array.from({ length: 400 }, () => source.uniform());
const ours = doubles.map((value) => rational(value));
const theirs = ours.map(({ numerator, denominator }) => fraction(numerator, denominator));

/** Products of factors 4t − a, a whole number from −20 to 19, and of t² + t + 3: degree 10. */
const polynomials = Array.from({ length: 20 }, () =>
  multiplyPolynomials(
    [3n, 1n, 1n],
    ...Array.from({ length: 8 }, (): Polynomial => [20n - BigInt(source.uint32() % 40), 4n]),
  ));
const factors = polynomials.map((p) => p.map((coefficient) => fraction(coefficient, 1n)));

/** a·b/c − d over neighbouring quadruples, as a sum of the digits' parity that both must agree on. */
const arithmetic = {
  ours: (): number => {
    let odd = 0;
    for (let i = 3; i < ours.length; i++) {
      const product = multiply(ours[i]!, ours[i - 1]!);
      const { denominator } = subtract(divide(product, ours[i - 2]!), ours[i - 3]!);
      odd += Number(denominator & 1n);
    }
    return odd;
  },
  theirs: (): number => {
    let odd = 0;
    for (let i = 3; i < theirs.length; i++) {
      const product = theirs[i]!.mul(theirs[i - 1]!);
      odd += Number(product.div(theirs[i - 2]!).sub(theirs[i - 3]!).d & 1n);
    }
    return odd;
  },
};

const products = {
  ours: (): number => {
    let degrees = 0;
    for (const p of polynomials) degrees += multiplyPolynomials(p, p).length;
    return degrees;
  },
  theirs: (): number => {
    let degrees = 0;
    for (const p of factors) {
      const square: Fraction[] = [];
      for (const [i, a] of p.entries()) {
        for (const [j, b] of p.entries()) {
          square[i + j] = square[i + j]?.add(a.mul(b)) ?? a.mul(b);
        }
      }
      degrees += square.length;
    }
    return degrees;
  },
};

const roots = {
  ours: (): number => polynomials.reduce((sum, p) => sum + rootsAbove(p), 0),
  theirs: (): number => factors.reduce((sum, p) => sum + positiveRoots(p), 0),
};

/** Sturm's theorem with fractions for coefficients, lowest degree first. */
function positiveRoots(of: readonly Fraction[]): number {
  const chain = [of, of.slice(1).map((coefficient, i) => coefficient.mul(i + 1))];
  while (chain.at(-1)!.length > 1) {
    const rest = remainder(chain.at(-2)!, chain.at(-1)!);
    if (rest.length === 0) break;
    chain.push(rest.map((coefficient) => coefficient.neg()));
  }
  const near = chain.map((p) => p.find((coefficient) => coefficient.n !== 0n)!);
  return changes(near) - changes(chain.map((p) => p.at(-1)!));
}

function changes(values: readonly Fraction[]): number {
  return values.filter(({ s }, i) => i > 0 && s !== values[i - 1]!.s).length;
}

function remainder(left: readonly Fraction[], right: readonly Fraction[]): Fraction[] {
  const rest = [...left], lead = right.at(-1)!;
  while (rest.length >= right.length) {
    const factor = rest.at(-1)!.div(lead), gap = rest.length - right.length;
    for (const [i, coefficient] of right.entries()) {
      rest[gap + i] = rest[gap + i]!.sub(factor.mul(coefficient));
    }
    while (rest.at(-1)?.n === 0n) rest.pop();
  }
  return rest;
}

/** Milliseconds of one run, over at least a tenth of a second. */
function milliseconds(run: () => number): number {
  const start = performance.now();
  let runs = 0;
  for (; performance.now() - start < 100; runs++) run();
  return (performance.now() - start) / runs;
}

const works = {
  "a·b/c − d of doubles": arithmetic,
  "squares of polynomials of degree 10": products,
  "positive roots by Sturm's theorem": roots,
};
for (const [name, work] of Object.entries(works)) {
  if (work.ours() !== work.theirs()) throw new Error(`${name}: results differ`);
  const times = Array.from({ length: 5 }, () =>
    [
      milliseconds(work.ours),
      milliseconds(work.theirs),
    ] as const);
  const [own, other] = [median(times.map(([a]) => a)), median(times.map(([, b]) => b))];
  const ratio = median(times.map(([a, b]) => b / a));
  console.log(
    `${name}: ours ${own.toFixed(2)} ms, mathjs ${other.toFixed(2)} ms, ratio ${ratio.toFixed(1)}`,
  );
}
const kept = doubles.filter((value, i) => {
  const { n, d } = fraction(value), { numerator, denominator } = ours[i]!;
  return n * denominator === numerator * d;
});
console.log(`fraction(double) is that double: ${kept.length} of ${doubles.length}`);
console.log(`mathjs takes ${seconds.toFixed(2)} s to load`);
