import type { Source } from "../../core/mechanism/source.ts";
import { pick, pickIndex } from "../audit/search/row_values.ts";
import { type QuestionKinds, withinArgument } from "./question_kinds.ts";
import { type AskStep, type Strategy, withArguments } from "./strategy.ts";

/** Ingredients of strategies. */
export interface StrategyParts {
  readonly kinds: QuestionKinds;
  /** The rows of the pair, those in which its sides differ first. */
  readonly rows: readonly unknown[];
  /** Numbers of rows that one side has and the other has not. */
  readonly differing: readonly number[];
  readonly source: Source;
  readonly maySessions: boolean;
  readonly mayRestart: boolean;
}

/** Distances between questions that may be taken for one. */
const DISTANCES = [0.5, 0.1, 0.01, 1, 10];

/** A strategy of a kind that is known to break services; `undefined` where its kind does not apply. */
type Usual = (parts: StrategyParts) => Strategy | undefined;

function ask({ kinds, source, rows }: StrategyParts, kind?: string): AskStep {
  return { do: "ask", session: 0, question: kinds.randomQuestion(source, rows, kind), times: 1 };
}

/** One question, once or often. */
const often: Usual = (parts) => [{ ...ask(parts), times: pick(parts.source, [1, 3, 5, 20, 40]) }];

/** Questions until the budget is spent, then another one. */
const beyond: Usual = (parts) => [
  { ...ask(parts), times: pick(parts.source, [1, 2, 5, 20]) },
  ask(parts),
];

/** Two questions on both sides of a row that differs, so close that they may be taken for one. */
const collision: Usual = (parts) => {
  const { kinds, source, differing } = parts;
  if (differing.length === 0) return undefined;
  const step = ask(parts), { kind } = step.question;
  const name = kinds.numericNames(kind)[0];
  if (name === undefined) return undefined;
  const spec = kinds.argument(kind, name)!, number = pick(source, differing);
  const distance = pick(source, DISTANCES);
  return [number - distance, number + distance].map((value) =>
    withArguments(step, { [name]: withinArgument(spec, value) })
  );
};

/** Two questions around the row of one side and the row of the other, each asked often. */
const comparison: Usual = (parts) => {
  const { kinds, source, differing } = parts;
  if (differing.length < 2) return undefined;
  const step = ask(parts), { kind } = step.question, names = kinds.numericNames(kind);
  if (names.length === 0) return undefined;
  const distance = pick(source, DISTANCES), times = pick(source, [1, 4, 20, 30]);
  const around = (number: number): AskStep => ({
    ...withArguments(
      step,
      Object.fromEntries(names.flatMap((name, i) => {
        const spec = kinds.argument(kind, name)! as { min: number; max: number; type: string };
        if (spec.type === "integer" && spec.max - spec.min <= 20) return [];
        return [[
          name,
          withinArgument(spec as never, number + (i % 2 === 0 ? -distance : distance)),
        ]];
      })),
    ),
    times,
  });
  return [around(differing[0]!), around(differing.at(-1)!)];
};

/** Whole numbers in turn: sums of what they are made of cancel. */
const sweep: Usual = (parts) => {
  const { kinds, source } = parts, step = ask(parts), { kind } = step.question;
  const name = kinds.numericNames(kind).find((each) =>
    kinds.argument(kind, each)!.type === "integer"
  );
  if (name === undefined) return undefined;
  const spec = kinds.argument(kind, name) as { min: number; max: number };
  const first = spec.min + pickIndex(source, Math.max(1, spec.max - spec.min - 1));
  return [0, 1, 2].map((more) => withArguments(step, { [name]: Math.min(spec.max, first + more) }));
};

/** Two sessions that are open before either has asked much. */
const sessions: Usual = (parts) => {
  if (!parts.maySessions) return undefined;
  const step = ask(parts), times = pick(parts.source, [1, 2, 5]);
  return [{ ...step, session: 1 }, { ...step, times }, { ...step, session: 1, times }];
};

/** A question, a restart, and the question again, or another one. */
const restarts: Usual = (parts) => {
  if (!parts.mayRestart) return undefined;
  const step = { ...ask(parts), times: pick(parts.source, [1, 2, 5]) };
  const other = parts.source.uniform() < 0.5 ? step : ask(parts);
  return [step, { do: "restart" }, other, { do: "restart" }, step];
};

/** Questions in turn, for several rounds: a question and what takes it back, or makes time pass; or more of them than a service keeps. */
const turns: Usual = (parts) => {
  const { kinds, source } = parts, times = pick(source, [1, 1, 3, 5, 20]);
  const first = ask(parts);
  const others = kinds.names.filter((kind) => kind !== first.question.kind);
  const round = others.length > 0 && source.uniform() < 0.7
    ? [first, { ...ask(parts, pick(source, others)), times }]
    : [first, ...Array.from({ length: pick(source, [2, 4]) }, () => ask(parts))];
  return Array.from({ length: 4 }, () => round).flat();
};

/** A question with an argument from the answer before. */
const adaptive: Usual = (parts) => {
  const first = ask(parts), second = ask(parts);
  const names = parts.kinds.numericNames(second.question.kind);
  if (names.length === 0) return undefined;
  return [first, { ...second, fromAnswers: { [pick(parts.source, names)]: 0 } }];
};

/** One question in all its spellings. */
const spellings: Usual = (parts) => {
  const step = ask(parts), { kind } = step.question;
  const others = parts.kinds.argumentNames(kind).flatMap((name) =>
    parts.kinds.spellings(kind, name, step.question[name]).map((value) =>
      withArguments(step, { [name]: value })
    )
  );
  return others.length === 0 ? undefined : [step, ...others];
};

/** Questions at once. */
const atOnce: Usual = (
  parts,
) => [{ ...ask(parts), times: pick(parts.source, [2, 4]), atOnce: [0, 1, 0, 1] }];

const USUAL: readonly Usual[] = [
  often,
  beyond,
  collision,
  comparison,
  sweep,
  sessions,
  restarts,
  turns,
  adaptive,
  spellings,
  atOnce,
];

/** Returns a strategy of a kind that is known to break services; `undefined` where a few attempts make none. */
export function usualStrategy(parts: StrategyParts): Strategy | undefined {
  for (let attempt = 0; attempt < 4; attempt++) {
    const strategy = pick(parts.source, USUAL)(parts);
    if (strategy !== undefined) return strategy;
  }
  return undefined;
}
