import { type Answer, isNoAnswer, type Transcript } from "./transcript.ts";

/**
 * A function of a transcript. All of them are fixed before an output is seen, or learned from transcripts that nothing is bet on:
 * a bet on one of them is a bet on the transcript.
 */
export interface TranscriptFeature {
  /** Its name in reports; answers are counted from 1, and of an answer of several items these too. */
  readonly name: string;
  /** True of a difference of items. */
  readonly isDifference?: true;
  /** Numbers of the questions that these answer, from 0 on. */
  readonly answers?: readonly number[];
  /** Its value; `undefined` where the transcript has none. */
  of(transcript: Transcript): Answer | undefined;
}

/** Answers that are looked at one by one, and numbers that are compared with each other. */
const MOST_SINGLE = 8, MOST_COMPARED = 6;

/** Digits that a difference of answers keeps: noise that cancels leaves rounding errors. */
function near(x: number): number {
  return Number.isFinite(x) ? Math.round(x * 1e6) / 1e6 : x;
}

function numbersOf({ answers }: Transcript): number[] {
  return answers.filter((answer) => typeof answer === "number");
}

const WHOLE: readonly TranscriptFeature[] = [
  { name: "the last answer", of: ({ answers }) => rounded(answers.at(-1)) },
  {
    name: "the mean of all numbers",
    of: (transcript) => {
      const numbers = numbersOf(transcript);
      return numbers.length === 0
        ? undefined
        : near(numbers.reduce((a, b) => a + b, 0) / numbers.length);
    },
  },
  {
    name: "the median of all numbers",
    of: (transcript) => {
      const numbers = numbersOf(transcript).sort((a, b) => a - b);
      return numbers.length === 0 ? undefined : near(numbers[numbers.length >> 1]!);
    },
  },
  { name: "how many answers are numbers", of: (transcript) => numbersOf(transcript).length },
  {
    name: "how many questions were refused or failed",
    of: ({ answers }) => answers.filter(isNoAnswer).length,
  },
  {
    name: "the first question that was refused or failed",
    of: ({ answers }) => answers.findIndex(isNoAnswer) + 1,
  },
  {
    name: "how many answers are whole numbers",
    of: (transcript) => numbersOf(transcript).filter((x) => Number.isInteger(near(x))).length,
  },
  {
    name: "how many numbers are different",
    of: (transcript) => new Set(numbersOf(transcript).map(near)).size,
  },
  {
    name: "the largest whole number",
    of: (transcript) => extreme(numbersOf(transcript).map(near).filter(Number.isInteger), Math.max),
  },
  { name: "the smallest number", of: (transcript) => extreme(numbersOf(transcript), Math.min) },
  { name: "the largest number", of: (transcript) => extreme(numbersOf(transcript), Math.max) },
  {
    name: "the first answers that are no numbers",
    of: ({ answers }) =>
      answers.slice(0, MOST_SINGLE).map((answer) => typeof answer === "number" ? "number" : answer)
        .join(" | "),
  },
];

function rounded(answer: Answer | undefined): Answer | undefined {
  return typeof answer === "number" ? near(answer) : answer;
}

function extreme(
  numbers: readonly number[],
  of: (...numbers: number[]) => number,
): number | undefined {
  return numbers.length === 0 ? undefined : near(of(...numbers));
}

/** Returns the features that transcripts of one strategy may differ in. */
export function featuresOf(transcripts: readonly Transcript[]): TranscriptFeature[] {
  let length = 0, steps = 0, questions: readonly number[] = [];
  const words = new Set<string>(), numeric = new Set<number>();
  for (const { answers, steps: places, questions: own } of transcripts) {
    if (answers.length > length) [length, questions] = [answers.length, own];
    for (let i = 0; i < answers.length; i++) {
      steps = Math.max(steps, places[i]! + 1);
      const answer = answers[i]!;
      if (typeof answer === "number") {
        if (numeric.size < MOST_COMPARED) numeric.add(i);
      } else if (words.size < 8) words.add(answer);
    }
  }
  const compared = [...numeric].sort((a, b) => a - b);
  const features: TranscriptFeature[] = [];
  const named = (place: number): string => {
    const question = questions[place]!, first = questions.indexOf(question);
    const answer = `answer ${question + 1}`;
    return questions.lastIndexOf(question) === first
      ? answer
      : `item ${place - first + 1} of ${answer}`;
  };
  /** What a feature says that it looks at. */
  const at = (...items: number[]): Pick<TranscriptFeature, "answers"> => ({
    answers: [...new Set(items.map((item) => questions[item]!))],
  });
  for (let i = 0; i < Math.min(length, MOST_SINGLE); i++) {
    features.push({
      name: named(i),
      ...at(i),
      of: ({ answers }) => rounded(answers[i]),
    });
  }
  const texts = [...words];
  if (length > 1) {
    for (const word of texts) {
      features.push({
        name: `how many answers are ${word}`,
        of: ({ answers }) => answers.reduce((n: number, answer) => answer === word ? n + 1 : n, 0),
      });
    }
  }
  if (length > steps && steps > 0 || steps > 2) {
    const inStep = Array.from({ length: steps }, (_, step) => step);
    const quantities: [string, (t: Transcript, step: number) => number | undefined][] = [
      ["the sum of numbers", sumOf],
      ...texts.slice(0, 3).map((word): [string, (t: Transcript, step: number) => number] => [
        `answers ${word}`,
        ({ answers, steps: places }, step) => {
          let n = 0;
          for (let i = 0; i < answers.length; i++) {
            if (places[i] === step && answers[i] === word) n++;
          }
          return n;
        },
      ]),
    ];
    for (const [name, quantity] of quantities) {
      for (const step of inStep) {
        features.push({ name: `${name} in step ${step + 1}`, of: (t) => quantity(t, step) });
        for (const other of inStep.slice(step + 1)) {
          features.push({
            name: `${name} in step ${other + 1} less that in step ${step + 1}`,
            ...(quantity === sumOf ? { isDifference: true } : {}),
            of: (t) => {
              const a = quantity(t, step), b = quantity(t, other);
              return a === undefined || b === undefined ? undefined : near(b - a);
            },
          });
        }
      }
    }
  }
  for (const [rank, i] of compared.entries()) {
    for (const j of compared.slice(rank + 1)) {
      features.push({
        name: `${named(j)} - ${named(i)}`,
        ...at(i, j),
        isDifference: true,
        of: ({ answers }) => {
          const a = answers[i], b = answers[j];
          return typeof a === "number" && typeof b === "number" ? near(b - a) : undefined;
        },
      });
      for (const k of compared) {
        if (k === i || k === j) continue;
        features.push({
          name: `${named(k)} - ${named(i)} - ${named(j)}`,
          ...at(i, j, k),
          isDifference: true,
          of: ({ answers }) => {
            const a = answers[i], b = answers[j], c = answers[k];
            return typeof a === "number" && typeof b === "number" && typeof c === "number"
              ? near(c - a - b)
              : undefined;
          },
        });
      }
    }
  }
  for (const word of texts.slice(0, 3)) {
    for (let j = 0; j < Math.min(length, 4); j++) {
      for (const i of compared.slice(0, 3)) {
        if (i === j) continue;
        features.push({
          name: `${named(i)} where ${named(j)} is ${word}`,
          ...at(i, j),
          of: ({ answers }) => answers[j] === word ? rounded(answers[i]) : undefined,
        });
      }
    }
  }
  if (length > 1) features.push(...WHOLE);
  return features;
}

function sumOf({ answers, steps }: Transcript, step: number): number | undefined {
  let sum = 0, n = 0;
  for (let i = 0; i < answers.length; i++) {
    if (steps[i] === step && typeof answers[i] === "number") {
      sum += answers[i] as number;
      n++;
    }
  }
  return n === 0 ? undefined : near(sum);
}

/** Cells of the values of one step, by which a score is learned. */
const CELLS = 6;

/**
 * Returns a score learned from transcripts of both sides: the sum over answers of the log-odds of their cells, where answers of one step
 * share their cells. It sees a leak that is spread over many answers.
 */
export function learnedScore(
  left: readonly Transcript[],
  right: readonly Transcript[],
): TranscriptFeature | undefined {
  const byStep = new Map<number, { cuts: number[]; odds: Map<string, number> }>();
  const values = new Map<number, number[]>();
  for (const { answers, steps } of [...left, ...right]) {
    for (let i = 0; i < answers.length; i++) {
      let list = values.get(steps[i]!);
      if (list === undefined) values.set(steps[i]!, list = []);
      if (typeof answers[i] === "number") list.push(answers[i] as number);
    }
  }
  for (const [step, list] of values) {
    list.sort((a, b) => a - b);
    const cuts = list.length === 0 ? [] : [
      ...new Set(
        Array.from(
          { length: CELLS - 1 },
          (_, k) => list[Math.floor((k + 1) * list.length / CELLS)]!,
        ),
      ),
    ];
    byStep.set(step, { cuts, odds: new Map() });
  }
  const cellOf = (cuts: readonly number[], answer: Answer): string => {
    if (typeof answer !== "number") return answer;
    let cell = 0;
    while (cell < cuts.length && answer >= cuts[cell]!) cell++;
    return `cell ${cell}`;
  };
  const counts = new Map<string, [number, number]>(), totals = new Map<number, [number, number]>();
  for (const [side, transcripts] of [left, right].entries()) {
    for (const { answers, steps } of transcripts) {
      for (let i = 0; i < answers.length; i++) {
        const step = steps[i]!;
        const key = `${step} ${cellOf(byStep.get(step)!.cuts, answers[i]!)}`;
        let count = counts.get(key);
        if (count === undefined) counts.set(key, count = [0, 0]);
        count[side as 0 | 1]++;
        let total = totals.get(step);
        if (total === undefined) totals.set(step, total = [0, 0]);
        total[side as 0 | 1]++;
      }
    }
  }
  let some = false;
  for (const [key, [a, b]] of counts) {
    const at = key.indexOf(" "), step = Number(key.slice(0, at));
    const [m, n] = totals.get(step)!;
    const odds = Math.log((a + 1) / (m + 2)) - Math.log((b + 1) / (n + 2));
    if (Math.abs(odds) > 0.05) some = true;
    byStep.get(step)!.odds.set(key.slice(at + 1), odds);
  }
  if (!some) return undefined;
  return {
    name: "a learned score of all answers",
    of: ({ answers, steps }) => {
      let score = 0;
      for (let i = 0; i < answers.length; i++) {
        const known = byStep.get(steps[i]!);
        if (known !== undefined) score += known.odds.get(cellOf(known.cuts, answers[i]!)) ?? 0;
      }
      return near(score);
    },
  };
}
