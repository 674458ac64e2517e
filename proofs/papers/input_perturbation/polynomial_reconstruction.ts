import { reconstruct } from "../../../lib/papers/attacks/reconstruction.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** The noise on n bits' counts, and how many are asked. */
interface Answering {
  /** Answers are off by at most this. */
  readonly noise: (size: number) => number;
  readonly queries: (size: number) => number;
}

/** The share of rows guessed wrong, of n coin tosses whose random subsets were counted. */
async function wrongShare(
  source: SeededSource,
  { size, noise, queries }: Answering & { readonly size: number },
): Promise<number> {
  const coins = (): Uint8Array => Uint8Array.from({ length: size }, () => source.uint32() & 1);
  const bits = coins();
  const asked = Array.from({ length: queries(size) }, coins);
  const answers = asked.map((query) =>
    query.reduce((sum, member, i) => sum + member * bits[i]!, 0) +
    noise(size) * (2 * source.uniform() - 1)
  );
  const guess = await reconstruct({ size, queries: asked, answers });
  return guess.bits.reduce((wrong, bit, i) => wrong + (bit ^ bits[i]!), 0) / size;
}

/** The attack that a linear program makes. */
export const polynomialReconstruction = theorem<Answering>({
  id: "input_perturbation/polynomial_reconstruction",
  statement: "If random subset counts of n bits are answered within o(√n), a linear program over " +
    "polynomially many of them gives back all but o(n) rows.",
  citation: "Dinur, Nissim 2003, Theorem 3; Dwork, McSherry, Talwar 2007 for the program",
  source: "Shmatikov’s slides, limits of output perturbation",
  remember: () =>
    `For 128 bits: ${4 * 128} counts, each within ±${
      short(128 ** 0.3 / 2)
    }, give nearly all of them away.`,
  assumptions: [
    "the limit itself is not reached by any n; the paper's n·log²n counts are more than these",
  ],
  kind: "sampled",
  checked:
    "generated databases, counts and noise within n^.3/2: 4n counts, three databases each of n = 32, 64 and 128, at most 5% of their rows wrong",
  subject: { noise: (size) => size ** 0.3 / 2, queries: (size) => 4 * size },
  check: async (answering, { seed }) => {
    const source = new SeededSource(seed).split("reconstruction"), databases = 3;
    const wrong: number[] = [];
    for (const size of [32, 64, 128]) {
      let sum = 0;
      for (let k = 0; k < databases; k++) sum += await wrongShare(source, { ...answering, size });
      wrong.push(sum / databases);
    }
    const shown = wrong.map(short).join(", ");
    return atMost(0.05, {
      value: Math.max(...wrong),
      detail: `${databases} databases each of n = 32, 64, 128: a share of ${shown} is wrong`,
      witness: `n = 32, 64, 128: a share of ${shown} is wrong`,
    });
  },
  mutants: {
    "noise within 4√n": { noise: (size) => 4 * Math.sqrt(size), queries: (size) => 4 * size },
    "n/4 counts": { noise: (size) => size ** 0.3 / 2, queries: (size) => size / 4 },
  },
});
