import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { lawOfForm } from "../../../lib/judge/recording/law_of_form.ts";
import type { Atom, Form, NoiseLaw } from "../../../lib/judge/recording/recording.ts";

/** Forms that are written as a program computes them. */
class Program {
  readonly atoms: Atom[] = [];

  draw(law: NoiseLaw = "uniform", p?: number): Form {
    const number = this.atoms.push({ law, at: "a.js:1", ...(p === undefined ? {} : { p }) }) - 1;
    return [0, [[number, 1]]];
  }

  call(name: string, ...of: (Form | number)[]): Form {
    const number = this.atoms.push({ law: "derived", at: "a.js:1", function: name, of }) - 1;
    return [0, [[number, 1]]];
  }

  law(form: Form): string | undefined {
    const own = lawOfForm(form, this.atoms);
    if (own === undefined) return undefined;
    const { law, scale, middle, p } = own;
    return [law, ...[scale, middle, ...p === undefined ? [] : [p]].map((x) => x.toPrecision(4))]
      .map((x) => x.replace(/\.?0+$/, "")).join(" ");
  }
}

const times = ([v, terms]: Form, k: number): Form => [k * v, terms.map(([i, c]) => [i, k * c])];
const plus = ([v, terms]: Form, [w, more]: Form): Form => [v + w, [...terms, ...more]];
const moved = ([v, terms]: Form, by: number): Form => [v + by, terms];

Deno.test("inverse distribution functions of uniform numbers tell their law, with scale and middle", () => {
  const p = new Program(), u = p.draw(), v = p.draw(), flipped = moved(times(u, -1), 1);
  assertEquals(p.law(times(p.call("log", u), -2)), "exponential 2 0");
  assertEquals(p.law(times(p.call("log1p", times(u, -1)), -3)), "exponential 3 0");
  assertEquals(p.law(p.call("log", times(u, 2))), "exponential -1 0.6931");
  assertEquals(p.law(p.call("log2", u)), "exponential -1.443 0");
  const e = times(p.call("log", u), -1);
  assertEquals(p.law(times(p.call("log", e), -5)), "gumbel 5 0");
  assertEquals(p.law(p.call("log", p.call("divide", u, flipped))), "logistic 1 0");
  assertEquals(
    p.law(plus(times(p.call("log", u), 2), times(p.call("log", flipped), -2))),
    "logistic 2 0",
  );
  assertEquals(p.law(p.call("log", p.call("divide", u, v))), "laplace 1 0");
  assertEquals(p.law(p.call("tan", times(moved(u, -0.5), Math.PI))), "cauchy 1 0");
  assertEquals(p.law(times(p.call("tan", times(u, Math.PI)), 4)), "cauchy 4 0");
  assertEquals(p.law(p.call("ndtri", u)), "normal 1 0");
});

Deno.test("a sign times a logarithm is Laplace noise only where the logarithm is that of all sizes", () => {
  const p = new Program(), s = moved(p.draw(), -0.5), v = p.draw();
  const size = (start: number, k: number): Form =>
    p.call("log", moved(times(p.call("absolute", s), k), start));
  const signed = (form: Form, by = s): Form => p.call("multiply", p.call("sign", by), form);
  assertEquals(p.law(times(signed(size(1, -2)), 3)), "laplace 3 0");
  assertEquals(p.law(signed(size(0, 2))), "laplace 1 0");
  assertEquals(p.law(signed(times(p.call("log", v), -2))), "laplace 2 0");
  assertEquals(p.law(p.call("copysign", size(1, -2), s)), "laplace 1 0");
  // The size alone, whatever the sign; and on one side of 0, as after a comparison.
  assertEquals(p.law(size(1, -2)), "exponential -1 0");
  assertEquals(p.law(p.call("absolute", moved(times(v, 0.5), -0.5))), "uniform -0.5 0.5");
  assertEquals(p.law(p.call("absolute", moved(v, -0.4))), undefined);
  // Half of the sizes, other bounds, a sign that is not fair.
  assertEquals(p.law(signed(size(1, -1))), undefined);
  assertEquals(p.law(signed(size(2, -4))), undefined);
  assertEquals(p.law(signed(p.call("log", v), moved(p.draw(), -0.4))), undefined);
});

Deno.test("sums have a law where their parts are independent, and none where they share noise", () => {
  const p = new Program(), [u, v] = [p.draw(), p.draw()];
  const [e, f] = [u, v].map((own) => times(p.call("log", own), -1)) as [Form, Form];
  assertEquals(p.law(plus(times(e, 2), times(f, -2))), "laplace 2 0");
  assertEquals(
    p.law(plus(times(p.call("log", e), 3), times(p.call("log", f), -3))),
    "logistic 3 0",
  );
  assertEquals(p.law(plus(times(e, 2), times(f, -1))), undefined);
  assertEquals(p.law(plus(e, times(p.call("log2", u), 1))), undefined);
  const [n, m] = [p.draw("normal"), p.draw("normal")];
  assertEquals(p.law(plus(times(n, 3), moved(times(m, -4), 7))), "normal 5 7");
  assertEquals(p.law(p.call("divide", n, m)), "cauchy 1 0");
  assertEquals(p.law(p.call("divide", n, n)), undefined);
});

Deno.test("both coordinates of a point by Box and Muller, and by Marsaglia and Bray, are independent normal numbers", () => {
  const p = new Program(), [u, v] = [p.draw(), p.draw()];
  const radius = p.call("sqrt", times(p.call("log", u), -2)), angle = times(v, 2 * Math.PI);
  const x = p.call("multiply", radius, p.call("cos", angle));
  const y = p.call("multiply", p.call("sin", angle), radius);
  assertEquals([p.law(x), p.law(times(y, 2))], ["normal 1 0", "normal 2 0"]);
  assertEquals(p.law(plus(times(x, 3), times(y, 4))), "normal 5 0");
  assertEquals(p.law(plus(x, p.call("multiply", radius, p.call("cos", angle)))), undefined);
  assertEquals(p.law(p.call("multiply", radius, p.call("cos", times(v, Math.PI)))), undefined);
  assertEquals(p.law(p.call("multiply", radius, p.call("cos", times(u, 2 * Math.PI)))), undefined);
  const [a, b] = [u, v].map((own) => moved(times(own, 2), -1)) as [Form, Form];
  const square = plus(p.call("multiply", a, a), p.call("multiply", b, b));
  const root = p.call("sqrt", p.call("divide", times(p.call("log", square), -2), square));
  const [s, t] = [a, b].map((own) => p.call("multiply", own, root)) as [Form, Form];
  assertEquals([p.law(s), p.law(plus(s, t))], ["normal 1 0", "normal 1.414 0"]);
  assertEquals(lawOfForm(s, p.atoms)!.fitted, square[1].map(([i]) => i));
  const other = plus(p.call("multiply", a, a), p.call("multiply", u, u));
  const wrong = p.call("sqrt", p.call("divide", times(p.call("log", other), -2), other));
  assertEquals(p.law(p.call("multiply", a, wrong)), undefined);
});

Deno.test("rounded exponential noise is geometric, and words of random bits are the digits of uniform noise", () => {
  const p = new Program(), e = times(p.call("log", p.draw()), -1);
  const chance = (1 - Math.exp(-0.5)).toPrecision(4);
  assertEquals(p.law(p.call("floor", times(e, 2))), `geometric 1 -1 ${chance}`);
  assertEquals(p.law(p.call("ceil", times(e, 2))), `geometric 1 0 ${chance}`);
  assertEquals(p.law(p.call("floor", times(e, -2))), `geometric -1 0 ${chance}`);
  const words = [p.draw(), p.draw()].map((u) => p.call("trunc", times(u, 2 ** 32))) as [Form, Form];
  assertAlmostEquals(lawOfForm(times(words[0], 2 ** -32), p.atoms)!.scale, 1);
  const both = plus(
    times(p.call("floor", times(words[0], 2 ** -5)), 2 ** -27),
    times(p.call("floor", times(words[1], 2 ** -6)), 2 ** -53),
  );
  assertEquals(p.law(both), "uniform 1 0");
  assertEquals(p.law(times(p.call("log", both), -1)), "exponential 1 0");
  const overlapping = plus(times(words[0], 2 ** -32), times(words[1], 2 ** -40));
  assertEquals(p.law(overlapping), undefined);
  assert(p.law(p.call("floor", times(p.draw(), 6))) === undefined);
});
