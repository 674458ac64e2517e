import { Coins } from "../../audit/kernel/order/coins.ts";
import { drawInOrder } from "../../audit/kernel/order/draw_in_order.ts";
import {
  countOf,
  type Outputs,
  outputValues,
  type PairOutputs,
} from "../../audit/kernel/outputs.ts";
import { type Subject, SubjectFailure, Thrown } from "../../audit/kernel/subject.ts";
import { outputProblem } from "../../audit/subjects/output_limits.ts";
import { requireClaim } from "../../../core/claims/claim_brand.ts";
import { sameRow } from "../../../core/relations/relation.ts";
import { seenKey } from "../../exact/enumeration/output_key.ts";
import { SeededSource } from "../../../core/random/seeded_source.ts";
import type { CheckedSubject, OpenedSubject } from "./checked_subject.ts";
import { closes } from "./closes.ts";
import type { Breach, Law, LawOutcome } from "./law.ts";
import { mayHaveOneLaw } from "./same_law.ts";

const SIDES = ["left", "right"] as const;
/** Outputs that are asked for at once. */
const COUNTS = [1, 2, 7];

/** Opens the subject, uses it, and closes it whatever happens. */
export async function using<Result>(
  { open }: CheckedSubject,
  use: (subject: Subject) => Promise<Result>,
): Promise<Result> {
  const subject = await open();
  try {
    return await use(subject);
  } finally {
    await subject.close();
  }
}

function coinsOf({ seed, draws }: CheckedSubject): Coins {
  return Coins.thrown(new SeededSource(seed).split("coins"), draws);
}

const named: Law<OpenedSubject> = {
  name:
    "it has a name, and its claim comes from pure(), approximate(), zcdp(), renyi() or gaussian()",
  advice: "give the subject a name, and a claim made by a constructor or none",
  check({ subject: { name, claim } }): LawOutcome {
    if (typeof name !== "string" || name === "") {
      return { what: "The name is empty, or no text.", shown: { name } };
    }
    try {
      if (claim !== undefined) requireClaim("check a subject", claim);
    } catch (error) {
      return { what: "The claim was not made by a constructor.", shown: { error } };
    }
    return undefined;
  },
};

const counts: Law<OpenedSubject> = {
  name: "draw() gives as many outputs as it is asked for, and leaves the data as they are",
  advice:
    'resolve to { kind: "values", values } of `count` values, or { kind: "block", width, values } of count * width doubles',
  async check({ subject, ...checked }): Promise<LawOutcome> {
    for (const side of SIDES) {
      const data = checked.pair[side], before = structuredClone(data);
      for (const count of COUNTS) {
        const breach = countBreach(await subject.draw(data, count), count);
        if (breach !== undefined) return { ...breach, shown: { data, ...breach.shown } };
      }
      if (!sameRow(before, data)) {
        return { what: "draw() changed the dataset.", shown: { before, after: data } };
      }
    }
    return undefined;
  },
};

function countBreach(outputs: Outputs, count: number): Breach | undefined {
  const isOutputs = outputs?.kind === "block"
    ? outputs.values instanceof Float64Array
    : outputs?.kind === "values" && Array.isArray(outputs.values);
  if (!isOutputs) {
    return {
      what: "The answer is neither a block of doubles nor a list of values.",
      shown: { outputs },
    };
  }
  if (countOf(outputs) !== count) {
    return { what: `${countOf(outputs)} outputs came where ${count} were asked for.` };
  }
  for (const output of outputValues(outputs)) {
    const problem = outputProblem(output);
    if (problem !== undefined) return { what: `An output is ${problem}.` };
  }
  return undefined;
}

const order: Law<OpenedSubject> = {
  name:
    "an order of coins is answered by one output a coin, also when several are asked for at once",
  advice:
    "let drawInOrder() return the outputs of the left coins and of the right ones; count outputs that did not come in `lost`",
  async check({ subject, ...checked }): Promise<LawOutcome> {
    const { left, right } = coinsOf(checked), counts = { left, right };
    const requests = subject.drawsElsewhere ? 2 : 1;
    const answers = await Promise.all(
      Array.from(
        { length: requests },
        () => drawInOrder(subject, checked.pair, coinsOf(checked)),
      ),
    );
    for (const answer of answers) {
      for (const side of SIDES) {
        const came = countOf(answer[side]) + (answer.lost?.[side] ?? 0);
        if (came !== counts[side]) {
          return {
            what: `${came} outputs of the ${side} dataset came for ${counts[side]} coins.`,
          };
        }
      }
    }
    return undefined;
  },
};

const sides: Law<OpenedSubject> = {
  name: "outputs of an order are those of their datasets",
  advice: "draw on the left dataset where the coin is 0, and on the right one where it is 1",
  async check({ subject, ...checked }): Promise<LawOutcome> {
    const ordered = await drawInOrder(subject, checked.pair, coinsOf(checked));
    for (const side of SIDES) {
      const seen = [...outputValues(ordered[side])];
      if (seen.length === 0) continue;
      const alone = [...outputValues(await subject.draw(checked.pair[side], seen.length))];
      if (!mayHaveOneLaw(seen, alone)) {
        return {
          what: `Outputs of the ${side} dataset have another law in an order than alone.`,
          shown: {
            data: checked.pair[side],
            ordered: seen.slice(0, 5),
            alone: alone.slice(0, 5),
          },
        };
      }
    }
    return undefined;
  },
};

const noLookAhead: Law<CheckedSubject> = {
  name: "an output depends on no coin to come",
  advice:
    "compute each output before the next coin is read, and let no program see how many coins of a side there are; " +
    "pass `independent: true` where somebody vouches that outputs are, as for `sampleMany`",
  async check(checked): Promise<LawOutcome> {
    let { independent } = checked;
    const draw = (coins: Coins): Promise<PairOutputs> =>
      using(checked, async (subject) => {
        independent ||= subject.independent === true || subject.recorded !== undefined;
        return await drawInOrder(subject, checked.pair, coins);
      });
    const { order } = coinsOf(checked), half = order.length >> 1;
    // The same coins up to the middle, and the others after it.
    const turned = Coins.of(order.map((coin, i) => i < half ? coin : 1 - coin));
    const keys = keysBySide(await draw(Coins.of(order)));
    if (independent) return { skipped: "outputs are declared independent, or recorded" };
    const same = keysBySide(await draw(Coins.of(order)));
    if (SIDES.some((side) => keys[side].join() !== same[side].join())) {
      return { skipped: "the subject does not repeat itself when it is opened again" };
    }
    const other = keysBySide(await draw(turned));
    for (const [label, side] of SIDES.entries()) {
      const begun = order.subarray(0, half).filter((coin) => coin === label).length;
      const place = keys[side].slice(0, begun).findIndex((key, i) => key !== other[side][i]);
      if (place >= 0) {
        return {
          what: `Output ${place + 1} of the ${side} dataset changes with coins that come after it.`,
          shown: { before: keys[side][place], after: other[side][place] },
        };
      }
    }
    return undefined;
  },
};

function keysBySide(drawn: PairOutputs): Readonly<Record<"left" | "right", string[]>> {
  const [left, right] = SIDES.map((side) => [...outputValues(drawn[side])].map(seenKey));
  return { left: left!, right: right! };
}

const errors: Law<OpenedSubject> = {
  name: "an error of the program is an output",
  advice:
    "catch what the program throws, and give `new Thrown(message)` in its place: errors can leak",
  async check({ subject, ...checked }): Promise<LawOutcome> {
    if (checked.throwsOn.length === 0) {
      return { skipped: "no dataset is given on which the program throws" };
    }
    const [bad] = checked.throwsOn, good = checked.pair.left;
    const alone = [...outputValues(await subject.draw(bad, 3))];
    const { left, right } = await drawInOrder(
      subject,
      { left: bad, right: good },
      Coins.of(Uint8Array.of(0, 1, 0)),
    );
    const thrown = [...alone, ...outputValues(left)], answered = [...outputValues(right)];
    const shown = { data: bad, outputs: thrown };
    if (thrown.length !== 5 || !thrown.every((output) => output instanceof Thrown)) {
      return { what: "An error is no Thrown.", shown };
    }
    return answered.length === 1 && !answered.some((output) => output instanceof Thrown)
      ? undefined
      : {
        what: "An error on one dataset changes the output of the other.",
        shown: { ...shown, answered },
      };
  },
};

const failures: Law<CheckedSubject> = {
  name: "a program that crashes, hangs or speaks nonsense is a SubjectFailure",
  advice: "throw a SubjectFailure whose message says what happened and prints no row",
  async check(checked): Promise<LawOutcome> {
    if (checked.failsOn.length === 0) {
      return { skipped: "no dataset is given on which the program fails" };
    }
    const [data] = checked.failsOn;
    return await using(checked, async (subject) => {
      try {
        const outputs = await subject.draw(data, 1);
        return { what: "An answer came where the program fails.", shown: { data, outputs } };
      } catch (error) {
        return error instanceof SubjectFailure
          ? undefined
          : { what: "The failure is another error.", shown: { data, error } };
      }
    });
  },
};

/** Laws of an open subject, in the order in which they are checked. */
export const lawsOfOpened: readonly Law<OpenedSubject>[] = [named, counts, order, sides, errors];

/** Laws of a subject from when it is opened to when it is closed. */
export const lawsOfOpening: readonly Law<CheckedSubject>[] = [noLookAhead, failures, closes];
