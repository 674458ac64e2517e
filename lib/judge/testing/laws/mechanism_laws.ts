import { walk } from "../../audit/model/encoding/walk_output.ts";
import { outputProblem } from "../../audit/subjects/output_limits.ts";
import { requireClaim } from "../../../core/claims/claim_brand.ts";
import type { Dataset } from "../../../core/relations/dataset.ts";
import { sameRow } from "../../../core/relations/relation.ts";
import { seenKey } from "../../exact/enumeration/output_key.ts";
import { SeededSource } from "../../../core/random/seeded_source.ts";
import { type CheckedMechanism, DRAWS } from "./checked_mechanism.ts";
import type { Breach, Law, LawOutcome } from "./law.ts";
import { mayHaveOneLaw } from "./same_law.ts";
import { loss, statedLaw } from "./stated_laws.ts";
import { WatchedSource } from "./watched_source.ts";

/** Outputs that are compared for equal seeds. */
const REPEATED = 60;

const claims: Law<CheckedMechanism> = {
  name:
    "its name is a text and its claims come from pure(), approximate(), zcdp(), renyi() or gaussian()",
  advice:
    "give the mechanism a name, and make `claim` and every one of `alsoKeeps` by a constructor, under one relation",
  check({ mechanism: { name, claim, alsoKeeps = [] } }): LawOutcome {
    if (typeof name !== "string" || name === "") {
      return { what: "The name is empty, or no text.", shown: { name } };
    }
    for (const each of [claim, ...alsoKeeps]) {
      try {
        requireClaim("check a mechanism", each);
      } catch (error) {
        return { what: "A claim was not made by a constructor.", shown: { error } };
      }
      if (each.relation !== claim.relation) {
        return {
          what: "A claim in `alsoKeeps` is under another relation than `claim`.",
          shown: { claim: claim.relation.name, also: each.relation.name },
        };
      }
    }
    return undefined;
  },
};

const takesValid: Law<CheckedMechanism> = {
  name: "all data of its domain are taken",
  advice:
    "let sample() and check() take every dataset of `domain`, or make `domain` smaller; an error tells about the data",
  check({ mechanism, data, moreData, seed }): LawOutcome {
    const source = new SeededSource(seed);
    for (const valid of [...data, ...moreData]) {
      try {
        mechanism.check?.(valid);
        mechanism.sample(valid, source);
      } catch (error) {
        return { what: "A dataset that is valid is refused.", shown: { data: valid, error } };
      }
    }
    return undefined;
  },
};

const outputs: Law<CheckedMechanism> = {
  name: "outputs are values that can be compared: no NaN, promise, function or undefined",
  advice:
    "return numbers, texts, truth values, null, or lists and plain objects of them, at once and not by a promise",
  check({ mechanism, data, moreData, seed }): LawOutcome {
    const source = new SeededSource(seed);
    for (const valid of [...data, ...moreData]) {
      const output = mechanism.sample(valid, source);
      // An audit stays within the domain.
      const problem = (data.includes(valid) ? outputProblem(output) : undefined) ??
        problemOf(output);
      if (problem !== undefined) {
        return { what: `An output is ${problem}.`, shown: { data: valid, output } };
      }
    }
    return undefined;
  },
};

/** Names what is wrong with an output, or with a value in it. */
function problemOf(output: unknown): string | undefined {
  let problem: string | undefined;
  walk(output, "output", (_, value, kind) => {
    if (kind === "NaN") problem ??= "NaN";
    else if (value === undefined) problem ??= "undefined";
    else if (kind === "other") problem ??= `a ${typeof value}`;
    else if (typeof (value as { then?: unknown } | null)?.then === "function") {
      problem ??= "a promise";
    }
  });
  return problem;
}

const keepsData: Law<CheckedMechanism> = {
  name: "the data stay as they are",
  advice: "copy the rows before they are sorted or changed",
  check({ mechanism, data, seed }): LawOutcome {
    const source = new SeededSource(seed);
    for (const valid of data) {
      const before = structuredClone(valid);
      mechanism.sample(valid, source);
      if (!sameRow(before, valid)) {
        return { what: "sample() changed the dataset.", shown: { before, after: valid } };
      }
    }
    return undefined;
  },
};

const repeats: Law<CheckedMechanism> = {
  name: "all randomness comes from the source: equal seeds give equal outputs, other seeds others",
  advice:
    "draw from the source that sample() is given, and from no Math.random, clock or state of the mechanism",
  check({ mechanism, data, seed }): LawOutcome {
    const valid = data[0]!;
    const run = (from: number): unknown[] => {
      const source = new SeededSource(from);
      return Array.from({ length: REPEATED }, () => mechanism.sample(valid, source));
    };
    const [first, second, other] = [seed, seed, seed + 1].map((from) => run(from).map(seenKey));
    const place = first!.findIndex((key, i) => key !== second![i]);
    if (place >= 0) {
      return {
        what: `Output ${place + 1} differs between two runs on one seed.`,
        shown: { data: valid, first: first![place], second: second![place] },
      };
    }
    // A constant needs no source.
    if (new Set(first).size > 1 && first!.every((key, i) => key === other![i])) {
      return {
        what: `Two seeds give the same ${REPEATED} outputs.`,
        shown: { data: valid, seeds: [seed, seed + 1] },
      };
    }
    try {
      mechanism.sample(valid, new WatchedSource());
    } catch (error) {
      return { what: "A secure source is refused.", shown: { error } };
    }
    return undefined;
  },
};

const refuses: Law<CheckedMechanism> = {
  name: "bad data are refused before randomness is used, in words that show no row",
  advice:
    "throw a RangeError or TypeError in check(), and call it first in sample() and sampleMany(); if any row is " +
    "to be taken, pass `badData: []`",
  check({ mechanism, badData }): LawOutcome {
    if (badData.length === 0) return { skipped: "no bad data are known" };
    for (const bad of badData) {
      const ways: Record<string, (source: WatchedSource) => unknown> = {
        sample: (source) => mechanism.sample(bad, source),
        ...mechanism.check && { check: () => mechanism.check!(bad) },
        ...mechanism.sampleMany &&
          { sampleMany: (source) => mechanism.sampleMany!(bad, 3, source) },
      };
      for (const [way, call] of Object.entries(ways)) {
        const breach = refusalBreach(bad, { way, call });
        if (breach !== undefined) return breach;
      }
    }
    return undefined;
  },
};

function refusalBreach(
  bad: Dataset,
  { way, call }: { readonly way: string; readonly call: (source: WatchedSource) => unknown },
): Breach | undefined {
  const source = new WatchedSource();
  let error: unknown;
  try {
    call(source);
  } catch (thrown) {
    error = thrown;
  }
  // A list with a row missing looks as if it had null.
  const shown = { data: bad.map((row) => row === undefined ? "undefined" : row), error };
  if (error === undefined) return { what: `${way}() takes bad data.`, shown };
  if (source.used) return { what: `${way}() draws before it refuses.`, shown };
  if (!(error instanceof RangeError || error instanceof TypeError)) {
    return { what: `${way}() throws what is neither a RangeError nor a TypeError.`, shown };
  }
  const rows = bad.flat().filter((value) => typeof value === "string" && value.length > 1);
  return rows.some((row) => error.message.includes(row as string))
    ? { what: `The message of ${way}() shows a row.`, shown }
    : undefined;
}

const blocks: Law<CheckedMechanism> = {
  name: "sampleMany() gives blocks of `width` numbers an output, in the law of sample()",
  advice:
    "let sampleMany() return count * width doubles whose rows have the law of one output, padded with NaN",
  check({ mechanism, data, seed, drawn }): LawOutcome {
    if (mechanism.sampleMany === undefined) return { skipped: "there is no sampleMany()" };
    const valid = data[0]!, { width } = mechanism;
    const source = new SeededSource(seed).split("block");
    if (width === undefined || !(Number.isInteger(width) && width > 0)) {
      return { what: "`width` is not a positive whole number.", shown: { width } };
    }
    const block = mechanism.sampleMany(valid, DRAWS, source);
    if (!(block instanceof Float64Array) || block.length !== DRAWS * width) {
      return {
        what: `The block has not ${DRAWS} times ${width} numbers.`,
        shown: { length: block?.length },
      };
    }
    const single = drawn().map((output) => [output].flat());
    for (let column = 0; column < width; column++) {
      const left = single.map((output) => numberOf(output[column]));
      const right = single.map((_, i) => numberOf(block[i * width + column]));
      if (!mayHaveOneLaw(left, right)) {
        return {
          what: `Number ${column + 1} of an output has another law in blocks.`,
          shown: { data: valid, single: left.slice(0, 10), block: right.slice(0, 10) },
        };
      }
    }
    return undefined;
  },
};

/** Returns a number as it is, and what an output lacks beyond all of them. */
export function numberOf(value: unknown): number {
  return value === undefined || value === null || Number.isNaN(value) ? Infinity : Number(value);
}

/** Laws of every mechanism, in the order in which they are checked. */
export const mechanismLaws: readonly Law<CheckedMechanism>[] = [
  claims,
  takesValid,
  outputs,
  keepsData,
  repeats,
  refuses,
  blocks,
  statedLaw,
  loss,
];
