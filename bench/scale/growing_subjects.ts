import type { Subject } from "../../lib/judge/audit/kernel/subject.ts";
import { mechanismSubject } from "../../lib/judge/audit/subjects/mechanism_subject.ts";
import { processSubject } from "../../lib/judge/audit/subjects/process/process_subject.ts";
import { quoteWord } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { pure } from "../../lib/core/claims/claim.ts";
import type { Domain } from "../../lib/core/relations/dataset.ts";
import type { Mechanism } from "../../lib/core/mechanism/mechanism.ts";
import {
  addRemoveOne,
  type Pair,
  pairOf,
  type Relation,
  replaceOne,
} from "../../lib/core/relations/relation.ts";
import type { Source } from "../../lib/core/mechanism/source.ts";
import { floatLaplace } from "../../lib/core/random/float_laplace.ts";

/** A program whose claim is ε = 1, and what an audit of it is given. */
export interface GrowingSubject {
  readonly subject: Subject;
  readonly relation: Relation;
  /** The pair of datasets; absent where it is searched in the domain. */
  readonly pair?: Pair;
  readonly domain?: Domain;
}

/** Subjects of growing size, each with its true ε. */
export const AXES: Readonly<
  Record<string, (size: number, epsilon: number, source: Source) => GrowingSubject>
> = {
  "output width": histogram,
  "rows of a dataset": count,
  "categories": response,
  "datasets to search": oneRareAnswer,
};

/** Counts of `size` cells with Laplace noise; the pair differs in the last one. */
function histogram(size: number, epsilon: number, source: Source): GrowingSubject {
  const mechanism: Mechanism<number, Float64Array> = {
    name: "histogram",
    claim: pure({ epsilon: 1, relation: addRemoveOne }),
    width: size,
    sample: (rows, source) => counts(rows, 1, source),
    sampleMany: counts,
  };
  function counts(rows: readonly number[], count: number, source: Source): Float64Array {
    const out = floatLaplace(source, new Float64Array(count * size), { scale: 1 / epsilon });
    for (const cell of rows) for (let at = cell; at < out.length; at += size) out[at]! += 1;
    return out;
  }
  return {
    subject: mechanismSubject(mechanism, { source }),
    relation: addRemoveOne,
    pair: pairOf(addRemoveOne, { left: [], right: [size - 1] }),
  };
}

/** A program that counts the ones among `size` rows, with Laplace noise; each dataset is sent to it once. */
function count(size: number, epsilon: number): GrowingSubject {
  const program = quoteWord(new URL("noisy_count.py", import.meta.url).pathname);
  const left = Array.from({ length: size }, (_, i) => i % 2);
  return {
    subject: processSubject(`python3 ${program} ${1 / epsilon}`),
    relation: replaceOne,
    pair: pairOf(replaceOne, { left, right: left.with(0, 1) }),
  };
}

/** Randomised response with `size` categories: the true one is `e^ε` times as likely as each other. */
function response(size: number, epsilon: number, source: Source): GrowingSubject {
  const truth = Math.exp(epsilon) / (Math.exp(epsilon) + size - 1);
  const mechanism: Mechanism<number, string> = {
    name: "randomised response",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    sample: ([row], source) => {
      const other = Math.floor(source.uniform() * (size - 1));
      const answer = source.uniform() < truth ? row! : other < row! ? other : other + 1;
      return `category ${answer}`;
    },
  };
  return {
    subject: mechanismSubject(mechanism, { source }),
    relation: replaceOne,
    pair: pairOf(replaceOne, { left: [0], right: [1] }),
  };
}

/** Yes or no on `size` datasets of one row: ε is 1 among all but the last, whose answer "yes" is as much rarer as `epsilon` allows. */
function oneRareAnswer(size: number, epsilon: number, source: Source): GrowingSubject {
  const most = Math.E / (1 + Math.E);
  const values = Array.from({ length: size }, (_, k) => k);
  const yes = values.map((k) => k % 2 === 0 ? most : 1 - most).with(-1, most / Math.exp(epsilon));
  const mechanism: Mechanism<number, string> = {
    name: "yes or no",
    claim: pure({ epsilon: 1, relation: replaceOne }),
    sample: ([row], source) => source.uniform() < yes[row!]! ? "yes" : "no",
  };
  return {
    subject: mechanismSubject(mechanism, { source }),
    relation: replaceOne,
    domain: { rows: { type: "category", values }, size: { min: 1, max: 1 } },
  };
}
