import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { pure } from "../../../../lib/core/claims/claim.ts";
import type { Domain } from "../../../../lib/core/relations/dataset.ts";
import { relationNamed } from "../../../../lib/core/relations/relation_named.ts";
import { SeededSource } from "../../../../lib/core/random/seeded_source.ts";
import { NotDerived } from "../../../../lib/judge/certificates/checked_program.ts";
import { rejection } from "../../../../lib/judge/certificates/check_alignment.ts";
import { deriveAgain } from "../../../../lib/judge/certificates/second_tracer.ts";
import { interpretedModule } from "../../../../lib/judge/certificates/interpreted_module.ts";
import { alignmentCertificate } from "../../../../lib/judge/exact/alignment/alignment_certificate.ts";
import { neighbourCases } from "../../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../../lib/judge/exact/alignment/prove_alignment.ts";
import { NotTraceable } from "../../../../lib/judge/exact/alignment/traced_value.ts";
import { followedProgram } from "../../../../lib/judge/exact/followed_program.ts";
import { loadRewritten } from "../../../../lib/judge/source/mod.ts";
import { LONG } from "../../../long.ts";

/** What comes of a program on a domain: the verdict and the ε that is shown, or why it is refused. */
async function proved(
  text: string,
  { domain, relation: name, epsilon = 1 }: {
    readonly domain: Domain;
    readonly relation: string;
    readonly epsilon?: number;
  },
): Promise<
  { readonly verdict: string; readonly epsilon: number; readonly certificate?: string }
> {
  const folder = await Deno.makeTempDir(), file = `${folder}/program.mjs`;
  try {
    await Deno.writeTextFile(file, text);
    const { module } = await loadRewritten(file);
    const run = followedProgram(module.default as (rows: unknown, source: unknown) => unknown);
    const relation = relationNamed(name)!;
    const proof = await proveAlignment({ name: "program", run }, {
      claim: pure({ epsilon, relation }),
      cases: neighbourCases(domain, relation)!,
      test: { written: (await import(`file://${file}`)).default },
    });
    const { verdict, epsilon: least } = proof.report;
    return {
      verdict,
      epsilon: least,
      ...(verdict === "holds" && { certificate: alignmentCertificate(proof, { domain }) }),
    };
  } catch (error) {
    if (error instanceof NotTraceable) return { verdict: error.message, epsilon: Infinity };
    throw error;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A program by chance: the noise is `width` beside what a row, or an answer, adds. */
function programByChance(seed: number): {
  readonly text: string;
  readonly domain: Domain;
  readonly relation: string;
  readonly width: number;
  /** Whether each answer has noise of its own. */
  readonly isAnswers: boolean;
  readonly isVector: boolean;
  /** The value of the query, without noise. */
  readonly query: (rows: readonly unknown[]) => readonly number[];
} {
  const source = new SeededSource(seed);
  const lot = <T>(values: readonly T[]): T => values[Math.floor(values.length * source.uniform())]!;
  const isVector = source.uniform() < .35, isAnswers = !isVector && source.uniform() < .3;
  const names = isVector ? ["x[0]", "x[1]"] : ["x"];
  const number = (): string => String(lot([.5, 1, 2, 3, -1, .1, 4]));
  const term = (depth: number): string => {
    if (depth === 0) return source.uniform() < .8 ? lot(names) : number();
    const a = (): string => term(depth - 1);
    switch (
      lot(["+", "-", "c*", "*", "sq", "**", "f", "f", "f", "max", "min", "clip", "hypot", "/"])
    ) {
      case "+":
        return `(${a()} + ${a()})`;
      case "-":
        return `(${a()} - ${a()})`;
      case "c*":
        return `${number().replace("-1", "-1.5")} * (${a()})`;
      case "*":
        return `(${a()}) * (${a()})`;
      case "sq": {
        const of = a();
        return `(${of}) * (${of})`;
      }
      case "**":
        return `(${a()}) ** ${lot([2, 3, 4, .5])}`;
      case "f":
        return `Math.${
          lot([
            "sqrt",
            "log1p",
            "exp",
            "expm1",
            "log",
            "tanh",
            "abs",
            "floor",
            "round",
            "ceil",
            "sin",
            "cos",
            "trunc",
          ])
        }(${a()})`;
      case "max":
        return `Math.max(${a()}, ${a()})`;
      case "min":
        return `Math.min(${a()}, ${number()})`;
      case "clip":
        return `Math.min(Math.max(${a()}, ${lot([0, -1])}), ${lot([1, 2, 4])})`;
      case "hypot":
        return `Math.hypot(${a()}, ${a()})`;
      default:
        return `${lot(["1", "2", names[0]!])} / (1 + Math.abs(${a()}))`;
    }
  };
  const [least, most, level] = lot([[-.55, .55, 5], [.2, .8, 3], [.5, 1.5, -4]]);
  // Branches leave some data only: what is known of a function must hold of these.
  const levels = source.uniform() < .3
    ? ` + (${names[0]} < ${least} ? 0 : ${names[0]} > ${most} ? ${level} : ${level / 2})`
    : "";
  const body = term(lot([1, 2, 2, 3])) + levels;
  const outer = isAnswers ? "v" : lot([
    "v",
    "v",
    "v",
    "Math.sqrt(Math.abs(v))",
    "Math.tanh(v)",
    "v / rows.length",
    "Math.min(v, 5)",
  ]);
  const width = lot([1, 2, 5, 20, 100]);
  const queryText = isAnswers
    ? `rows.map((x) => ${body})`
    : `[rows.reduce((t, x) => t + ${body}, 0)].map((v) => ${outer})`;
  const relation = isAnswers
    ? lot(["change-one-by-1", "change-each-by-0.5", "replace-one"])
    : lot(["replace-one", "add-remove-one", "replace-one"]);
  const [min, max] = lot([[0, 1], [0, 10], [-1, 1], [-2, 3], [.5, 2], [1, 120]] as const);
  const of = { type: "number", min, max } as const;
  return {
    text:
      `export default (rows, source) => ${queryText}.map((v) => v + source.laplace({ scale: ${width} }));`,
    domain: {
      rows: isVector ? { type: "vector", length: 2, of } : of,
      size: relation === "add-remove-one"
        ? { min: 1, max: 2 }
        : lot([{ min: 1, max: 1 }, { min: 2, max: 2 }]),
    },
    relation,
    width,
    isAnswers,
    isVector,
    query: new Function("rows", `return ${queryText}`) as (
      rows: readonly unknown[],
    ) => readonly number[],
  };
}

/** The largest loss that was found, by pairs of neighbours at ends, near them and at random. */
function lossFound(
  { domain: { rows, size }, relation, width, isVector, query }: ReturnType<typeof programByChance>,
  source: SeededSource,
  pairs: number,
): number {
  const { min, max } = (rows.type === "vector" ? rows.of : rows) as { min: number; max: number };
  const within = (x: number): number => Math.min(max, Math.max(min, x));
  const one = (): number => {
    const u = source.uniform();
    if (u < .25) return min;
    if (u < .5) return max;
    if (u < .6) {
      return within(
        Math.round(min + (max - min) * source.uniform()) + (source.uniform() < .5 ? 0 : -1e-9),
      );
    }
    return min + (max - min) * source.uniform();
  };
  const row = (): unknown => isVector ? [one(), one()] : one();
  let most = 0;
  for (let i = 0; i < pairs; i++) {
    const length = size.min + Math.floor((size.max - size.min + 1) * source.uniform());
    const left = Array.from({ length }, row);
    let right: unknown[];
    if (relation === "add-remove-one") {
      if (length === size.max) continue;
      right = left.toSpliced(Math.floor((length + 1) * source.uniform()), 0, row());
    } else if (relation === "replace-one") {
      right = left.with(Math.floor(length * source.uniform()), row());
    } else {
      const by = Number(relation.split("-").at(-1)), all = relation.startsWith("change-each");
      const moved = (x: unknown): number =>
        within(
          (x as number) +
            by *
              (source.uniform() < .7 ? Math.sign(source.uniform() - .5) : 2 * source.uniform() - 1),
        );
      const place = Math.floor(length * source.uniform());
      right = left.map((x, k) => all || k === place ? moved(x) : x);
    }
    const [a, b] = [query(left), query(right)];
    if (a.length !== b.length) return Infinity;
    most = Math.max(most, a.reduce((sum, value, k) => sum + Math.abs(value - b[k]!), 0) / width);
  }
  return most;
}

const ROWS = { type: "number", min: 0, max: 10 } as const;
const PAIRS = { type: "vector", length: 2, of: { type: "number", min: -1, max: 1 } } as const;

// Mutants: a line that leaves out a corner; the difference of two products taken for that of one; what is put out taken for noise.
Deno.test("functions of rows cost what they change by, and those that are put out without noise do not hold", async () => {
  const query = (text: string): string =>
    `export default (rows, source) => ${text} + source.laplace({ scale: 1 })`;
  for (
    const [text, rows, relation, expected] of [
      [query("rows.reduce((t, x) => t + x ** 2, 0)"), ROWS, "replace-one", 100],
      [query("rows[0] * (10 - rows[0])"), ROWS, "replace-one", 25],
      [query("rows.reduce((t, x) => t + Math.min(x * x, 4), 0)"), ROWS, "replace-one", 4],
      [query("Math.exp(-10 * rows[0])"), ROWS, "replace-one", 1],
      [query("Math.sqrt(rows[0])"), ROWS, "replace-one", Math.sqrt(10)],
      [query("rows[0] * rows[0]"), ROWS, "change-one-by-1", 20],
      [query("Math.floor(rows[0] * 30)"), ROWS, "change-one-by-1", 30],
      [query("rows.reduce((t, [w, x]) => t + w * x, 0)"), PAIRS, "replace-one", 2],
      [query("rows.reduce((t, r) => t + Math.hypot(...r), 0)"), PAIRS, "replace-one", Math.SQRT2],
      [
        "export default ([x], source) => Math.round(Math.min(x, 4) + source.laplace({ scale: 1 }))",
        ROWS,
        "replace-one",
        4,
      ],
      [
        "export default ([x], source) => [Math.log1p(x), source.laplace({ scale: 9 })]",
        ROWS,
        "replace-one",
        undefined,
      ],
      [
        "export default ([x], source) => x * x > 99 ? 1 : source.laplace({ scale: 999 })",
        ROWS,
        "replace-one",
        undefined,
      ],
    ] as const
  ) {
    const domain: Domain = { rows, size: { min: 1, max: 1 } };
    const { verdict, epsilon } = await proved(text, {
      domain,
      relation,
      epsilon: (expected ?? 99) * (1 + 1e-12),
    });
    assertEquals(verdict, expected === undefined ? "not proved" : "holds", text);
    if (expected !== undefined) assertAlmostEquals(epsilon, expected, 1e-12, text);
  }
});

interface LineJson {
  upper: boolean;
  constant: string;
}

// Mutants of check_functions: lines that are compared in no corner; changes whose slopes are not compared.
Deno.test("a certificate with a narrower line or slope of a function is rejected", async () => {
  const text = `export default ([x], source) =>
    Math.exp(x) * x + Math.sqrt(x) + Math.floor(40 * x) + Math.max(x, 1) + source.laplace({ scale: 1 })`;
  const domain: Domain = { rows: { type: "number", min: .5, max: 2 }, size: { min: 1, max: 1 } };
  const { certificate } = await proved(text, { domain, relation: "change-one-by-1", epsilon: 999 });
  assertEquals(rejection(certificate!), undefined);
  /** A tenth more, or less. */
  const moved = (value: string, by: bigint): string => {
    const [n, d = "1"] = value.split("/");
    return `${10n * BigInt(n!) + by * BigInt(d)}/${10n * BigInt(d)}`;
  };
  const changes = (
    functions: readonly {
      lines: LineJson[];
      pairs: { lines: LineJson[]; between: [string, string][] }[];
    }[],
  ): (() => void)[] =>
    functions.flatMap(({ lines, pairs }) => [
      ...[lines, ...pairs.map((each) => each.lines)].flat().map((line) => () => {
        line.constant = moved(line.constant, line.upper ? -1n : 1n);
      }),
      ...pairs.flatMap(({ between }) => between).flatMap((ends) =>
        [0, 1].map((i) => () => ends[i] = moved(ends[i]!, i === 0 ? 1n : -1n))
      ),
    ]);
  const forged = (change: number): string => {
    const copy = JSON.parse(certificate!), { functions, rest } = copy.cases[0].proof;
    changes([...functions, ...rest.functions])[change]!();
    return JSON.stringify(copy) + "\n";
  };
  const { functions, rest } = JSON.parse(certificate!).cases[0].proof;
  const count = changes([...functions, ...rest.functions]).length;
  assert(count > 30, String(count));
  for (let change = 0; change < count; change++) {
    assertMatch(rejection(forged(change))!, /a (line|change) of/, String(change));
  }
});

// Mutant: numbers of two sides of 0 that are 1.2 apart, of which the whole parts are said to differ.
Deno.test("two numbers on two sides of 0 may have the same whole part", async () => {
  const text = `export default ([x], source) => Math.trunc(x) +
    (x < -0.55 ? 0 : x > 0.55 ? 5 : 2.5) + source.laplace({ scale: 2.5 });`;
  const domain = {
    rows: { type: "number", min: -.9, max: .9 },
    size: { min: 1, max: 1 },
  } as const;
  const { epsilon } = await proved(text, { domain, relation: "replace-one", epsilon: 3 });
  assertEquals(epsilon, 2);
});

// Mutants: forms whose sign of 0 is forgotten, by an operation, in a function of noise, and by a method of the source.
Deno.test("no program holds that puts out a 0 whose sign is data, and those hold that put out no such sign", async () => {
  const domain = (min: number, max: number): Domain => ({
    rows: { type: "number", min, max },
    size: { min: 1, max: 1 },
  });
  for (
    const [text, min, max, holds] of [
      ["Math.sign(Math.trunc(x))", -.5, .5, false],
      ["Math.floor(Math.trunc(x))", -.5, .5, false],
      ["Math.log1p(Math.sign(Math.trunc(x)))", -.5, .5, false],
      ["Math.sign(Math.trunc(x)) ** 3", -.5, .5, false],
      ["Math.atan2(Math.sign(Math.trunc(x)), source.laplace({ scale: 1 }))", -.5, .5, false],
      ["Math.round(-x)", -.4, 0, false],
      ["Math.min(0, -x)", -1, 0, false],
      ["Math.min(0, source.multiple(-1, x))", -1, 0, false],
      ["x > 0 ? source.sum(0) : source.multiple(-1, 0)", -1, 1, false],
      ["Math.sign(Math.trunc(x)) + 0", -.5, .5, true],
      // The row may be −0.
      ["Math.floor(x)", 0, .4, false],
      ["Math.floor(x) + 0", 0, .4, true],
      ["Math.min(0, -x) + source.laplace({ scale: 1 })", -1, 1, true],
    ] as const
  ) {
    const program = `export default ([x], source) => ${text}`;
    const { verdict } = await proved(program, {
      domain: domain(min, max),
      relation: "replace-one",
    });
    assertEquals(verdict === "holds", holds, `${text}: ${verdict}`);
  }
});

// Mutant: runs with numbers that go where the proof has no data, and are not compared.
Deno.test("functions that doubles round to the end of their range are refused where the program shows it", async () => {
  for (const condition of ["Math.tanh(20 * x) < 1", "Math.expm1(-50 * x) > -1"]) {
    const { verdict } = await proved(
      `export default ([x], source) => ${condition} ? 1 : 2`,
      {
        domain: { rows: { type: "number", min: 0, max: 1 }, size: { min: 1, max: 1 } },
        relation: "replace-one",
      },
    );
    assertMatch(verdict, /with numbers it puts out something else/, condition);
  }
});

// Mutants of told_by_rounding: each comparison told; the margin left out; the same sum in another order taken for the same.
Deno.test("a comparison that rounding alone decides is refused, and that of the same numbers is not", async () => {
  const verdictOf = async (condition: string): Promise<string> => {
    const { verdict } = await proved(
      `export default ([x, y], source) => ${condition} ? "leak" : x + source.laplace({ scale: 1 })`,
      {
        domain: { rows: { type: "number", min: 0, max: 1 }, size: { min: 2, max: 2 } },
        relation: "replace-one",
      },
    );
    return verdict;
  };
  for (
    const condition of [
      "x + 0.1 - 0.1 > x && x + 0.3 - 0.3 > x && x + 0.7 - 0.7 > x",
      "x / 3 * 3 !== x",
      "x + y + 0.1 > x + (y + 0.1)",
      "x ** 3 > x * x * x",
      "x + 1.05e-16 === x",
      "Math.sign(x + 0.7 - 0.7 - x) > 0",
      "Math.floor(x + 0.7 - 0.7 - x) < 0",
      "Math.abs(x + 0.7 - 0.7 - x)",
      "x * 1e-320 === 0 && x > 0",
      // Which of two equal sums is the larger one is told by rounding alone.
      "Math.min(x + (y + 0.1), x + y + 0.1) < x + (y + 0.1)",
      "source.indexOfLargest([x + (y + 0.1), x + y + 0.1]) === 1",
    ]
  ) {
    assertMatch(await verdictOf(condition), /rounding alone|doubles may lose/, condition);
  }
  for (
    const condition of [
      "x * 2 + y < y + 2 * x",
      "(x + y) - (y + x) > 0",
      "Math.max(0, x + y) + 1 < x + y + 1",
      "x - 0.1 > x + 0.1",
      "[x + y, x + y].sort((a, b) => a - b)[0] > x + y",
      "Math.round(x + 0.2 - x) === 1",
      "Math.min(x + y, y + x) < x + y",
      "source.indexOfLargest([x + y, y + x, x + y + 1]) < 2",
    ]
  ) {
    assertEquals(await verdictOf(condition), "holds", condition);
  }
});

// Mutant: the first row taken for the first function that the program asks for, so that y³ is asked for, which is not finite.
Deno.test("a product of two rows beside the square of one of them asks for no cube", async () => {
  const { verdict } = await proved(
    "export default ([x, y], source) => 1e-220 * (y * y) + 1e-220 * (x * y) + source.laplace({ scale: 3 })",
    {
      domain: { rows: { type: "number", min: 0, max: 1e110 }, size: { min: 2, max: 2 } },
      relation: "replace-one",
    },
  );
  assertEquals(verdict, "not proved");
});

// Mutants of function_of_data: a chord above a concave curve; slopes of one end alone; the turn of an even power left out; a whole number rounded the other way.
Deno.test("no program by chance of functions of data holds below the loss that pairs show", async () => {
  const [from, count] = LONG ? [571_001, 400] : [570_001, 12];
  const seen: Record<string, number> = {};
  for (let seed = from; seed < from + count; seed++) {
    const program = programByChance(seed);
    const { verdict, epsilon, certificate } = await proved(program.text, {
      ...program,
      epsilon: 1e6,
    });
    const kind = verdict.length > 20 ? "refused" : verdict;
    seen[kind] = (seen[kind] ?? 0) + 1;
    if (kind === "refused") continue;
    const found = lossFound(program, new SeededSource(seed).split("pairs"), 4000);
    const shown = `seed ${seed}: ${program.text} ${
      JSON.stringify(program.domain)
    } ${program.relation}: ${epsilon} beside ${found}`;
    assert(epsilon >= found * (1 - 1e-9), shown);
    if (certificate === undefined) continue;
    assertEquals(rejection(certificate), undefined, shown);
    try {
      assert(deriveAgain(certificate, interpretedModule(program.text, "default")) > 0, shown);
    } catch (error) {
      if (!(error instanceof NotDerived)) throw new Error(shown, { cause: error });
      seen.underived = (seen.underived ?? 0) + 1;
    }
  }
  assert((seen.underived ?? 0) <= seen.holds! / 5, JSON.stringify(seen));
  assert(seen.holds! >= count / 3, JSON.stringify(seen));
});
