import type { Chapter } from "../../engine/chapter.ts";
import { brokenForms } from "./checks/broken_forms.ts";
import { alignments, short } from "./alignments.ts";

function prose(): string {
  const programs = short.length, broken = brokenForms.length;
  return `A check that decides a statement rests on code that decides. Two pieces carry most of it.

The first decides signs of polynomials. A law with finitely many outputs, such as a survey or an exponential mechanism, has probabilities that are fractions of polynomials in t = e^ε. "At most e^ε times likelier, for every ε" then says that some polynomials with whole coefficients are nowhere negative from 1 on, and that can be decided without any rounding, by Sturm's sequences. This is what stands behind the word "exact", as of \`mechanisms/geometric\`.

The second proves programs with continuous noise. Laplace noise has a simple property: shifting a draw by s costs s over its scale, and nothing else. If for every run on one dataset there is a shift of the noise that gives the same output on the neighbour, then the largest cost of such a shift is a bound on the loss. dpcheck looks for these shifts by linear programs in fractions, for all datasets at once (\`exact/alignments\`). What it finds is tried here on ${programs} programs that keep their claim and ${broken} that do not, by running them with the shifted noise.

Both write certificates that a separate script checks with none of the code that made them. The rest of the trust is listed by \`deno task prove --trusted\`.`;
}

/** What the checks rest on. */
export const exactChapter: Chapter = {
  folder: "exact",
  title: "What the checks rest on",
  prose,
  theorems: [
    alignments,
  ],
};
