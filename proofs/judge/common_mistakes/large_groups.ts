import { atMost, short } from "../../engine/outcome.ts";
import { falseClaim } from "../../engine/theorem.ts";

/** The loss of releasing sums that differ by these numbers, at ε = 1. */
type Loss = (differences: readonly number[]) => number;

const laplace = (scale: number): Loss => (differences) =>
  differences.reduce((sum, each) => sum + Math.abs(each), 0) / scale;

/** Aggregates over many people, answered exactly. */
export const largeGroups = falseClaim<Loss>({
  id: "common_mistakes/large_groups",
  statement: "Exact sums are private as long as each is over a group of at least m people.",
  citation:
    "Dwork, Roth 2014, section 1.1, on differencing attacks; Denning, Denning 1979 on trackers",
  source:
    "Haußmann’s slides: “only allow aggregate over large groups”, “just release summary statistics”",
  remember: () => `A thousand and one people minus a thousand people: one person, exactly.`,
  assumptions: [
    "two groups, everyone and everyone but one, of one bit each; the claim is ε = 1, any other would do",
  ],
  onPaper: true,
  kind: "sampled",
  subject: (differences) => differences.some((each) => each !== 0) ? Infinity : 0,
  check: (loss) => {
    let worst = 0;
    const shown: string[] = [];
    for (const m of [10, 100, 1000]) {
      const bits = Array.from({ length: m + 1 }, (_, i): number => i % 3 === 0 ? 1 : 0);
      const sums = (data: readonly number[]): [number, number] => [
        data.reduce((sum, bit) => sum + bit, 0),
        data.slice(1).reduce((sum, bit) => sum + bit, 0),
      ];
      const before = sums(bits);
      // Whoever changes: the first, who is in one group, or another, who is in both.
      for (const who of [0, 1, m]) {
        const changed = sums(bits.with(who, 1 - bits[who]!));
        worst = Math.max(worst, loss(before.map((sum, i) => sum - changed[i]!)));
      }
      shown.push(`groups of ${m + 1} and ${m}: the first bit is ${before[0] - before[1]}`);
    }
    return atMost(1, {
      value: worst,
      detail: `loses ${short(worst)} at ε = 1`,
      witness: `${shown.join("; ")}: the difference of the sums`,
    });
  },
  corrected: { name: "Laplace noise of scale 2/ε on both sums", subject: laplace(2) },
  mutants: { "noise of scale 1.9/ε": laplace(1.9) },
});
