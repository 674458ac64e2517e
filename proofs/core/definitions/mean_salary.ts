import { addRemoveOne, type Relation, replaceOne } from "../../../lib/core/relations/relation.ts";
import { boundedMean } from "../../../lib/dp/mechanisms/bounded_sum.ts";
import { integerVectors } from "../../engine/finite_check.ts";
import { short } from "../../engine/outcome.ts";
import { outcomeOf, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";

/** Makes the mean that hides what someone earns, and the one that hides that they are there. */
interface Means {
  readonly bounded: Relation;
  readonly unbounded: Relation;
  readonly epsilon: number;
}

const EPSILON = 1;

function meanOf(relation: Relation, epsilon: number): ReturnType<typeof boundedMean> {
  return boundedMean({ bounds: { lower: 0, upper: 1 }, epsilon, granularity: 0.5, relation });
}

/** The largest |ln P/P′| over the means that two datasets of one to four rows may give. */
function loss(
  mean: ReturnType<typeof boundedMean>,
  { left, right }: { left: readonly number[]; right: readonly number[] },
): number {
  let worst = 0;
  for (const size of [1, 2, 3, 4]) {
    for (let k = 0; k <= 2 * size; k++) {
      const [p, q] = [left, right].map((data) => mean.logDensity!(k / (2 * size), data));
      if (p === q) continue;
      worst = Math.max(worst, Math.abs(p! - q!));
    }
  }
  return worst;
}

/** What the two kinds of neighbours mean for the mean of a company's salaries. */
export const meanSalary = theorem<Means>({
  id: "definitions/mean_salary",
  statement:
    "A mean that is ε-private for one salary replaced (the number of rows is public) hides what someone earns, and may show with " +
    "certainty whether they work there; one that is ε-private for a row added or removed hides both, a salary within 2ε.",
  citation: "Kifer, Machanavajjhala 2011, section 2",
  source: "Haußmann’s slides, neighbouring database?: mean salary in a company",
  remember: () => {
    const mean = meanOf(replaceOne, EPSILON);
    const leaves = loss(mean, { left: [0, 1], right: [1] });
    return `The mean for replaced rows loses ${
      loss(mean, { left: [0], right: [1] })
    } where a salary changes, and ${
      leaves === Infinity ? "∞" : leaves
    } where somebody leaves the company.`;
  },
  kind: "exhaustive",
  checked:
    "the shipped means at ε = 1: all lists of one to three salaries 0, ½ and 1 with the first replaced or, of two and three, removed (a mean does not depend on their order); all outputs that one to four rows can give",
  subject: { bounded: replaceOne, unbounded: addRemoveOne, epsilon: EPSILON },
  check: ({ bounded, unbounded, epsilon }) =>
    outcomeOf("39 datasets", () => {
      const salaries = meanOf(bounded, epsilon), members = meanOf(unbounded, epsilon);
      let replaced = 0, both = 0, seen = 0;
      for (const size of [1, 2, 3]) {
        for (const halves of integerVectors(size, { min: 0, max: 2 })) {
          const left = halves.map((value) => value / 2);
          for (const value of [0, 0.5, 1]) {
            const right = left.with(0, value);
            replaced = Math.max(replaced, loss(salaries, { left, right }));
            const hidden = loss(members, { left, right });
            requireThat(hidden <= 2 * EPSILON + 1e-9, () => `a salary loses ${short(hidden)}`);
          }
          if (size === 1) continue;
          const right = left.slice(1);
          both = Math.max(both, loss(members, { left, right }));
          seen = Math.max(seen, loss(salaries, { left, right }));
        }
      }
      requireThat(replaced <= EPSILON + 1e-9, `a salary loses ${short(replaced)}`);
      requireThat(both <= EPSILON + 1e-9, `a row removed loses ${short(both)}`);
      requireThat(seen === Infinity, "the mean for replaced rows hides who works there");
      return replaced / EPSILON;
    }),
  mutants: {
    "made for 1.2ε": { bounded: replaceOne, unbounded: addRemoveOne, epsilon: 1.2 },
    "the mean for replaced rows to hide both": {
      bounded: replaceOne,
      unbounded: replaceOne,
      epsilon: EPSILON,
    },
    "the mean for rows added shows who works there": {
      bounded: addRemoveOne,
      unbounded: addRemoveOne,
      epsilon: EPSILON,
    },
  },
});
