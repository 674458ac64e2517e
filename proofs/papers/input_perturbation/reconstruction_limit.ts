import { integerVectors } from "../../engine/finite_check.ts";
import { theorem } from "../../engine/theorem.ts";

/** In how many rows two databases may differ that answer all subset counts within E, per E. */
export const reconstructionLimit = theorem<{ readonly factor: number }>({
  id: "input_perturbation/reconstruction_limit",
  statement:
    "If all subset counts of a database of bits are answered within E, every database that is " +
    "consistent with the answers agrees with the true one in all but 4E rows.",
  citation: "Dinur, Nissim 2003, exponential adversary",
  source: "Shmatikov’s slides, limits of output perturbation",
  remember: () => `Answers within a fortieth of n give away all but ${100 * 4 / 40}% of the rows.`,
  onPaper: true,
  kind: "exact",
  checked: "seven rows; two true databases, all others, E = ½, 1 and 1½",
  subject: { factor: 4 },
  check: ({ factor }) => {
    const size = 7, databases = [...integerVectors(size, { min: 0, max: 1 })];
    let worst = 0;
    for (const twice of [1, 2, 3]) {
      // Only differences matter: compare with the database of alternating bits.
      for (const truth of [databases[0]!, databases[0b0101010]!]) {
        for (const other of databases) {
          // Some answers lie within E of both exactly if no subset count differs by more than 2E.
          const gained = other.filter((bit, i) => bit > truth[i]!).length;
          const lost = other.filter((bit, i) => bit < truth[i]!).length;
          if (Math.max(gained, lost) > twice) continue;
          worst = Math.max(worst, (gained + lost) / (factor * twice / 2));
        }
      }
    }
    return {
      holds: worst <= 1,
      margin: worst,
      detail: "all databases of seven bits consistent with a true one",
      ...(worst <= 1 ? {} : { witness: "a consistent database differs in more rows" }),
    };
  },
  mutants: { "all but 2E rows": { factor: 2 }, "all but 3E rows": { factor: 3 } },
});
