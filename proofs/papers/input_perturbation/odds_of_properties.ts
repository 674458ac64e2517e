import { integerVectors } from "../../engine/finite_check.ts";
import { outcomeOf, requireThat } from "../../engine/requirement.ts";
import { theorem } from "../../engine/theorem.ts";

/** The largest factor of the odds, as a power of √γ, and how many properties there are. */
interface Bound {
  readonly halves: number;
  readonly properties: (values: number) => number;
}

/** What one output tells of any property. */
export const oddsOfProperties = theorem<Bound>({
  id: "input_perturbation/odds_of_properties",
  statement:
    "If an operator is γ-amplifying for y, then seeing y changes the odds of each of the 2^|X| properties by a factor " +
    "from 1/γ to γ, whatever the prior; it changes nothing if all values are equally likely to become y, and only then.",
  citation: "Evfimievski, Gehrke, Srikant 2003, section 3 and Statement 1",
  source: "Shmatikov’s slides, transition probabilities",
  remember: () =>
    `Three values have ${2 ** 3} properties; γ = 1 is the only way to change belief in none.`,
  onPaper: true,
  kind: "exact",
  checked:
    "three and four values, all columns of chances in the proportions 1, 2, 3 and all priors in the proportions 1, 2, 5, all properties, in whole numbers",
  subject: { halves: 2, properties: (values) => 2 ** values },
  check: ({ halves, properties }) =>
    outcomeOf("7,290 columns and priors", () => {
      let most = 0;
      for (const size of [3, 4]) {
        const whole = 2 ** size - 1;
        for (const chances of integerVectors(size, { min: 1, max: 3 })) {
          const [low, high] = [Math.min(...chances), Math.max(...chances)];
          for (const choice of integerVectors(size, { min: 0, max: 2 })) {
            const prior = choice.map((each) => [1, 2, 5][each]!);
            const sum = (set: number, of: (x: number) => number): number =>
              prior.reduce((total, _, x) => total + ((set >> x) & 1) * of(x), 0);
            const seen = new Set<number>();
            let changed = false;
            for (let set = 0; set <= whole; set++) {
              seen.add(set);
              // Of "never" and "always" there are no odds.
              if (set === 0 || set === whole) continue;
              const before = (part: number): number => sum(part, (x) => prior[x]!);
              const after = (part: number): number => sum(part, (x) => prior[x]! * chances[x]!);
              const up = after(set) * before(whole - set), down = after(whole - set) * before(set);
              changed ||= up !== down;
              requireThat(
                up ** 2 * low ** halves <= down ** 2 * high ** halves,
                () => `γ = ${high / low}: odds change by ${up / down}`,
              );
              most = Math.max(most, up * low / (down * high));
            }
            requireThat(changed === low < high, () =>
              `chances ${chances}: beliefs change: ${changed}`);
            requireThat(seen.size === properties(size), `${seen.size} properties`);
          }
        }
      }
      return most;
    }),
  mutants: {
    "√γ": { halves: 1, properties: (values) => 2 ** values },
    "|X|² properties": { halves: 2, properties: (values) => values ** 2 },
  },
});
