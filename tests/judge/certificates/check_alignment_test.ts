import { createHash } from "node:crypto";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { alignedForms } from "../../../proofs/judge/exact/checks/aligned_forms.ts";
import { brokenForms } from "../../../proofs/judge/exact/checks/broken_forms.ts";
import { approximate, type Claim, gaussian, pure, renyi, zcdp } from "../../../lib/core/mod.ts";
import type { ProgramSource, Real } from "../../../lib/core/mechanism/continuous_draws.ts";
import { addRemoveOne, type Relation, replaceOne } from "../../../lib/core/relations/relation.ts";
import { relationNamed } from "../../../lib/core/relations/relation_named.ts";
import { alignmentCertificate } from "../../../lib/judge/exact/alignment/alignment_certificate.ts";
import { neighbourCases } from "../../../lib/judge/exact/alignment/neighbour_cases.ts";
import { proveAlignment } from "../../../lib/judge/exact/alignment/prove_alignment.ts";
import { rejection, shown } from "../../../lib/judge/certificates/check_alignment.ts";
import { solverAnswers, solvers } from "../../solver_answers.ts";
import { forgeries } from "./forgeries.ts";

const rows = { type: "number", min: 0, max: 4 } as const;
const each = relationNamed("change-each-by-1")!;

const PROGRAM = "the text of the program";
const HASH = createHash("sha256").update(PROGRAM).digest("hex");

type Program = (data: readonly Real[], source: ProgramSource) => unknown;

async function proofOf(
  program: Program,
  { claim, size = 2, relation = each }: {
    readonly claim: (relation: Relation) => Claim;
    readonly size?: number;
    readonly relation?: Relation;
  },
): ReturnType<typeof proveAlignment> {
  return await proveAlignment(
    { name: "it", run: (data, source) => program(data as Real[], source) },
    {
      claim: claim(relation),
      cases: neighbourCases({ rows, size: { min: size, max: size } }, relation)!,
    },
  );
}

const one = (relation: Relation): Claim => pure({ epsilon: 1, relation });
const form = (name: string): Program =>
  alignedForms.find((found) => found.name === name)!.program as Program;
const normal: Program = (data, source) =>
  data.map((x) => source.sum(x, source.gaussian({ deviation: 2 })));
/** Two paths that the output does not tell, and ways that no noise takes. */
const byLoop: Program = (data, source) => {
  const [a, b, c] = data.map((x) => source.sum(x, source.exponential({ scale: 2 }))) as [
    Real,
    Real,
    Real,
  ];
  if (source.less(a, b)) return source.less(b, c) ? source.less(a, c) ? 2 : 0 : 1;
  return source.less(a, c) ? 2 : 0;
};
const clamped: Program = (data, source) =>
  source.sum(...data.map((x) => source.less(x, 2) ? x : 2), source.laplace({ scale: 2 }));

/** Certificates with all that they may hold. */
const genuine: Record<string, string> = {};
for (
  const [name, program, options] of [
    ["index", form("noisy max, Laplace"), { claim: one }],
    ["gumbel", form("noisy max, Gumbel"), { claim: one }],
    ["loop", byLoop, { claim: one, size: 3 }],
    ["above", form("sparse vector 1, cut-off 1"), { claim: one, size: 3 }],
    ["split", clamped, { claim: one, relation: replaceOne }],
    ["together", form("noisy max, Laplace"), {
      // Half of what the same noise costs where answers move apart.
      claim: (relation: Relation) => pure({ epsilon: 0.5, relation }),
      relation: relationNamed("change-together-by-1")!,
    }],
    ["gauss", normal, {
      claim: (relation: Relation) => gaussian({ mu: Math.SQRT1_2 + 1e-15, relation }),
    }],
    ["zcdp", normal, { claim: (relation: Relation) => zcdp({ rho: 0.25, relation }) }],
    ["δ", normal, {
      claim: (relation: Relation) => approximate({ epsilon: 1, delta: 0.2, relation }),
    }],
    ["rényi", normal, { claim: (relation: Relation) => renyi({ order: 4, epsilon: 1, relation }) }],
  ] as [string, Program, Parameters<typeof proofOf>[1]][]
) {
  const { size = 2 } = options;
  genuine[name] = alignmentCertificate(await proofOf(program, options), {
    domain: { rows, size: { min: size, max: size } },
    sha256: HASH,
  });
}

Deno.test("rejection() accepts the certificates of the prover", () => {
  for (const [name, text] of Object.entries(genuine)) {
    assertEquals(rejection(text), undefined, name);
  }
  assert(genuine["loop"]!.includes('"excluded":[['), "a region of several paths");
  assert(genuine["loop"]!.includes('"empty"'), "a way that no noise takes");
  assert(genuine["split"]!.includes('"split"'), "a comparison of data");
  assert(JSON.parse(genuine["δ"]!).claim.kind === "gaussian");
});

/** A certificate without the last class, with no shifts, and with the right paths of two classes in both. */
function* unproved(certificate: Json): Generator<string> {
  const [found] = having(certificate, "classes") as Iterable<{ classes: Json[] }>;
  const { classes } = found!, [first, second] = classes;
  found!.classes = classes.slice(0, -1);
  yield JSON.stringify(certificate);
  found!.classes = classes.map((each) => ({ ...each, shift: {} }));
  yield JSON.stringify(certificate);
  if (second === undefined) return;
  const right = [...first.right, ...second.right];
  found!.classes = [{ ...first, right }, { ...second, right }, ...classes.slice(2)];
  yield JSON.stringify(certificate);
}

Deno.test({
  name: "independent solvers prove what certificates of alignments say, and not a hundredth less",
  ignore: solvers.length === 0,
  fn: async () => {
    for (const [name, text] of Object.entries(genuine)) {
      for (const { solver, answers } of await solverAnswers(text)) {
        assertEquals([...answers], ["unsat"], `${name}, ${solver}`);
      }
      for (const forged of unproved(JSON.parse(text))) {
        for (const { solver, answers } of await solverAnswers(forged)) {
          assert(answers.has("sat"), `${name}, forged, ${solver}`);
        }
      }
      // The certificates at the least number that their proof shows.
      const { kind, epsilon, mu, rho } = JSON.parse(text).claim;
      if (name === "above") continue;
      const less = kind === "pure"
        ? { epsilon: 0.99 * epsilon }
        : kind === "gaussian"
        ? { mu: 0.99 * mu }
        : { rho: 0.99 * rho };
      for (const { solver, answers } of await solverAnswers(text, less)) {
        assertEquals([...answers].sort(), ["sat", "unsat"], `${name} with less, ${solver}`);
      }
    }
  },
});

// deno-lint-ignore no-explicit-any -- whatever a certificate holds.
type Json = any;

/** All objects in a value that have this key. */
function* having(value: Json, key: string): Generator<Json> {
  if (typeof value !== "object" || value === null) return;
  if (Object.hasOwn(value, key)) yield value;
  for (const each of Object.values(value)) yield* having(each, key);
}

/** One more on a fraction. */
function more(text: string): string {
  const [n, d = "1"] = text.split("/");
  return `${BigInt(n!) + BigInt(d)}/${d}`;
}

/** Changes of one place, each of which leaves nothing proved. */
const everywhere: Record<string, (certificate: Json) => Generator<() => void>> = {
  *"a multiplier"(c): Generator<() => void> {
    for (const found of having(c, "mapped")) {
      for (
        const why of [...found.mapped, found.total, ...Object.values(found.supported)] as Json[]
      ) {
        for (const part of why) yield () => part[1] = more(part[1]);
      }
    }
  },
  *"a multiplier below 0"(c): Generator<() => void> {
    for (const found of having(c, "total")) {
      for (const part of found.total) yield () => part[1] = `-${part[1]}`;
    }
  },
  *"a reason less"(c): Generator<() => void> {
    for (const found of having(c, "mapped")) {
      for (const [k, why] of found.mapped.entries()) {
        if (why.length > 0) yield () => found.mapped[k] = [];
      }
      if (found.excluded !== null) {
        for (const part of found.excluded) yield () => part[1] = [];
      }
    }
    for (const found of having(c, "empty")) yield () => found.empty = [];
  },
  *"a shift"(c): Generator<() => void> {
    for (const found of having(c, "shift")) {
      for (const form of Object.values(found.shift) as Json[]) {
        for (const name of Object.keys(form)) yield () => form[name] = more(form[name]);
      }
    }
  },
  *"a draw that does not move"(c): Generator<() => void> {
    for (const found of having(c, "shift")) {
      for (const name of Object.keys(found.shift)) yield () => delete found.shift[name];
    }
  },
  *"a smaller bound"(c): Generator<() => void> {
    for (const { bounds } of having(c, "bounds")) {
      for (const each of Object.values(bounds) as Json[]) yield () => each.bound = {};
    }
  },
  *"a class less"(c): Generator<() => void> {
    for (const found of having(c, "classes")) {
      for (const k of found.classes.keys()) yield () => found.classes.splice(k, 1);
    }
  },
  *"a class twice"(c): Generator<() => void> {
    for (const found of having(c, "classes")) yield () => found.classes.push(found.classes[0]);
  },
  *"noise of less width"(c): Generator<() => void> {
    for (const { noise } of having(c, "noise")) {
      for (const [name, each] of Object.entries(noise) as [string, Json][]) {
        if (![...having(c, "shift")].some(({ shift }) => name in shift)) continue;
        const [n, d = "1"] = each.size.split("/");
        yield () =>
          each.size = each.kind === "gaussian"
            ? `${n}/${2n * BigInt(d)}`
            : `${2n * BigInt(n)}/${d}`;
      }
    }
  },
  *"another output"(c): Generator<() => void> {
    for (const found of having(c, "label")) yield () => found.label = "another";
  },
  *"a way less"(c): Generator<() => void> {
    for (const found of having(c, "ways")) yield () => found.ways.pop();
  },
  *"another value"(c): Generator<() => void> {
    for (const found of having(c, "released")) {
      for (const form of found.released) yield () => form[""] = more(form[""] ?? "0");
    }
  },
  *"a comparison of data with noise"(c): Generator<() => void> {
    for (const found of having(c, "split")) yield () => found.split.n0 = "1";
  },
  *"a premise on noise"(c): Generator<() => void> {
    for (const found of having(c, "premises")) yield () => found.premises.push([{ n0: "1" }, true]);
  },
  *"a claim that is half as large"(c): Generator<() => void> {
    yield () => {
      for (const key of ["epsilon", "mu", "rho"]) if (key in c.claim) c.claim[key] /= 2;
    };
  },
  *"no claim"(c): Generator<() => void> {
    yield () => c.claim.kind = "none";
  },
  *"no cases"(c): Generator<() => void> {
    yield () => c.cases = [];
  },
};

// Mutants of the checker: each of its demands left out.
Deno.test("rejection() rejects certificates that were tampered with, wherever that is", () => {
  const seen = new Map<string, number>();
  for (const [name, text] of Object.entries(genuine)) {
    for (const [what, changes] of Object.entries(everywhere)) {
      const places = [...changes(JSON.parse(text))].length;
      for (let k = 0; k < places; k++) {
        const certificate = JSON.parse(text);
        [...changes(certificate)][k]!();
        assert(
          rejection(JSON.stringify(certificate) + "\n") !== undefined,
          `${what}, place ${k} of ${name}`,
        );
        seen.set(what, (seen.get(what) ?? 0) + 1);
      }
    }
  }
  assertEquals(Object.keys(everywhere).filter((what) => !seen.has(what)), []);
  for (const text of ["", "{}", "[]", '{"dpcheck":"certificate 1"}']) {
    assert(rejection(text) !== undefined, text);
  }
});

// Mutants of the checker: classes that go to one; Gaussian noise with a shift for each class; support that is forgotten.
Deno.test("rejection() rejects what no program can prove", () => {
  const certificate = JSON.parse(genuine["loop"]!);
  for (const { noise } of having(certificate, "noise")) {
    for (const each of Object.values(noise) as Json[]) each.kind = "gaussian";
  }
  assert(rejection(JSON.stringify(certificate) + "\n") !== undefined);
  const toOne = JSON.parse(genuine["index"]!);
  for (const { classes } of having(toOne, "classes")) classes[1] = { ...classes[0], left: [1] };
  assert(rejection(JSON.stringify(toOne) + "\n") !== undefined);
  for (const other of ['"epsilon":1e999', '"epsilon":1,"epsilon":1', '"epsilon":1.0']) {
    assert(rejection(genuine["index"]!.replace('"epsilon":1', other)) !== undefined, other);
  }
});

// A place that is a text named a path and was another one than the number when classes were compared.
Deno.test("rejection() rejects places of two types for one path", () => {
  const forged = JSON.parse(genuine["loop"]!);
  const classes = [...having(forged, "classes")].flatMap((found) => found.classes as Json[]);
  for (const side of ["left", "right"]) {
    for (const each of classes) {
      const kept = each[side];
      each[side] = kept.map(String);
      assert(rejection(JSON.stringify(forged) + "\n") !== undefined, side);
      each[side] = kept;
    }
  }
  assertEquals(rejection(JSON.stringify(forged) + "\n"), undefined);
});

Deno.test("rejection() finds the cases of the domain and the relation again", () => {
  const changes: Record<string, (c: Json) => void> = {
    "a larger domain": (c) => c.domain.rows.max = 5,
    "more rows": (c) => c.domain.size.max++,
    "another relation": (c) => c.claim.relation = "change-each-by-2",
    "the last case less": (c) => c.cases.pop(),
    "the first case less": (c) => c.cases.shift(),
    "a case twice": (c) => c.cases.push(c.cases[0]),
    "a premise more": (c) => c.cases[0].premises.push([{ x0: "1", "": "-1" }, false]),
    "data of another form": (c) => c.cases[0].right = c.cases[0].left,
    "a pair in place of a case": (c) => {
      c.cases[0].left = { value: [0, 0] };
      c.cases[0].right = { value: [1, 1] };
    },
  };
  for (const name of ["index", "split", "above", "together"]) {
    for (const [what, change] of Object.entries(changes)) {
      const certificate = JSON.parse(genuine[name]!);
      change(certificate);
      assert(rejection(JSON.stringify(certificate) + "\n") !== undefined, `${what} of ${name}`);
    }
  }
});

// What the program is called may be another name, a claim may be weaker, or about the cases alone; sums have no order.
// Mutants: cases of a checker without a kind of rows, without a field's range, or with rows that are all of one kind.
Deno.test("rejection() finds the cases of records again, of every kind", async () => {
  const patients = {
    type: "record",
    fields: { ill: { type: "boolean" }, age: { type: "number", min: 0, max: 4 } },
  } as const;
  const domain = { rows: patients, size: { min: 0, max: 2 } };
  for (const relation of [replaceOne, addRemoveOne]) {
    const proof = await proveAlignment(
      {
        name: "it",
        run: (data, source) => {
          const own = data as { readonly ill: boolean; readonly age: Real }[];
          const ages = own.map(({ ill, age }) => ill ? age : 0);
          return source.sum(...ages, source.laplace({ scale: 4 }));
        },
      },
      { claim: one(relation), cases: neighbourCases(domain, relation)! },
    );
    const text = alignmentCertificate(proof, { domain });
    assertEquals(rejection(text), undefined, relation.name);
    const certificate = JSON.parse(text);
    const { cases } = certificate, wider = structuredClone(certificate);
    wider.domain.rows.fields.age.max = 5;
    for (
      const other of [
        { ...certificate, cases: cases.slice(1) },
        { ...certificate, cases: cases.slice(0, -1) },
        wider,
      ]
    ) assertStringIncludes(rejection(`${JSON.stringify(other)}\n`)!, "the cases");
  }
});

Deno.test("rejection() accepts no forgery of one place that says something else", () => {
  let all = 0;
  for (const name of ["index"]) {
    for (const [what, text] of forgeries(JSON.parse(genuine[name]!))) {
      all++;
      if (rejection(text, PROGRAM) !== undefined) continue;
      const isFree = /^\.program\.name|^\.domain = null|swapped$/.test(what);
      const { claim } = JSON.parse(text), { claim: before } = JSON.parse(genuine[name]!);
      const isWeaker = /^\.claim\.(epsilon|mu|rho)/.test(what) &&
        claim.kind === before.kind && claim.relation === before.relation &&
        (claim.epsilon ?? 1) >= 1 && (claim.mu ?? 1) >= Math.SQRT1_2;
      assert(isFree || isWeaker, `${name}: ${what}`);
    }
  }
  assert(all > 1000);
});

Deno.test("shown() says what follows from the paths, for which data and which program", () => {
  assertStringIncludes(
    shown(genuine["index"]!, PROGRAM),
    `${HASH}, with noise and arithmetic of real numbers, then it keeps epsilon = 1 (pure) under change-each-by-1 on all neighbours in {"rows":{"type":"number","min":0,"max":4}`,
  );
  assert(rejection(genuine["index"]!, "another program") !== undefined);
});

Deno.test("alignmentCertificate() writes none for a claim that was not proved, or that takes two kinds of noise", async () => {
  const broken = await proofOf(brokenForms[0]!.program as Program, { claim: one, size: 1 });
  assertThrows(() => alignmentCertificate(broken), RangeError, "must have been proved");
  const both = await proofOf(
    (
      [x],
      source,
    ) => [
      source.sum(x!, source.gaussian({ deviation: 2 })),
      source.sum(x!, source.laplace({ scale: 4 })),
    ],
    { claim: (relation) => approximate({ epsilon: 1, delta: 0.2, relation }), size: 1 },
  );
  assertEquals(both.report.verdict, "holds");
  assertThrows(() => alignmentCertificate(both), RangeError, "all Gaussian or not at all");
});
