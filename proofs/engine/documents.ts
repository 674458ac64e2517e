import type { ProofResult } from "./prove.ts";

/** A document whose theorems are checked, and how sources and citations name it. */
interface Document {
  /** Author and title. */
  readonly name: string;
  /** Its name in `source` or `citation`. */
  readonly named: RegExp;
}

/** The documents that the theorems come from. */
export const DOCUMENTS: readonly Document[] = [
  {
    name: "Chaudhuri, Monteleoni, Sarwate: slides “Privacy-preserving classification”",
    named: /Chaudhuri’s (and Haußmann’s )?slides|slides of Chaudhuri/,
  },
  {
    name:
      "Chaudhuri, Monteleoni, Sarwate 2011: “Differentially private empirical risk minimization”",
    named: /JMLR (preprint|paper)|Chaudhuri, Monteleoni, Sarwate 2011/,
  },
  {
    name: "Haußmann 2017: slides “Differential privacy”",
    named: /Haußmann’s slides|slides of Haußmann/,
  },
  {
    name: "Shmatikov: slides “Privacy-preserving data mining”",
    named: /Shmatikov’s slides/,
  },
  {
    name: "Xu, Cao, Shah, Maung, Schweitzer 2017: “Enhancing the privacy of predictors”",
    named: /AAAI abstract|Xu, Cao, Shah, Maung, Schweitzer 2017/,
  },
];

/** Results by document, in the order of the registry, and at the end those of none: building blocks and other papers. */
export function byDocument(
  results: readonly ProofResult[],
): { readonly name: string; readonly results: readonly ProofResult[] }[] {
  const isOf = ({ named }: Document, { source, citation }: ProofResult): boolean =>
    named.test(`${source}; ${citation}`);
  return [
    ...DOCUMENTS.map((document) => ({
      name: document.name,
      results: results.filter((result) => isOf(document, result)),
    })),
    {
      name: "Other papers, and what the library rests on besides",
      results: results.filter((result) => !DOCUMENTS.some((document) => isOf(document, result))),
    },
  ];
}
