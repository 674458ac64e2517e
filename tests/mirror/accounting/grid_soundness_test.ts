// What is put on a grid is compared with the law itself, at losses that are a rounding, or the room for one, away from a point,
// and at probabilities from 1e-300 to 1. Mutants: clamps of shares that are between 0 and 1 but for rounding; ends and slivers of
// a range; cells that underflow; where mergers begin and end.
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type LossGrid,
  optimisticGrid,
  pessimisticGrid,
} from "../../../lib/accounting/loss_grid.ts";
import { gaussianLoss, laplaceLoss, type LossLaw } from "../../../lib/accounting/privacy_loss.ts";

interface Atom {
  readonly loss: number;
  readonly p: number;
  readonly q: number;
}

const lawOf = (atoms: readonly Atom[], rest: Partial<LossLaw> = {}): LossLaw => ({
  atoms,
  infinite: 0,
  lowest: Math.min(...atoms.map(({ loss }) => loss)),
  highest: Math.max(...atoms.map(({ loss }) => loss)),
  deviation: 1,
  relativeError: 0,
  ...rest,
});

/** Points of a grid as atoms. */
const pointsOf = ({ first, spacing, masses }: LossGrid): Atom[] =>
  [...masses].map((p, i) => {
    const loss = (first + i) * spacing;
    return { loss, p, q: p * Math.exp(-loss) };
  });

/** Σ (p − e^ε q)⁺, each term by its loss. */
const deltaOf = (atoms: readonly Atom[], epsilon: number): number =>
  atoms.reduce(
    (sum, { loss, p }) => loss > epsilon ? sum - p * Math.expm1(epsilon - loss) : sum,
    0,
  );

const sum = (atoms: readonly Atom[], name: "p" | "q"): number =>
  atoms.reduce((total, atom) => total + atom[name], 0);

const exponent = (from: number, to: number): fc.Arbitrary<number> =>
  fc.double({ min: from, max: to, noNaN: true }).map((power) => 10 ** power);
/** In spacings, or in nats where it is next to a point. */
const offsets = fc.oneof(
  fc.constantFrom(0, 1e-16, 4.9e-13, 5.1e-13, 2e-12, 1e-9).chain((by) => fc.constantFrom(by, -by)),
  fc.double({ min: -0.5, max: 0.5, noNaN: true }),
);
const anyAtoms = fc.record({
  spacing: exponent(-3, 0),
  drawn: fc.array(
    fc.record({
      index: fc.integer({ min: -20, max: 20 }),
      off: offsets,
      p: fc.oneof(exponent(-2, 0), exponent(-300, 0)),
    }),
    { minLength: 1, maxLength: 7 },
  ),
}).map(({ spacing, drawn }) => ({
  spacing,
  atoms: drawn.map(({ index, off, p }) => {
    const loss = index * spacing + (Math.abs(off) < 1e-8 ? off : off * spacing);
    return { loss, p, q: p * Math.exp(-loss) };
  }),
}));

Deno.test("pessimisticGrid() and optimisticGrid() enclose any atoms, but for the error that they say", () => {
  fc.assert(
    fc.property(anyAtoms, ({ spacing, atoms }) => {
      const law = lawOf(atoms);
      const whole = sum(atoms, "p");
      const grids = [pessimisticGrid(law, { spacing }), optimisticGrid(law, { spacing })];
      for (const { masses } of grids) assert(masses.every((mass) => mass >= 0), `${masses}`);
      const [high, low] = grids.map(pointsOf) as [Atom[], Atom[]];
      for (const atoms of [high, low]) {
        assert(Math.abs(sum(atoms, "p") - whole) <= 1e-14 * whole, `${sum(atoms, "p")} ${whole}`);
      }
      const error = grids[0]!.relativeError, others = sum(atoms, "q");
      assert(Math.abs(sum(high, "q") - others) <= error * others, `${sum(high, "q")} ${others}`);
      assert(sum(low, "q") >= others * (1 - error), `${sum(low, "q")} ${others}`);
      for (const { loss } of [...atoms, ...high]) {
        for (const epsilon of [loss - spacing / 2, loss - 1e-12, loss]) {
          const truth = deltaOf(atoms, epsilon), off = 1e-15 * whole;
          const upper = deltaOf(high, epsilon - 2 * error) * Math.exp(error);
          const lower = deltaOf(low, epsilon + 2 * error) * Math.exp(-error);
          assert(upper >= truth - off, `upper ${upper} < ${truth} at ${epsilon}`);
          assert(lower <= truth + off, `lower ${lower} > ${truth} at ${epsilon}`);
        }
      }
    }),
    { seed: 2911, numRuns: 400 },
  );
});

Deno.test("optimisticGrid() leaves atoms that are on the grid, but for a rounding, where they are, however likely", () => {
  fc.assert(
    fc.property(anyAtoms, ({ spacing, atoms }) => {
      const on = atoms.filter(({ loss }) =>
        Math.abs(loss - Math.round(loss / spacing) * spacing) <= 4.9e-13
      );
      if (on.length === 0) return;
      const { first, masses } = optimisticGrid(lawOf(on), { spacing });
      // Two that are off by a rounding each are cut where they balance.
      const room = (1e-12 / -Math.expm1(-spacing)) * sum(on, "p");
      const expected = new Map<number, number>();
      for (const { loss, p } of on) {
        const index = Math.round(loss / spacing);
        expected.set(index, (expected.get(index) ?? 0) + p);
      }
      masses.forEach((mass, i) => {
        const exact = expected.get(first + i) ?? 0;
        assert(Math.abs(mass - exact) <= room, `${first + i}: ${mass}, not ${exact}`);
      });
    }),
    { seed: 2912, numRuns: 300 },
  );
});

// Probabilities of intervals are right up to a factor: one may seem to have all its losses below its lower end, or above its upper.
Deno.test("pessimisticGrid() keeps all probability where an interval's own is off by the law's error", () => {
  const spacing = 0.1, relativeError = 1e-12;
  for (const off of [-1e-13, 1e-13]) {
    for (const end of [0, 1]) {
      const law = lawOf([], {
        lowest: -5 * spacing,
        highest: 5 * spacing,
        relativeError,
        intervalMass: (from, to) =>
          Number.isFinite(from) && Number.isFinite(to)
            ? { p: 0.1, q: 0.1 * Math.exp(-(end === 0 ? from : to)) * (1 + off) }
            : { p: 0, q: 0 },
      });
      const { masses, infinite } = pessimisticGrid(law, { spacing });
      const expected = [...masses].map((_, i) => i === (end === 0 ? 10 : 0) ? 0 : 0.1);
      masses.forEach((mass, i) => {
        assert(mass >= 0, `${mass}`);
        assertAlmostEquals(mass, expected[i]!, 1e-11);
      });
      assertAlmostEquals(masses.reduce((total, mass) => total + mass, infinite), 1, 1e-15);
    }
  }
});

// Mutants: an atom next to the highest point split, so that a part of it falls off; room that is not used on the other side.
Deno.test("pessimisticGrid() keeps atoms that are a rounding away from its ends", () => {
  for (const off of [-4.9e-13, 0, 4.9e-13]) {
    for (const loss of [0.3 + off, -0.3 + off]) {
      const { first, masses } = pessimisticGrid(lawOf([{ loss, p: 1, q: Math.exp(-loss) }]), {
        spacing: 1e-3,
      });
      assertEquals([...masses], [1]);
      assertEquals(first, Math.round(loss / 1e-3));
    }
  }
});

// Mutants: a sliver above the last point counted as infinite; losses below the range put higher than its lowest point.
Deno.test("pessimisticGrid() counts nothing as infinite that is in the range, and what is below it at its lowest point", () => {
  for (let points = 3; points < 400; points += 7) {
    for (const epsilon of [0.1, 0.3, 1, 2]) {
      const { infinite } = pessimisticGrid(laplaceLoss({ epsilon }).forward, {
        spacing: epsilon / points,
      });
      assertEquals(infinite, 0);
    }
  }
  const law: LossLaw = { ...gaussianLoss({ mu: 1 }).forward, lowest: 3, highest: 4 };
  const { masses } = pessimisticGrid(law, { spacing: 0.5 });
  const { p: tail } = law.intervalMass!(-Infinity, 3), { p: next } = law.intervalMass!(3, 3.5);
  assert(masses[0]! > tail && masses[0]! < tail + next);
});

// Cells of a range that is far wider than what the law has, and whose probabilities vanish under one of the two.
Deno.test("optimisticGrid() leaves out cells that underflow", () => {
  const law: LossLaw = { ...gaussianLoss({ mu: 30 }).forward, lowest: -900, highest: 1800 };
  const { masses } = optimisticGrid(law, { spacing: 1 });
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  // Losses above 745 have a Q that is 0 in doubles; all of N(450, 30²) is below.
  assertAlmostEquals(total, 1, 1e-12);
  const atoms = [{ loss: -800, p: 0, q: 1 }, { loss: 800, p: 1, q: 0 }];
  assertEquals(Math.max(...optimisticGrid(lawOf(atoms), { spacing: 1 }).masses), 0);
  assertEquals(
    [...optimisticGrid(lawOf([...atoms, { loss: 0, p: 0.5, q: 0.5 }]), { spacing: 400 }).masses],
    [0, 0, 0.5, 0, 0],
  );
});
