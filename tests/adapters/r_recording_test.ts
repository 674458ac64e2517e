import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { parseBareJson } from "../../lib/core/text/bare_json.ts";
import { withFolder } from "../end_to_end/run_cli.ts";
import { root } from "./served.ts";
import { hasProgram } from "../has_program.ts";

const ignore = !await hasProgram(
  ["Rscript", "-e", "library(jsonlite)"],
  "recordings of programs in R",
);
const adapter = `${root}adapters/r/dpcheck.R`;

/** One run, as an answer has it. */
interface Run {
  readonly reads: readonly {
    readonly kind: string;
    readonly at: string;
    readonly in?: string;
    readonly forms: readonly unknown[];
  }[];
  readonly atoms: readonly { readonly law: string; readonly at: string }[];
  readonly path?: readonly { readonly of: unknown }[];
  readonly apart?: unknown;
  readonly failed?: string;
  readonly notFollowed?: readonly string[];
}

interface Answer {
  readonly outputs: readonly unknown[];
  readonly errors?: Record<string, string>;
  readonly recordings: readonly Run[];
}

/** Answers of an R program to requests, in order. */
async function answersOf(words: readonly string[], requests: readonly object[]): Promise<Answer[]> {
  const program = new Deno.Command("Rscript", {
    args: [...words],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = program.stdin.getWriter();
  const lines = requests.map((request, id) => JSON.stringify({ id, ...request }) + "\n").join("");
  await writer.write(new TextEncoder().encode(lines));
  await writer.close();
  const { stdout } = await program.output();
  const text = new TextDecoder().decode(stdout).trim().split("\n").slice(1);
  return text.map((line) => parseBareJson(line) as unknown as Answer);
}

/** Answers of a program whose function is f. */
async function answersOfText(text: string, requests: readonly object[]): Promise<Answer[]> {
  let answers: Answer[] = [];
  await withFolder(async (folder) => {
    const file = `${folder}/program.R`;
    await Deno.writeTextFile(file, `source("${adapter}")\n${text}\ndpcheck_serve(f)\n`);
    answers = await answersOf([file], requests);
  });
  return answers;
}

const pair = [[1, 2], [1]];
/** Above the seeds that R takes. */
const SEED = 2 ** 32 - 2;
const recorded = (more: object = {}): object => ({
  ...{ record: true, seed: SEED, datasets: pair, order: [0, 1], meet: false, asReads: [] },
  ...more,
});
const seeded = { seed: SEED, datasets: pair, order: [0] };
const plain = { datasets: pair, order: [0, 0] };

/** Equal but for the rounding of sums in another order. */
function isNear(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") {
    return Math.abs(a - b) <= 1e-9 * (1 + Math.abs(a));
  }
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  const [own, other] = [Object.entries(a), Object.entries(b)];
  return own.length === other.length &&
    own.every(([key, value], i) => key === other[i]![0] && isNear(value, other[i]![1]));
}

// Mutants: `[<-` that is not masked, so that a vector takes values without their forms; a method that forgets to recycle; c() that drops what is
// not first; a read that is not forced on replay.
Deno.test({
  name: "a recorded R program puts out what it does with that seed, and the same on replay",
  ignore,
  async fn(): Promise<void> {
    const words = [`${root}tests/adapters/r/expressions.R`, adapter];
    const ask = { datasets: [["names"]], order: [0] };
    const [first] = await answersOf(words, [ask]);
    const names = first!.outputs[0] as string[];
    assert(names.length > 20);
    const requests = names.flatMap((name) => {
      const datasets = pair.map((rows) => [name, ...rows]);
      return [
        { ...seeded, datasets },
        recorded({ datasets }),
        recorded({ datasets, meet: true }),
      ];
    });
    const answers = await answersOf(words, requests);
    names.forEach((name, i) => {
      const [plain, ...both] = answers.slice(3 * i, 3 * i + 3);
      for (const { outputs, errors, recordings } of both) {
        assertEquals([name, errors], [name, undefined]);
        const message = `${name}: ${JSON.stringify(outputs)}, not ${
          JSON.stringify(plain!.outputs)
        }`;
        assert(isNear(outputs[0], plain!.outputs[0]), message);
        assert(recordings[0]!.reads.length > 0, name);
        for (const { failed, notFollowed, apart } of recordings) {
          assertEquals([name, failed, notFollowed, apart], [
            name,
            undefined,
            undefined,
            undefined,
          ]);
        }
        assertEquals([name, outputs[1]], [name, outputs[0]]);
      }
    });
  },
});

Deno.test({
  name:
    "a recorded read of an R program has its form, its line, and the line of a sampler behind it",
  ignore,
  async fn(): Promise<void> {
    const [{ recordings: [run, replay] }] = await answersOfText(
      `noise <- function(scale) {
  scale * (rexp(1) - rexp(1))
}
f <- function(rows) {
  total <- sum(rows)
  3 * (total + noise(2)) + 1
}`,
      [recorded()],
    ) as [Answer & { recordings: [Run, Run] }];
    const terms = [[0, 6], [1, -6]];
    assertEquals(run.reads.map(({ forms }) => forms), [[[10, terms]]]);
    assertEquals(replay.reads.map(({ forms }) => forms), [[[4, terms]]]);
    assertEquals(run.reads.map(({ at, kind }) => [at, kind]), [["program.R:7", "value"]]);
    const atom = { law: "exponential", at: "program.R:3" };
    assertEquals(run.atoms, [atom, atom]);
  },
});

// A sampler of this name that has another law, or other arguments, is followed as it is written. Mutants: a mask by the name alone.
Deno.test({
  name: "a Laplace sampler that an R program defines is followed by the law that it has",
  ignore,
  async fn(): Promise<void> {
    const f = "f <- function(rows) sum(rows) + rlaplace(1, sd = 3)";
    const branches = (scale: string): string =>
      `rlaplace <- function(n, mean = 0, sd = 1) {
  q <- runif(n)
  mean + ${scale} * ifelse(q < 0.5, log(2 * q), -log(2 - 2 * q))
}
${f}`;
    const law = async (text: string): Promise<unknown> => {
      const [answer] = await answersOfText(text, [recorded()]);
      const { reads, atoms } = answer!.recordings[0]!;
      return [atoms.map(({ law }) => law), (reads.at(-1)!.forms[0] as unknown[])[1]];
    };
    const [laws, [[, scale]]] = await law(branches("sd / sqrt(2)")) as [string[], [[0, number]]];
    assertEquals(laws, ["laplace"]);
    assert(Math.abs(scale - 3 / Math.SQRT2) < 1e-12);
    assertNotEquals((await law(branches("sd^2")) as [string[]])[0], ["laplace"]);
    // Of the same mean distance from its location.
    const normal = `rlaplace <- function(n, mean = 0, sd = 1) rnorm(n, mean, 1.25 * sd)\n${f}`;
    assertEquals(await law(normal), [["normal"], [[0, 3.75]]]);
  },
});

// Mutants: a uniform that forgets what an earlier bound showed of it; draws that are not forced.
Deno.test({
  name: "an R program takes the outcomes that its discrete draws are given, and says their chances",
  ignore,
  async fn(): Promise<void> {
    const text = `f <- function(rows) {
  u <- runif(1)
  first <- if (u < 0.2) 1 else if (u < 0.5) 2 else 3
  c(first, sample(c(7, 8), 1), rbinom(1, 2, 0.5), sample(3)[1:2], sample(5, 1, prob = 5:1))
}`;
    const force = [[], [1, 0, 1, 2, 2, 1, 4]];
    const ask = { ...recorded({ order: [0, 0] }), force };
    const [answer] = await answersOfText(text, [ask]);
    assertEquals(answer!.outputs, [[1, 7, 0, 1, 2, 1], [2, 8, 2, 3, 2, 5]]);
    const [, run] = answer!.recordings;
    const chances = [[0.2, 0.8], [0.3, 0.5].map((p) => p / 0.8), 2, [0.25, 0.5, 0.25], 3, 2];
    assert(isNear(run!.path!.map(({ of }) => of).slice(0, 6), chances), JSON.stringify(run!.path));
  },
});

Deno.test({
  name: "noise of compiled code, optimisers and seeds of an R program are said to be not followed",
  ignore,
  async fn(): Promise<void> {
    const reason = async (f: string): Promise<string> => {
      const [answer] = await answersOfText(`f <- function(rows) ${f}`, [recorded()]);
      return String(answer!.recordings[0]!.notFollowed);
    };
    assertMatch(
      await reason("sum(rows) + .Call(stats:::C_rnorm, 1, 0, 1)"),
      /cannot be watched, as in compiled code/,
    );
    assertMatch(
      await reason(
        "{ b <- rnorm(1); optimize(function(x) (x - sum(rows))^2 + b * x, c(-9, 9))$minimum }",
      ),
      /optimize\(\) works with noise, at program.R:2/,
    );
    assertMatch(
      await reason('sum(rows) + as.numeric(sprintf("%.3f", rnorm(1)))'),
      /is read at program.R:2, before anything is added to it/,
    );
    assertMatch(await reason("{ set.seed(1); sum(rows) + rnorm(1) }"), /sets the seed/);
  },
});

// Mutants: a mask that stays in place; the generator left at the seed.
Deno.test({
  name: "after a recorded request an R program draws as it did before",
  ignore,
  async fn(): Promise<void> {
    const text = `helper <- function(x) c(x, 1)
f <- function(rows) {
  c(rnorm(1), identical(stats::rnorm, rnorm), any(grepl("dpcheck", c(deparse(helper), deparse(stats::rnorm), search()))))
}`;
    const [before, again, , after, repeated, , last] = await answersOfText(text, [
      ...[seeded, plain, recorded(), plain, seeded, recorded(), plain],
    ]);
    const [[x, ...masks]] = after!.outputs as [number[], number[]];
    assertEquals(masks, [1, 0]);
    assertEquals(repeated, { ...before, id: 4 } as unknown as Answer);
    const drawn = [again, after, last].flatMap((answer) =>
      answer!.outputs.map((output) => (output as number[])[0])
    );
    assertEquals(new Set(drawn).size, 6, `${x} is drawn again`);
  },
});
