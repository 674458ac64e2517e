import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { declaredCall } from "../../../lib/core/mechanism/declared_call.ts";

type AnyFunction = (...given: never[]) => unknown;

/** A function of JavaScript that evaluates a text. */
function evaluated(text: string): AnyFunction {
  return globalThis.eval(`(${text})`);
}

/** Spellings of a function of a list of parameters and a body. */
const FORMS: readonly ((list: string, body: string) => string)[] = [
  (list, body) => `(${list}) => { ${body} }`,
  (list, body) => `async (${list}) => { ${body} }`,
  (list, body) => `function (${list}) { ${body} }`,
  (list, body) => `function named(${list}) { ${body} }`,
  (list, body) => `async function (${list}) { ${body} }`,
  (list, body) => `function* (${list}) { ${body} }`,
  (list, body) => `async function* /* (a, b = 1) */ (${list}) { ${body} }`,
  (list, body) => `{ method(${list}) { ${body} } }.method`,
  (list, body) => `{ async(${list}) { ${body} } }.async`,
  (list, body) => `{ async *get(${list}) { ${body} } }.get`,
  (list, body) => `{ "a(b, c"(${list}) { ${body} } }["a(b, c"]`,
  (list, body) => `{ [["x", "("].join(")")](${list}) { ${body} } }["x)("]`,
  (list, body) => `class { static of(${list}) { ${body} } }.of`,
  (list, body) => `class { static async *of(${list}) { ${body} } }.of`,
  (list, body) => `new (class { of(${list}) { ${body} } })().of`,
];

/** First parameters, whose text could be taken for the end of the list or for a default of the second one. */
const FIRST = [
  "rows",
  "rows /* , source = 1 */",
  "{ rows }",
  "[first, ...others]",
  '{ rows = "," }',
  'rows = [")", "("]',
  "rows = `a,${[1, `)`].length}`",
  "rows = /[,)]=\\(/",
  "rows = (a, b = 2) => a / b / 2",
  "rows = { a: [1, 2], b: (1, 2) } // , (\n",
];

/** Second parameters, and what follows of them. */
const SECOND: readonly { text: string; body: string; expected: "data" | "source" | "refused" }[] = [
  { text: "", body: "return 1;", expected: "data" },
  ...["0", '"a, b"', "{ scale: 1 }", "[1, 2]", "(a, b) => a", "undefined", "Math.random", "/,/"]
    .map(
      (value) => ({
        text: `threshold = ${value}`,
        body: "return threshold;",
        expected: "data" as const,
      }),
    ),
  { text: "source = null", body: "return source;", expected: "data" },
  { text: "{ scale } = {}", body: "return scale;", expected: "data" },
  { text: "{ scale = 1, of: [a = 2] = [] } = {}", body: "return scale;", expected: "data" },
  ...["source", "rng", "random", "_", "_unused", "generator", "theSource", "src"].map((name) => ({
    text: name,
    body: `return of(${name});`,
    expected: "source" as const,
  })),
  { text: "x", body: "return x.uniform();", expected: "source" },
  { text: "$x", body: "const y = $x\n  ?.laplace({ scale: 1 }); return y;", expected: "source" },
  { text: "threshold", body: "return threshold.uniform();", expected: "source" },
  { text: "threshold", body: "return 1; // threshold\n", expected: "source" },
  { text: "s", body: "return noisy(sum([1], 2), s);", expected: "source" },
  { text: "{ uniform, laplace: noise }", body: "return uniform() + noise;", expected: "source" },
  { text: "{ uniform, scale }", body: "return uniform() * scale;", expected: "refused" },
  { text: "{ uniform = 1 }", body: "return uniform;", expected: "refused" },
  { text: "{ ...options }", body: "return options;", expected: "refused" },
  { text: "[a]", body: "return a;", expected: "refused" },
  ...["threshold", "epsilon", "scale", "options", "k", "t"].flatMap((name) => [
    { text: name, body: `return 3 >= ${name};`, expected: "refused" as const },
    { text: name, body: `const { size = 1 } = ${name};`, expected: "refused" as const },
    { text: name, body: `return { ...defaults, ...${name} };`, expected: "refused" as const },
    { text: name, body: `if (${name}) return 1;`, expected: "refused" as const },
    { text: name, body: `return Object.assign({}, ${name});`, expected: "refused" as const },
    { text: name, body: `return \`\${${name}}\`;`, expected: "refused" as const },
    { text: name, body: `return ${name}.scale;`, expected: "refused" as const },
  ]),
  { text: "...rest", body: "return rest[0];", expected: "refused" },
  { text: "...[a, b]", body: "return a;", expected: "refused" },
];

// Mutants: a comment, a text, a regular expression or a template that is read as code; a default inside of a pattern or of another
// parameter taken for one; the place of the list after a computed name; names that are not looked at.
Deno.test("declaredCall() hands a source to a function whose second parameter has no default, however it is spelled", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FORMS),
      fc.constantFrom(...FIRST),
      fc.constantFrom(...SECOND),
      fc.constantFrom("", ", third", ", third = 1", ",", ", ...more"),
      (form, first, { text, body, expected }, more) => {
        const isRest = text.startsWith("...");
        const list = text === ""
          ? `${first}${more === "," ? "," : ""}`
          : `${first}, ${text}${isRest ? "" : more}`;
        const run = evaluated(form(list, body));
        if (expected === "refused") {
          assertThrows(
            () => declaredCall(run),
            TypeError,
            "whether it takes a source must be clear",
          );
          return;
        }
        const { calledWith } = declaredCall(run);
        assertEquals(calledWith, expected === "data" ? "data" : "data and source", String(run));
      },
    ),
    { seed: 54, numRuns: 3000 },
  );
});

Deno.test("declaredCall() hands nothing to a function that keeps a default, and the source to one that declares it", () => {
  const source = { uniform: () => 0.5 } as never;
  const seen = (...given: unknown[]): unknown => given.length;
  const { run: alone } = declaredCall((data: unknown, threshold = 7) =>
    seen(data, threshold) === 2 && threshold
  );
  assertEquals(alone([1], source), 7);
  const { run: both } = declaredCall((data: unknown, source: unknown) => [data, source]);
  assertEquals(both([1], source), [[1], source]);
  // Only once: what was declared stays so.
  assertEquals(declaredCall(alone), { run: alone, calledWith: "data" });
});

Deno.test("declaredCall() refuses what cannot be seen, and says how to wrap it", () => {
  const noisy = (data: unknown, source: unknown): unknown => [data, source];
  const transpiled = evaluated(
    "function (data) { var t = arguments.length > 1 && arguments[1] !== undefined ? arguments[1] : 0; return t; }",
  );
  const overwritten = Object.defineProperty((data: unknown) => data, "length", { value: 2 });
  for (
    const run of [
      noisy.bind(null),
      noisy.bind(null, 1),
      new Proxy(noisy, {}),
      Math.max,
      transpiled,
      evaluated("function () { return inner.apply(this, arguments); }"),
      evaluated("(...given) => given"),
      evaluated("class { constructor(data, source) {} }"),
      overwritten,
    ]
  ) {
    assertThrows(
      () => declaredCall(run as AnyFunction),
      TypeError,
      "wrap it, as in (data, source) =>",
    );
  }
  // `arguments` of an arrow function are not its own, and those of a comment or a text are none.
  for (
    const text of [
      "(data) => data",
      "data => data",
      "async data => data",
      "function (data) { return 'arguments'; /* arguments */ }",
    ]
  ) {
    assertEquals(declaredCall(evaluated(text)).calledWith, "data");
  }
});
