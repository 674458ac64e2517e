import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { fitAdditive } from "../../../../lib/audit/scores/additive_fit.ts";
import { SeededSource } from "../../../../lib/random/seeded_source.ts";

/** A table of two bins a column, given by the bin in each column of each row. */
function tableOf(rows: readonly (readonly number[])[]): { bins: Uint8Array; columns: number } {
  const n = rows.length, columns = rows[0]!.length;
  const bins = new Uint8Array(n * columns);
  rows.forEach((row, i) => row.forEach((bin, j) => bins[j * n + i] = bin));
  return { bins, columns };
}

/** Fair labels, and rows whose first bin tells the label with chance `right`. */
function noisyLabels(
  n: number,
  { right, seed }: { right: number; seed: number },
): { labels: Uint8Array; noisy: number[]; source: SeededSource } {
  const source = new SeededSource("telling").split(seed);
  const labels = Uint8Array.from({ length: n }, () => source.uint32() & 1);
  const noisy = Array.from(labels, (label) => source.uniform() < right ? label : 1 - label);
  return { labels, noisy, source };
}

// Mutants: labels exchanged; two steps that overshoot; a prior that shrinks signal.
Deno.test("fitAdditive() finds the log odds of a column's bins", () => {
  const { labels, noisy } = noisyLabels(40_000, { right: 0.6, seed: 1 });
  const weights = fitAdditive({ ...tableOf(noisy.map((bin) => [bin])), labels, size: 2 });
  const exact = Math.log(0.6 / 0.4);
  // The standard error is 0.0144; two Newton steps from 0 come within 0.001.
  assertAlmostEquals(weights[0]!, -exact, 0.06);
  assertAlmostEquals(weights[1]!, exact, 0.06);
});

// Mutant: each column fitted on its own (the scores not updated).
Deno.test("fitAdditive() does not count twice what two columns share", () => {
  const { labels, noisy } = noisyLabels(40_000, { right: 0.7, seed: 2 });
  const weights = fitAdditive({ ...tableOf(noisy.map((bin) => [bin, bin])), labels, size: 2 });
  const exact = Math.log(0.7 / 0.3);
  assertAlmostEquals(weights[1]! + weights[3]!, exact, 0.1);
  assertAlmostEquals(weights[0]! + weights[2]!, -exact, 0.1);
});

// Mutant: one sweep, after which a first column keeps the weight of the second one.
Deno.test("fitAdditive() gives a column its own weight, though an earlier one depends on it", () => {
  const { labels, noisy, source } = noisyLabels(40_000, { right: 0.7, seed: 3 });
  const echo = noisy.map((bin) => source.uniform() < 0.8 ? bin : 1 - bin);
  const weights = fitAdditive({
    ...tableOf(noisy.map((bin, i) => [echo[i]!, bin])),
    labels,
    size: 2,
  });
  // Given the second column the first knows nothing: its weight is on the way back to 0.
  const alone = fitAdditive({ ...tableOf(echo.map((bin) => [bin])), labels, size: 2 });
  assert(Math.abs(weights[1]!) < 0.75 * Math.abs(alone[1]!), `${weights} and ${alone}`);
  assert(weights[3]! > weights[1]!);
});

// Mutant: no shrinking, after which the weights are their standard error on average.
Deno.test("fitAdditive() gives bins without signal weights near 0", () => {
  const source = new SeededSource("silent");
  const n = 4000, columns = 30, size = 4;
  const bins = Uint8Array.from({ length: n * columns }, () => source.uint32() & 3);
  const labels = Uint8Array.from({ length: n }, () => source.uint32() & 1);
  const weights = fitAdditive({ bins, labels, columns, size });
  const error = 2 / Math.sqrt(n / size);
  const average = Math.hypot(...weights) / Math.sqrt(weights.length);
  assert(average < 0.3 * error, `${average} of ${error}`);
  assert(weights.every((weight) => Math.abs(weight) < 4.5 * error));
});

const table = fc.integer({ min: 1, max: 12 }).chain((half) =>
  fc.record({
    labels: fc.array(fc.nat(1), { minLength: 2 * half, maxLength: 2 * half }),
    bins: fc.array(fc.nat(2), { minLength: 6 * half, maxLength: 6 * half }),
  })
).map(({ labels, bins }) => ({
  labels: Uint8Array.from(labels),
  bins: Uint8Array.from(bins),
  columns: 3,
  size: 3,
}));

// Mutants: a parity that fits the other rows too, or the wrong ones.
Deno.test("fitAdditive() of a parity is the fit of these rows alone", () => {
  fc.assert(
    fc.property(table, fc.constantFrom(0 as const, 1 as const), (own, parity) => {
      const n = own.labels.length;
      const chosen = {
        ...own,
        labels: own.labels.filter((_, i) => i % 2 === parity),
        bins: own.bins.filter((_, at) => (at % n) % 2 === parity),
      };
      assertEquals(fitAdditive(own, parity), fitAdditive(chosen));
    }),
    { seed: 21, numRuns: 200 },
  );
});

// Mutants: a sign lost in the shrinking, one label with more weight.
Deno.test("fitAdditive() mirrors its weights when the labels change places", () => {
  fc.assert(
    fc.property(table, (own) => {
      const weights = fitAdditive(own);
      const mirrored = fitAdditive({ ...own, labels: own.labels.map((label) => 1 - label) });
      weights.forEach((weight, at) => {
        assert(Number.isFinite(weight));
        assertAlmostEquals(mirrored[at]!, -weight, 1e-9);
      });
    }),
    { seed: 22, numRuns: 200 },
  );
});

// Mutant: 0/0.
Deno.test("fitAdditive() of no rows has weights of 0", () => {
  const none = { bins: new Uint8Array(0), labels: new Uint8Array(0), columns: 2, size: 3 };
  assertEquals(fitAdditive(none), new Float64Array(6));
});
