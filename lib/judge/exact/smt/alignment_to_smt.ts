import { rational } from "../../../core/numeric/rational.ts";
import { degreeOf } from "../alignment/function_of_data.ts";
import { askedIn, comment, fractionOf, smtAnd, smtNumber, smtOr, smtSum } from "./smt_text.ts";

/** Coefficients by variable, the constant under "", as a certificate writes them. */
type Form = Readonly<Record<string, string>>;

type Tree =
  | { readonly empty: unknown }
  | { readonly label: string; readonly released: readonly Form[] }
  | { readonly forms: readonly Form[]; readonly ways: readonly Tree[] };

interface Line {
  readonly upper: boolean;
  readonly slopes: readonly string[];
  readonly constant: string;
}

/** A function of data, and the lines that it is between. */
interface DataFunction {
  readonly name: string;
  readonly op: string;
  readonly args: readonly Form[];
  readonly ranges: readonly { readonly low: string; readonly high: string }[];
  readonly lines: readonly Line[];
  readonly pairs: readonly {
    readonly other: string;
    readonly lines: readonly Line[];
  }[];
}

interface AlignedClass {
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly shift: Readonly<Record<string, Form>>;
}

type Proof =
  | { readonly empty: unknown }
  | { readonly split: Form; readonly above: Proof; readonly other: Proof }
  | { readonly functions: readonly DataFunction[]; readonly rest: Proof }
  | { readonly left: Tree; readonly right: Tree; readonly classes: readonly AlignedClass[] };

interface Law {
  readonly kind: "laplace" | "exponential" | "gumbel" | "gaussian";
  readonly size: string;
}

interface Case {
  readonly premises: readonly (readonly [Form, boolean])[];
  readonly noise: Readonly<Record<string, Law>>;
  readonly proof: Proof;
}

/** A certificate of alignments, as far as it is read here: multipliers are not. */
export interface AlignmentCertificateJson {
  readonly program: { readonly name: string };
  readonly claim: {
    readonly kind: "pure" | "approximate" | "gaussian" | "zcdp";
    readonly epsilon?: number;
    readonly mu?: number;
    readonly rho?: number;
    readonly relation: string;
  };
  readonly cases: readonly Case[];
}

/** A path of a program: its comparisons, each first form above the second, and its output. */
interface Path {
  readonly comparisons: readonly (readonly [larger: Form, smaller: Form])[];
  readonly label: string;
  readonly released: readonly Form[];
}

/** Conditions on the data of one case, and its draws. */
interface Context {
  readonly noise: Case["noise"];
  readonly known: readonly string[];
  readonly functions: readonly DataFunction[];
  readonly allowed: Allowed;
}

/** How a claim bounds what shifts of noise cost. */
interface Allowed {
  readonly kind: AlignmentCertificateJson["claim"]["kind"];
  /** The name of the constant that holds ε, μ or ρ. */
  readonly name: string;
}

/**
 * Returns the proof of a certificate of alignments as questions in SMT-LIB 2 (Barrett, Fontaine, Tinelli 2017), each of which a solver must answer with
 * `unsat`. On all data of each case: the left paths of the classes cover all noise; no two right paths of classes overlap; on each left
 * path of a class the shifted noise takes a right path of that class to the same output, stays within the noise's support, and costs
 * at most what the claim allows. Of a function of data it asks whether its lines hold, where arithmetic defines it. The multipliers of the certificate are not used: a solver finds its own.
 *
 * That the cases are all neighbours of the domain is checked by `lib/judge/certificates/check_alignment.ts`, and that the paths are those of the program by
 * `dpcheck check`. That the claim follows from these statements is proved in docs/alignment.md.
 */
export function alignmentToSmt({ program, claim, cases }: AlignmentCertificateJson): string {
  const [name, value] = claim.kind === "gaussian"
    ? ["mu", claim.mu!] as const
    : claim.kind === "zcdp"
    ? ["rho", claim.rho!] as const
    : ["epsilon", claim.epsilon!] as const;
  const allowed: Allowed = { kind: claim.kind, name };
  const squares = claim.kind === "gaussian" || claim.kind === "zcdp" ||
    cases.some(({ proof }) => hasFunctions(proof));
  const lines = [
    comment(`${program.name}: ${claim.kind}, ${name} = ${value}, ${claim.relation}`),
    comment("Every (check-sat) must answer unsat."),
    `(set-logic ${squares ? "QF_NRA" : "QF_LRA"})`,
    `(define-fun ${name} () Real ${smtNumber(rational(value))})`,
  ];
  for (const [place, each] of cases.entries()) {
    lines.push("(push 1)", comment(`case ${place}`));
    for (const variable of variablesOf(each)) lines.push(`(declare-const ${variable} Real)`);
    const known = [
      ...each.premises.map(([form, strict]) => `(${strict ? ">" : ">="} ${term(form)} 0.0)`),
    ];
    lines.push(
      ...questionsOf(each.proof, { noise: each.noise, known, functions: [], allowed }),
      "(pop 1)",
    );
  }
  return `${lines.join("\n")}\n`;
}

function hasFunctions(proof: Proof): boolean {
  return "functions" in proof ||
    "split" in proof && (hasFunctions(proof.above) || hasFunctions(proof.other));
}

function questionsOf(proof: Proof, context: Context): string[] {
  const { known } = context;
  if ("empty" in proof) {
    return askedIn({ about: "no data are here", asserts: known });
  }
  if ("split" in proof) {
    const form = term(proof.split);
    return [
      ...questionsOf(proof.above, { ...context, known: [...known, `(> ${form} 0.0)`] }),
      ...questionsOf(proof.other, { ...context, known: [...known, `(<= ${form} 0.0)`] }),
    ];
  }
  if ("rest" in proof) {
    const lines: string[] = [], functions = [...context.functions], more = [...known];
    for (const each of proof.functions) {
      const { asked, premises } = boundsOf(each, more, functions);
      lines.push(...asked);
      more.push(...premises);
      functions.push(each);
    }
    return [...lines, ...questionsOf(proof.rest, { ...context, known: more, functions })];
  }
  const { noise } = context;
  const left = pathsOf(proof.left), right = pathsOf(proof.right);
  const support = Object.entries(noise).filter(([, { kind }]) => kind === "exponential")
    .map(([name]) => `(> ${name} 0.0)`);
  const base = [...known, ...support], lines: string[] = [];
  const ask = (about: string, asserts: readonly string[]): void => {
    lines.push(...askedIn({ about, asserts: [...base, ...asserts] }));
  };
  ask("the left paths of the classes are all noise, but for equal values", [
    `(not ${
      smtOr(proof.classes.flatMap((each) => each.left.map((at) => closed(left[at]!, term))))
    })`,
  ]);
  proof.classes.forEach((one, i) =>
    proof.classes.slice(i + 1).forEach((other, j) => {
      for (const a of one.right) {
        for (const b of other.right) {
          ask(`right path ${a} of class ${i} and right path ${b} of class ${i + 1 + j} are apart`, [
            open(right[a]!),
            open(right[b]!),
          ]);
        }
      }
    })
  );
  proof.classes.forEach((each, i) => {
    for (const at of each.left) {
      const path = left[at]!;
      ask(`class ${i}, left path ${at}: the shifted noise gives the same output`, [
        open(path),
        `(not ${smtOr(each.right.map((to) => sameOutput(path, right[to]!, each.shift)))})`,
      ]);
      const allowedShift = smtAnd(staysIn(each.shift, noise));
      if (allowedShift !== "true") {
        ask(`class ${i}, left path ${at}: shifted noise is noise`, [
          open(path),
          `(not ${allowedShift})`,
        ]);
      }
    }
    for (const { about, assert } of costsMore(each.shift, context)) {
      ask(`class ${i}: ${about}`, [assert]);
    }
  });
  const gaussian = proof.classes.map(({ shift }) =>
    Object.entries(shift).filter(([name]) => noise[name]!.kind === "gaussian")
  );
  gaussian.slice(1).forEach((shift, i) => {
    ask(`classes 0 and ${i + 1} move Gaussian noise alike`, [
      `(not ${equalShifts(gaussian[0]!, shift)})`,
    ]);
  });
  return lines;
}

/** Returns what defines the value of a function of data in arithmetic; `undefined` where that does not. */
function definition({ name, op, args }: DataFunction): string | undefined {
  const [first, second] = args.map(term), degree = degreeOf(op);
  if (degree !== undefined) {
    return `(= ${name} (* ${Array.from({ length: degree }, () => first).join(" ")}))`;
  }
  const chosen = (than: string): string =>
    args.map(term).reduce((one, other) => `(ite (${than} ${one} ${other}) ${one} ${other})`);
  switch (op) {
    case "product":
      return `(= ${name} (* ${first} ${second}))`;
    case "reciprocal":
      return `(= (* ${name} ${first}) 1.0)`;
    case "sqrt":
      return `(and (>= ${name} 0.0) (= (* ${name} ${name}) ${first}))`;
    case "abs":
      return `(= ${name} (ite (>= ${first} 0.0) ${first} (- ${first})))`;
    case "max":
    case "min":
      return `(= ${name} ${chosen(op === "max" ? ">=" : "<=")})`;
  }
  return undefined;
}

/** Returns the lines of a function of data as premises, and as questions where its definition says them: whether they fail anywhere where its arguments are in their ranges. */
function boundsOf(
  each: DataFunction,
  known: readonly string[],
  others: readonly DataFunction[],
): { readonly asked: string[]; readonly premises: string[] } {
  const { name, op, args, ranges, lines, pairs } = each;
  const said = ({ upper, slopes, constant }: Line, of: readonly string[], value: string): string =>
    `(${upper ? "<=" : ">="} ${value} ${
      smtSum([number(constant), ...slopes.map((slope, i) => `(* ${number(slope)} ${of[i]})`)])
    })`;
  const own = args.map(term), value = definition(each);
  const inRange = ranges.flatMap(({ low, high }, i) => [
    `(>= ${own[i]} ${number(low)})`,
    `(<= ${own[i]} ${number(high)})`,
  ]);
  const about = lines.map((line) => said(line, own, name));
  const changes = pairs.flatMap(({ other, lines: of }) => {
    const than = others.find((one) => one.name === other)!;
    return of.map((line) =>
      said(line, than.args.map((arg, i) => `(- ${own[i]} ${term(arg)})`), `(- ${name} ${other})`)
    );
  });
  const asked = inRange.flatMap((each) =>
    askedIn({
      about: `${name}: an argument of ${op} is in its range`,
      asserts: [...known, `(not ${each})`],
    })
  );
  if (value === undefined) {
    asked.push(
      comment(`${name} is ${op}: its lines are no question here, dpcheck check checks them`),
    );
  } else {
    for (const line of about) {
      asked.push(
        ...askedIn({
          about: `${name}: a line of ${op}`,
          asserts: [...inRange, value, `(not ${line})`],
        }),
      );
    }
  }
  if (changes.length > 0) {
    asked.push(
      comment(`${name}: lines of its changes are no question here, dpcheck check checks them`),
    );
  }
  return { asked, premises: [...about, ...changes] };
}

/** Returns what says that two lists of shifts are equal: the forms in which they differ are 0. */
function equalShifts(
  one: readonly (readonly [string, Form])[],
  other: readonly (readonly [string, Form])[],
): string {
  const names = new Set([...one, ...other].map(([name]) => name));
  const of = (shifts: typeof one, name: string): string =>
    term(shifts.find(([each]) => each === name)?.[1] ?? {});
  return smtAnd(Array.from(names, (name) => `(= ${of(one, name)} ${of(other, name)})`));
}

/** Returns what says that shifted noise stays within its law: exponential noise is at least 0, and Gumbel noise is moved upwards alone. */
function staysIn(shift: AlignedClass["shift"], noise: Case["noise"]): string[] {
  return Object.entries(shift).flatMap(([name, by]) => {
    switch (noise[name]!.kind) {
      case "exponential":
        return [`(>= (+ ${name} ${term(by)}) 0.0)`];
      case "gumbel":
        return [`(>= ${term(by)} 0.0)`];
      default:
        return [];
    }
  });
}

/** Returns the assertions that must have no solution, so that a shift costs what the claim allows. */
function costsMore(
  shift: AlignedClass["shift"],
  { noise, allowed: { kind, name } }: Context,
): { readonly about: string; readonly assert: string }[] {
  const costs: string[] = [], squares: string[] = [];
  for (const [draw, by] of Object.entries(shift)) {
    const { kind, size } = noise[draw]!, move = term(by);
    if (kind === "gaussian") squares.push(`(/ (* ${move} ${move}) ${number(size)})`);
    else {
      const moved = kind === "laplace" ? `(ite (>= ${move} 0.0) ${move} (- ${move}))` : move;
      costs.push(`(* ${number(size)} ${moved})`);
    }
  }
  const cost = smtSum(costs), square = smtSum(squares);
  switch (kind) {
    case "pure":
    case "approximate":
      return [
        { about: `costs at most ${name}`, assert: `(> ${cost} ${name})` },
        ...squares.length === 0
          ? []
          : [{ about: "moves no Gaussian noise", assert: `(> ${square} 0.0)` }],
      ];
    case "gaussian":
      return [
        { about: `costs at most ${name} squared`, assert: `(> ${square} (* ${name} ${name}))` },
        ...costs.length === 0 ? [] : [{ about: "moves no other noise", assert: `(> ${cost} 0.0)` }],
      ];
    case "zcdp":
      return costs.length === 0
        ? [{ about: `costs at most twice ${name}`, assert: `(> ${square} (* 2.0 ${name}))` }]
        : squares.length === 0
        ? [{
          about: `costs at most the root of twice ${name}`,
          assert: `(and (> ${cost} 0.0) (> (* ${cost} ${cost}) (* 2.0 ${name})))`,
        }]
        : [{ about: "moves noise of one kind", assert: "true" }];
  }
}

/** Returns what says that shifted noise is on a right path with the same output. */
function sameOutput(from: Path, to: Path, shift: AlignedClass["shift"]): string {
  if (from.label !== to.label || from.released.length !== to.released.length) return "false";
  const moved = (form: Form): string =>
    smtSum([
      term(form),
      ...Object.entries(shift).filter(([name]) => form[name] !== undefined)
        .map(([name, by]) => `(* ${number(form[name]!)} ${term(by)})`),
    ]);
  return smtAnd([
    closed(to, moved),
    ...from.released.map((form, i) => `(= ${term(form)} ${moved(to.released[i]!)})`),
  ]);
}

function open({ comparisons }: Path): string {
  return smtAnd(comparisons.map(([a, b]) => `(> ${term(a)} ${term(b)})`));
}

function closed({ comparisons }: Path, written: (form: Form) => string): string {
  return smtAnd(comparisons.map(([a, b]) => `(>= ${written(a)} ${written(b)})`));
}

/** Returns the paths of a tree, in the order in which classes name them. Ways that are left out must be covered by the rest. */
function pathsOf(tree: Tree, before: Path["comparisons"] = []): Path[] {
  if ("empty" in tree) return [];
  if ("label" in tree) return [{ comparisons: before, ...tree }];
  return tree.ways.flatMap((way, i) =>
    pathsOf(way, [
      ...before,
      ...tree.forms.flatMap((form, j) => j === i ? [] : [[tree.forms[i]!, form] as const]),
    ])
  );
}

/** Returns names of data and noise, each as a variable of its own. */
function variablesOf({ premises, noise, proof }: Case): string[] {
  const names = new Set(Object.keys(noise));
  JSON.stringify([premises, proof], (key, value: unknown) => {
    if (/^[xcnt]\d+(\.\d+)?$/.test(key)) names.add(key);
    if (key === "name") names.add(value as string);
    return value;
  });
  return [...names].sort();
}

function term(form: Form): string {
  return smtSum(
    Object.entries(form).map(([name, value]) =>
      name === "" ? number(value) : `(* ${number(value)} ${name})`
    ),
  );
}

function number(text: string): string {
  return smtNumber(fractionOf(text));
}
