import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { deltaAt } from "../../../lib/core/claims/claim.ts";
import { deployment, DEPLOYMENTS } from "../../../lib/core/claims/deployment.ts";

/** The largest log ratio of two laws. */
function lossOf(p: readonly number[], q: readonly number[]): number {
  return Math.max(...p.map((x, i) => Math.abs(Math.log(x / q[i]!))));
}

/** All lists of so many bits. */
const bits = (n: number): number[][] =>
  Array.from({ length: 2 ** n }, (_, k) => Array.from({ length: n }, (_, i) => k >> i & 1));

/** The law of reports in which each bit is set with its own probability. */
const ofBits = (set: readonly number[]): number[] =>
  bits(set.length).map((report) =>
    report.reduce((p, bit, i) => p * (bit ? set[i]! : 1 - set[i]!), 1)
  );

// Mutants: a factor of 2 in any of the formulas; p* and q* exchanged.
Deno.test("claims of local randomisers are the losses of their laws, enumerated", () => {
  for (const [values, truth] of [[2, 0.75], [3, 0.5], [7, 0.9]] as const) {
    const law = (of: number): number[] =>
      Array.from({ length: values }, (_, i) => i === of ? truth : (1 - truth) / (values - 1));
    const { claim } = deployment("local-randomiser", { values, truth });
    assertAlmostEquals(claim.epsilon, lossOf(law(0), law(1)), 1e-12);
  }
  for (const [values, p, q] of [[4, 0.75, 0.25], [3, 0.5, 0.2]] as const) {
    const law = (of: number): number[] =>
      ofBits(Array.from({ length: values }, (_, i) => i === of ? p : q));
    const { claim } = deployment("unary-encoding", { values, p, q });
    assertAlmostEquals(claim.epsilon, lossOf(law(0), law(1)), 1e-12);
  }
  for (const [f, p, q, hashes] of [[0.5, 0.5, 0.75, 1], [0.25, 0.35, 0.65, 2]] as const) {
    // A bit that is set is kept, set or cleared for good, and then reported; h bits of one value, h others of another.
    const reported = (bit: number): number => f / 2 * q + f / 2 * p + (1 - f) * (bit === 1 ? q : p);
    const law = (of: number): number[] =>
      ofBits(
        Array.from(
          { length: 2 * hashes },
          (_, i) => reported(Math.floor(i / hashes) === of ? 1 : 0),
        ),
      );
    const { claim } = deployment("rappor", { f, p, q, hashes });
    assertAlmostEquals(claim.epsilon, lossOf(law(0), law(1)), 1e-9);
  }
});

// EVENT.md: 3 states of an event source and 2,925 of a navigation source; at ε = 14 noise with probability 0.00025% and 0.24%.
Deno.test("browser attribution has the published states and rates of noise", () => {
  const event = deployment("attribution-event", { reports: 1, data: 2, windows: 1 });
  const navigation = deployment("attribution-event");
  assertEquals(
    [event, navigation].map(({ domain: { rows } }) => (rows as { max: number }).max + 1),
    [3, 2925],
  );
  for (
    const [{ arithmetic }, k, published] of [[event, 3, 0.0000025], [
      navigation,
      2925,
      0.0024,
    ]] as const
  ) {
    const random = k / (k - 1 + Math.exp(14));
    assertAlmostEquals(random, published, published * 0.02);
    assert(arithmetic.includes(String(random)));
    // The law: one of k evenly with that probability, else the truth.
    assertAlmostEquals(Math.log((1 - random + random / k) / (random / k)), 14, 1e-9);
  }
});

/** C(n, k) pᵏ (1 − p)ⁿ⁻ᵏ. */
function binomial(n: number, p: number): number[] {
  let law = [1];
  for (let i = 0; i < n; i++) {
    law = Array.from({ length: i + 2 }, (_, k) => (law[k] ?? 0) * (1 - p) + (law[k - 1] ?? 0) * p);
  }
  return law;
}

// The count of yes is all that shuffled answers tell: a sum of two binomials, of which δ is computed for every neighbour.
Deno.test("the claim of shuffled answers is above what they lose, computed", () => {
  const local = 0.5, people = 1000, delta = 1e-4;
  const { claim } = deployment("shuffle", { local, people, delta });
  const flip = 1 / (1 + Math.exp(local));
  const counts = (yes: number): number[] => {
    const a = binomial(yes, 1 - flip),
      b = binomial(people - yes, flip),
      law = new Array(people + 1).fill(0);
    for (const [i, x] of a.entries()) for (const [j, y] of b.entries()) law[i + j] += x * y;
    return law;
  };
  for (const yes of [0, 500, 999]) {
    const p = counts(yes), q = counts(yes + 1);
    for (const [one, other] of [[p, q], [q, p]] as const) {
      const lost = one.reduce(
        (sum, x, k) => sum + Math.max(0, x - Math.exp(claim.epsilon) * other[k]!),
        0,
      );
      assert(lost <= delta, `${yes}: ${lost}`);
    }
  }
  assert(claim.epsilon < local && deltaAt(claim, claim.epsilon) === delta);
});

// Noise of scale 1/ε at a count of 1 passes the threshold with probability δ; counts above it move by one.
Deno.test("the claim of published keys and of votes is what their thresholds and noise give", () => {
  const { arithmetic, claim } = deployment("keys", { epsilon: 2, delta: 1e-4 });
  const threshold = Number(arithmetic.split("= ").at(-1));
  assertAlmostEquals(Math.exp(-2 * (threshold - 1)) / 2, 1e-4, 1e-12);
  assertEquals(deltaAt(claim, 2), 1e-4);
  // The probability of one class of two by the difference of two Laplace noises, at the worst vote: at most e^(2γ) apart.
  const gamma = 0.3, { claim: { epsilon } } = deployment("pate", { gamma, classes: 2 });
  const above = (x: number): number => {
    const tail = Math.exp(-gamma * Math.abs(x)) * (2 + gamma * Math.abs(x)) / 4;
    return x > 0 ? tail : 1 - tail;
  };
  for (let lead = -40; lead <= 40; lead++) {
    assert(Math.abs(Math.log(above(-lead) / above(2 - lead))) <= epsilon + 1e-12);
  }
  assertEquals(epsilon, 0.6);
});

Deno.test("deployments refuse names and parameters that mean nothing, and each has a source and neighbours", () => {
  for (const [name, parameters] of Object.entries(DEPLOYMENTS)) {
    const { claim, source, arithmetic } = deployment(name);
    assert(claim.epsilon > 0 && source.length > 20 && arithmetic.length > 20, name);
    for (const key of Object.keys(parameters)) {
      for (const bad of [NaN, -1, Infinity]) {
        assertThrows(() => deployment(name, { [key]: bad }), RangeError, name);
      }
    }
    assertThrows(() => deployment(name, { zeta: 1 }), RangeError, "zeta");
  }
  assertThrows(() => deployment("raport"), RangeError, "rappor");
  assertThrows(() => deployment("toString"), RangeError, "rappor");
});
