import type { Claimed } from "./worker_messages.ts";

/** A function to try. */
export interface Example extends Claimed {
  readonly title: string;
}

const bits = false, delta = 0;
const yesOrNo = {
  rows: { type: "boolean" },
  size: { min: 1, max: 1 },
  relation: "replace-one",
  bits,
  delta,
} as const;
const answers = {
  rows: { type: "number", min: 0, max: 10 },
  size: { min: 1, max: 5 },
  relation: "change-each-by-1",
  bits,
  delta,
} as const;
const counted = {
  rows: { type: "boolean" },
  size: { min: 0, max: 4 },
  relation: "add-remove-one",
  bits,
  delta,
} as const;
const LAPLACE = `const laplace = (scale) =>
  scale * (Math.log(1 - Math.random()) - Math.log(1 - Math.random()));
`;

/** First examples of the playground, from simple to strange. */
export const EXAMPLES: readonly Example[] = [
  {
    ...yesOrNo,
    title: "Randomised response",
    epsilon: 1,
    code: `// Says the truth with probability e/(1 + e), which is all that ε = 1 allows.
function answer([truth], source) {
  return source.choice({ exponents: [0, 1] }) === 0 ? truth : !truth;
}`,
  },
  {
    ...yesOrNo,
    title: "Randomised response, claimed too well",
    epsilon: 0.6932,
    code: `// Claims ln 2 = 0.693… where ln 3 is true: decide it exactly, too.
function answer([truth], source) {
  return source.bernoulli({ probability: 0.75 }) ? truth : !truth;
}`,
  },
  {
    ...counted,
    title: "A count with Laplace noise",
    epsilon: 1,
    code: `${LAPLACE}
function mechanism(rows) {
  return rows.filter(Boolean).length + laplace(1);
}`,
  },
  {
    ...counted,
    title: "A count that is exact for no rows",
    epsilon: 1,
    code: `${LAPLACE}
function mechanism(rows) {
  if (rows.length === 0) return 0; // "Nothing to protect."
  return rows.filter(Boolean).length + laplace(1);
}`,
  },
  {
    ...counted,
    title: "Spending, with the noise of a smaller bound",
    epsilon: 1,
    rows: { type: "number", min: 0, max: 70 },
    code: `${LAPLACE}
// Customers were thought to spend 10 at most.
function mechanism(rows) {
  return rows.reduce((sum, row) => sum + row, 0) + laplace(10);
}`,
  },
  {
    ...counted,
    title: "A mean whose noise tells the number of rows",
    epsilon: 1,
    rows: { type: "number", min: 0, max: 1 },
    code: `${LAPLACE}
function mechanism(rows) {
  const n = Math.max(1, rows.length);
  return rows.reduce((sum, row) => sum + row, 0) / n + laplace(1 / n);
}`,
  },
  {
    ...answers,
    title: "Noisy max",
    epsilon: 1,
    code: `// Rows are the answers to queries of sensitivity 1; the place of the largest is put out.
function noisyMax(answers, source) {
  const noisy = answers.map((answer) => source.sum(answer, source.laplace({ scale: 2 })));
  return source.indexOfLargest(noisy);
}`,
  },
  {
    ...answers,
    title: "Noisy max that puts out the value",
    epsilon: 1,
    code: `${LAPLACE}
// The place costs all of ε. The value costs as much again, and more.
function mechanism(answers) {
  return Math.max(...answers.map((answer) => answer + laplace(2)));
}`,
  },
  {
    ...answers,
    title: "Sparse vector",
    epsilon: 1,
    code: `${LAPLACE}
// Dwork, Roth 2014, Algorithm 1: which answer is the first above 5?
function mechanism(answers) {
  const threshold = 5 + laplace(2);
  return answers.findIndex((answer) => answer + laplace(4) >= threshold);
}`,
  },
  {
    ...answers,
    title: "Sparse vector, broken",
    epsilon: 1,
    code: `${LAPLACE}
// Stoddard, Chen, Machanavajjhala 2014: noise for the threshold alone, and as many answers as you like.
function mechanism(answers) {
  const threshold = 5 + laplace(2);
  return answers.map((answer) => answer >= threshold);
}`,
  },
  {
    ...answers,
    title: "Gaussian noise",
    epsilon: 1,
    delta: 1e-2,
    size: { min: 1, max: 1 },
    code: `// A deviation of 1 is far too little for (1, 0.01).
function mechanism([answer], source) {
  return source.sum(answer, source.gaussian({ deviation: 1 }));
}`,
  },
  {
    ...answers,
    title: "Laplace noise in floating point",
    epsilon: 1,
    size: { min: 1, max: 1 },
    bits: true,
    code: `${LAPLACE}
// Mironov 2012: the noise is right, and the last bits of the sum tell the answer all the same.
function mechanism([answer]) {
  return answer + laplace(1);
}`,
  },
  {
    ...counted,
    title: "In Python: a mean whose noise tells the number of rows",
    language: "python",
    epsilon: 1,
    rows: { type: "number", min: 0, max: 1 },
    code: `import random

def laplace(scale):
    return scale * (random.expovariate(1) - random.expovariate(1))

def mechanism(rows):
    n = max(1, len(rows))
    return sum(rows) / n + laplace(1 / n)
`,
  },
];
