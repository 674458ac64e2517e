// Moments are raised by what roundings may be at most, which no moment of a test reaches: parts of the series are tested with
// numbers that are made for them. Mutants: every term, factor and sign of the room.
import { assert, assertEquals } from "@std/assert";
import {
  LogBinomial,
  logDifference,
  logSampledGaussianMoment,
  seriesTerm,
} from "../../../lib/accounting/sampled_gaussian_moment.ts";
import { type BigNumber, bigNumber as big } from "../numeric/big_number.ts";

const U = 2 ** -53, one = big(1);

Deno.test("LogBinomial is ln |C(order, k)| within four roundings of every part of every step", () => {
  for (const order of [1.5, 7.3]) {
    const choose = new LogBinomial(order);
    let exact = one, off = 0;
    for (let k = 1; k <= order + 4; k++) {
      choose.step(k);
      const factor = big(order).minus(k).plus(1);
      exact = exact.times(factor).div(k);
      const parts = [factor.abs().ln(), big(k).ln(), exact.abs().ln()];
      off += parts.reduce((sum, part) => sum + 4 * U * Math.abs(part.toNumber()), 0);
      assertEquals(choose.positive, exact.gt(0));
      assert(exact.abs().ln().minus(big(choose.log)).abs().lte(big(choose.off)));
      assert(Math.abs(choose.off - off) <= 1e-9 * off + 1e-24, `${choose.off}, not ${off}`);
    }
  }
});

/** ln P(Z > x) of a standard normal Z, by the series of Φ in 80 digits, for |x| at most 12. */
function logTail(x: BigNumber): BigNumber {
  let term = x, sum = x;
  for (let k = 1; k < 400 && !term.isZero(); k++) {
    term = term.times(x).times(x).div(2 * k + 1);
    sum = sum.plus(term);
  }
  const pi = one.atan().times(4);
  const density = x.times(x).div(-2).exp().div(pi.times(2).sqrt());
  return one.div(2).minus(density.times(sum)).ln();
}

Deno.test("seriesTerm() is a term of the series within the room of its parts, above the order as well", () => {
  for (const [order, mu, rate] of [[1.5, 1, 0.1], [3.2, 0.7, 0.02]] as const) {
    const stay = one.minus(big(rate)).ln(), go = big(rate).ln();
    const middle = stay.minus(go).plus(big(mu).times(big(mu)).div(2)).div(big(mu));
    for (const side of [1, -1] as const) {
      for (let k = 0; k <= 7; k++) {
        const power = side === 1 ? big(k) : big(order).minus(k), rest = big(order).minus(power);
        const edge = power.times(big(mu)).minus(middle).times(side);
        const growth = power.times(power).minus(power).times(big(mu)).times(big(mu)).div(2);
        const exact = rest.times(stay).plus(power.times(go)).plus(growth).plus(logTail(edge));
        const { log, off } = seriesTerm(k, { side, order, mu, rate });
        assert(exact.minus(big(log)).abs().lte(big(off)), `${side} ${k}: ${log}, not ${exact}`);
        const reach = power.abs().toNumber() * mu + middle.abs().toNumber();
        const powers = power.abs().plus(rest.abs()).toNumber();
        const size = 5 * (1 + reach) ** 2 +
          2 * powers * stay.abs().plus(go.abs()).toNumber();
        assert(Math.abs(off / (U * (128 + 8 * size)) - 1) < 1e-9, `${side} ${k}: ${off}`);
      }
    }
  }
});

Deno.test("logDifference() raises gains, lowers losses, and has room for its own sums", () => {
  const gains = [{ log: 0, off: 1e-3 }, { log: -2, off: 1e-3 }], losses = [{ log: -1, off: 0.01 }];
  const exact = big(1e-3).exp().plus(big(-1.999).exp()).minus(big(-1.01).exp()).ln();
  const found = logDifference(gains, losses);
  assert(exact.lte(big(found)) && exact.plus(1e-14).gte(big(found)), `${found}, not ${exact}`);
  for (const [log, count] of [[-1000, 1], [1000, 3], [0, 40]] as const) {
    const sum = logDifference(new Array(count).fill({ log, off: 0 }), []);
    const room = 8 * U * (count + Math.abs(log + Math.log(count)));
    const above = big(sum).minus(big(log).plus(big(count).ln())).toNumber();
    assert(above > 0 && Math.abs(above - room) <= 0.2 * room, `${above}, not ${room}`);
  }
});

// (1 − rate)² + 2·rate·(1 − rate) + rate²·e^(μ²). Mutant: a whole order by the chord to the next one, which is infinite.
Deno.test("logSampledGaussianMoment() of order 2 is μ² + 2·ln rate where μ is so large that order 3 is infinite", () => {
  const mu = 8.9e153, found = logSampledGaussianMoment(2, { mu, rate: 0.5 });
  assert(found >= mu * mu && found <= mu * mu * (1 + 1e-13), `${found}`);
  assertEquals(logSampledGaussianMoment(3, { mu, rate: 0.5 }), Infinity);
});
