/**
 * Checks a certificate of `dpcheck exact --certificate FILE` for continuous noise, in fractions alone and with no code of the prover:
 * the cases are all neighbours of the domain, and on all data of each, noise of each class of paths, shifted, gives the same output on
 * the other side, and costs what the claim allows. That the paths are the program's is not checked; with the program's file, that it is
 * the one that was traced.
 *
 * @module
 */
import { createHash } from "node:crypto";
import {
  atMost,
  dataForm,
  excludes,
  type Form,
  form,
  isData,
  MINUS,
  numberOf,
  ONE,
  plus,
  type Premise,
  same,
  scaled,
  shows,
  times,
  type Why,
  why,
  ZERO,
} from "./certificate_forms.ts";
import { type DataFunction, dataFunction, knownOf } from "./check_functions.ts";
import { type Fraction, ofDouble } from "./exact_fraction.ts";
import {
  areNeighbours,
  changeOf,
  type CheckedDomain,
  datasetsOf,
  domain,
  fraction as fractionOf,
  hash,
  neighboursIn,
} from "./neighbours_of_domain.ts";
import {
  anything,
  demand,
  entries,
  list,
  oneOf,
  orNull,
  pair,
  place,
  positive,
  type Reader,
  readJson,
  record,
  string,
} from "./strict_json.ts";

type Path = { premises: readonly Premise[]; label: string; released: readonly Form[] };
/** The law of each draw. */
export type Noise = Map<string, { readonly kind: string; readonly size: Fraction }>;

// How a certificate is read.

const bound = record<{ bound: Form; above: Why; below: Why }>({
  bound: dataForm,
  above: why,
  below: why,
});

const alignedClass = record({
  left: list(place),
  right: list(place),
  outer: list(form),
  included: list(list(why)),
  inner: list(form),
  excluded: orNull(list(pair(place, why))),
  shift: entries(dataForm),
  mapped: list(why),
  supported: entries(why),
  bounds: entries(bound),
  epsilon: fractionOf,
  total: why,
});

/** The paths of a program on one dataset. */
export type Tree = { empty: Why } | { label: string; released: Form[] } | {
  forms: Form[];
  ways: Tree[];
};

const has = (value: unknown, key: string): boolean =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key);

const tree: Reader<Tree> = (value, where) =>
  has(value, "empty")
    ? record<{ empty: Why }>({ empty: why })(value, where)
    : has(value, "forms")
    ? record<{ forms: Form[]; ways: Tree[] }>({ forms: list(form), ways: list(tree) })(value, where)
    : record<{ label: string; released: Form[] }>({ label: string, released: list(form) })(
      value,
      where,
    );

const leaf = record({ left: tree, right: tree, classes: list(alignedClass) });

/** What is said of the data of a case. */
export type Proof =
  | { empty: Why }
  | { split: Form; above: Proof; other: Proof }
  | { functions: DataFunction[]; rest: Proof }
  | ReturnType<typeof leaf>;

const proof: Reader<Proof> = (value, where) =>
  has(value, "empty")
    ? record<{ empty: Why }>({ empty: why })(value, where)
    : has(value, "split")
    ? record<{ split: Form; above: Proof; other: Proof }>({
      split: dataForm,
      above: proof,
      other: proof,
    })(value, where)
    : has(value, "functions")
    ? record<{ functions: DataFunction[]; rest: Proof }>({
      functions: list(dataFunction),
      rest: proof,
    })(value, where)
    : leaf(value, where);

/** A dataset, or rows that are forms of data. */
export type Data = { value: unknown } | { rows: Row[] };

/** A row: a form, a list of forms, or a record of forms and values. */
type Row = Form | Form[] | { fields: [string, Field][] };
type Field = { form: Form } | { value: unknown };

const field: Reader<Field> = (value, where) =>
  has(value, "form")
    ? record<{ form: Form }>({ form: dataForm })(value, where)
    : record<{ value: unknown }>({ value: anything })(value, where);

const rowOf: Reader<Row> = (row, at) =>
  Array.isArray(row)
    ? list(dataForm)(row, at)
    // The fields of a record are a list; a number of a form is a text.
    : has(row, "fields") && Array.isArray((row as { fields: unknown }).fields)
    ? record<{ fields: [string, Field][] }>({ fields: list(pair(string, field)) })(row, at)
    : dataForm(row, at);

const data: Reader<Data> = (value, where) =>
  has(value, "value")
    ? record<{ value: unknown }>({ value: anything })(value, where)
    : record<{ rows: Row[] }>({ rows: list(rowOf) })(value, where);

/** Returns the forms of a row. */
function formsIn(row: Row): Form[] {
  if (Array.isArray(row)) return row;
  if (row instanceof Map) return [row];
  return row.fields.flatMap(([, own]) => "form" in own ? [own.form] : []);
}

const kinds = oneOf("laplace", "exponential", "gumbel", "gaussian");

const oneCase = record({
  left: data,
  right: data,
  premises: list(pair(dataForm, oneOf(true, false))),
  noise: entries(record<{ kind: string; size: Fraction }>({ kind: kinds, size: fractionOf })),
  proof,
});

/** A claim: for each kind its number, exactly. */
interface Claim {
  readonly kind: string;
  readonly most: Fraction;
  readonly text: string;
  readonly relation: string;
}

const NUMBERS = { pure: "epsilon", approximate: "epsilon", gaussian: "mu", zcdp: "rho" } as const;

const claim: Reader<Claim> = (value, where) => {
  const kind = oneOf(...Object.keys(NUMBERS))((value as Claim | null)?.kind, where);
  const number = NUMBERS[kind as keyof typeof NUMBERS];
  const read = record<Record<string, unknown>>({
    kind: string,
    [number]: positive,
    ...(kind === "approximate" ? { delta: positive } : {}),
    relation: string,
  })(value, where);
  const { relation, delta, [number]: most } = read;
  demand(delta === undefined || (delta as number) < 1, `${where}.delta`);
  return {
    kind,
    most: ofDouble(most as number),
    text: `${number} = ${most}${delta === undefined ? "" : `, delta = ${delta}`}`,
    relation: relation as string,
  };
};

const certificate = record({
  dpcheck: oneOf("alignment certificate 2"),
  program: record({ name: string, sha256: orNull(hash) }),
  claim,
  domain: orNull(domain),
  cases: list(oneCase),
});

/** Returns what a certificate of alignments says, read strictly. @throws {Error} for one that is rejected. */
export function readAlignment(text: string): ReturnType<typeof certificate> {
  return readJson(text, certificate);
}

/** Returns what a certificate shows, in words. @throws {Error} for one that is rejected. */
export function shown(text: string, program?: string): string {
  const { program: { name, sha256 }, claim, domain, cases } = readJson(text, certificate);
  demand(
    program === undefined || sha256 === createHash("sha256").update(program).digest("hex"),
    "the program is not the one that was traced",
  );
  demand(cases.length > 0, "no cases");
  const keys = cases.map(({ left, right, premises }) => keyOf(left, right, premises));
  if (domain !== null) {
    const all = casesOf(domain, { relation: claim.relation, finite: "value" in cases[0]!.left });
    demand(keys.toSorted().join("\n") === all.toSorted().join("\n"), "the cases");
  } else {
    const values = cases.map(({ left, right }) => [left, right] as const);
    for (const [left, right] of values) {
      if (!("value" in left && "value" in right)) continue;
      demand(areNeighbours(claim.relation, left.value, right.value), "a pair");
      demand(keys.includes(keyOf(right, left, [])), "a pair one way round");
    }
  }
  for (const { left, right, premises, noise, proof } of cases) {
    demand([...noise.keys()].every((name) => name.startsWith("n")), "a name of noise");
    const forms = [left, right].flatMap((each) => "rows" in each ? each.rows.flatMap(formsIn) : []);
    const names = [...forms, ...premises.map(([form]) => form)].flatMap((form) => [...form.keys()]);
    demand(!names.some((name) => name.startsWith("t")), "a name of data");
    check(proof, premises, { noise, claim, functions: [] });
  }
  const file = sha256 === null ? "" : `, whose file has SHA-256 ${sha256}`;
  const where = domain === null
    ? `the ${cases.length} cases that the certificate lists`
    : `all neighbours in ${
      JSON.stringify(domain, (_, v) => v instanceof Map ? [...v] : v)
    } (${cases.length} cases)`;
  return `If the paths written here are those of ${
    JSON.stringify(name)
  }${file}, with noise and arithmetic of real numbers, then it keeps ${claim.text} (${claim.kind}) under ${claim.relation} on ${where}.`;
}

/** Returns why a certificate is rejected; `undefined` when it is accepted. */
export function rejection(text: string, program?: string): string | undefined {
  try {
    shown(text, program);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A text for a case, the same for equal cases only. */
function keyOf(left: Data, right: Data, premises: readonly Premise[]): string {
  const formText = (form: Form): string =>
    [...form].filter(([, [n]]) => n !== 0n).map(([name, [n, d]]) => {
      let [common, rest] = [n < 0n ? -n : n, d];
      while (rest !== 0n) [common, rest] = [rest, common % rest];
      return `${name}:${n / common}/${d / common}`;
    }).sort().join(" ");
  const dataText = (data: Data): string =>
    "value" in data
      ? `value ${JSON.stringify(data.value)}`
      : `rows ${
        data.rows.map((row) =>
          Array.isArray(row)
            ? `[${row.map(formText).join()}]`
            : row instanceof Map
            ? formText(row)
            : JSON.stringify(
              row.fields.map(([name, own]) => [
                name,
                "form" in own ? { form: formText(own.form) } : own,
              ]),
            )
        ).join("; ")
      }`;
  const known = premises.map(([form, strict]) => `${formText(form)} ${strict}`).sort();
  return `${dataText(left)} | ${dataText(right)} | ${known.join("; ")}`;
}

/** The cases that are all ordered pairs of neighbours: each two datasets, or forms of data for all lists of one length. */
function casesOf(
  domain: CheckedDomain,
  { relation, finite }: { readonly relation: string; readonly finite: boolean },
): string[] {
  if (finite) {
    const datasets = datasetsOf(domain).map((value) => ({ value }));
    return neighboursIn(domain, relation).flatMap(([i, j]) => [
      keyOf(datasets[i]!, datasets[j]!, []),
      keyOf(datasets[j]!, datasets[i]!, []),
    ]);
  }
  const { rows, size } = domain;
  if (rows.type === "record") return casesOfRecords(domain, relation);
  const isVector = rows.type === "vector";
  const { type, min, max } = (isVector ? rows.of : rows) as {
    type: string;
    min: number;
    max: number;
  };
  demand(type === "number" || type === "integer", "rows that are no numbers");
  const low = ofDouble(min), high = ofDouble(max);
  const span: Fraction = [high[0] * low[1] - low[0] * high[1], high[1] * low[1]];
  const names = (name: string): string[] =>
    isVector ? Array.from({ length: rows.length as number }, (_, k) => `${name}.${k}`) : [name];
  const row = (...parts: readonly string[]): Form[] =>
    names("").map((end) => new Map(parts.map((part) => [part + end, ONE])));
  const asRow = (forms: Form[]): Form | Form[] => isVector ? forms : forms[0]!;
  const between = (forms: readonly Form[], least: Fraction, most: Fraction): Premise[] =>
    forms.flatMap((form): Premise[] => [
      [plus(form, new Map([["", least]]), MINUS), false],
      [plus(new Map([["", most]]), form, MINUS), false],
    ]);
  const inRange = (forms: readonly Form[]): Premise[] => between(forms, low, high);
  const cases: string[] = [];
  for (let length = size.min; length <= size.max; length++) {
    const rowsOf = Array.from({ length }, (_, i) => row(`x${i}`));
    /** Rows at these places change, by so much at least and at most. */
    const changed = (places: readonly number[], least: Fraction, most: Fraction): void => {
      const right = rowsOf.map((forms, i) => places.includes(i) ? row(`x${i}`, `c${i}`) : forms);
      const moved = right.filter((_, i) => places.includes(i)).flat();
      cases.push(keyOf({ rows: rowsOf.map(asRow) }, { rows: right.map(asRow) }, [
        ...between(places.flatMap((i) => row(`c${i}`)), least, most),
        ...inRange(rowsOf.flat()),
        ...inRange(moved),
      ]));
    };
    const places = [...rowsOf.keys()];
    if (relation === "replace-one") {
      for (const i of places) changed([i], times(MINUS, span), span);
    } else if (relation === "add-remove-one") {
      for (let i = 0; i <= length && length < size.max; i++) {
        const more = row(`c${i}`);
        const short = { rows: rowsOf.map(asRow) };
        const long = { rows: rowsOf.toSpliced(i, 0, more).map(asRow) };
        const premises = [...inRange(more), ...inRange(rowsOf.flat())];
        cases.push(keyOf(short, long, premises), keyOf(long, short, premises));
      }
    } else {
      demand(!isVector, "answers that are lists");
      const { which, by } = changeOf(relation), most = ofDouble(by), least = times(MINUS, most);
      if (which === "one") { for (const i of places) changed([i], least, most); }
      else if (length > 0 && which === "each") changed(places, least, most);
      else if (length > 0) {
        changed(places, ZERO, most);
        changed(places, least, ZERO);
      }
    }
  }
  return cases;
}

/** The same for records: one case for all ways in which the fields are that are no numbers. */
function casesOfRecords({ rows, size }: CheckedDomain, relation: string): string[] {
  const fields = [...rows.fields as Map<string, CheckedDomain["rows"]>];
  const isNumber = ({ type }: CheckedDomain["rows"]): boolean =>
    type === "number" || type === "integer";
  const numbers = fields.flatMap(([, own]) => isNumber(own) ? [own] : [])
    .map(({ min, max }) => [ofDouble(min as number), ofDouble(max as number)] as const);
  /** All records whose numbers are these forms. */
  const records = (forms: readonly Form[]): Row[] => {
    let all: [string, Field][][] = [[]], k = 0;
    for (const [name, own] of fields) {
      const each: Field[] = isNumber(own)
        ? [{ form: forms[k++]! }]
        : own.type === "boolean"
        ? [{ value: false }, { value: true }]
        : [...new Set((own.values as unknown[]).map((value) => JSON.stringify(value)))]
          .map((text) => ({ value: JSON.parse(text) }));
      demand(isNumber(own) || own.type === "boolean" || own.type === "category", "a field");
      all = all.flatMap((rest) => each.map((next): [string, Field][] => [...rest, [name, next]]));
    }
    return all.map((own) => ({ fields: own }));
  };
  const named = (...parts: readonly string[]): Form[] =>
    numbers.map((_, k) => new Map(parts.map((part) => [`${part}.${k}`, ONE])));
  const within = (forms: readonly Form[], bounds: readonly (readonly [Fraction, Fraction])[]) =>
    forms.flatMap((form, k): Premise[] => [
      [plus(form, new Map([["", bounds[k]![0]]]), MINUS), false],
      [plus(new Map([["", bounds[k]![1]]]), form, MINUS), false],
    ]);
  const spans = numbers.map(([low, high]): [Fraction, Fraction] => {
    const span: Fraction = [high[0] * low[1] - low[0] * high[1], high[1] * low[1]];
    return [times(MINUS, span), span];
  });
  const cases: string[] = [];
  for (let length = size.min; length <= size.max; length++) {
    let all: Row[][] = [[]];
    for (let i = 0; i < length; i++) {
      all = all.flatMap((rest) => records(named(`x${i}`)).map((own) => [...rest, own]));
    }
    const inRange = Array.from({ length }, (_, i) => within(named(`x${i}`), numbers)).flat();
    for (const left of all) {
      if (relation === "replace-one") {
        for (const i of left.keys()) {
          const moved = named(`x${i}`, `c${i}`);
          const known = [...within(named(`c${i}`), spans), ...within(moved, numbers), ...inRange];
          for (const row of records(moved)) {
            cases.push(keyOf({ rows: left }, { rows: left.with(i, row) }, known));
          }
        }
      } else {
        demand(relation === "add-remove-one", "a relation of records");
        for (let i = 0; i <= length && length < size.max; i++) {
          const known = [...within(named(`c${i}`), numbers), ...inRange];
          for (const row of records(named(`c${i}`))) {
            const long = { rows: left.toSpliced(i, 0, row) };
            cases.push(keyOf({ rows: left }, long, known), keyOf(long, { rows: left }, known));
          }
        }
      }
    }
  }
  return cases;
}

/** The claim allows pure noise to lose ε beside Gaussian noise of this μ². */
function allows({ kind, most }: Claim, epsilon: Fraction, muSquared: Fraction): boolean {
  const pure = muSquared[0] === 0n, gaussian = epsilon[0] === 0n;
  if (kind === "pure" || kind === "approximate") return pure && atMost(epsilon, most);
  if (kind === "gaussian") return gaussian && atMost(muSquared, times(most, most));
  const square = pure ? times(epsilon, epsilon) : muSquared;
  return (pure || gaussian) && atMost(square, times([2n, 1n], most));
}

function check(
  proof: Proof,
  known: readonly Premise[],
  context: {
    readonly noise: Noise;
    readonly claim: Claim;
    readonly functions: readonly DataFunction[];
  },
): void {
  const { noise, claim, functions } = context;
  if ("functions" in proof) {
    return check(proof.rest, knownOf(proof.functions, known, functions), {
      ...context,
      functions: [...functions, ...proof.functions],
    });
  }
  if ("empty" in proof) return excludes(known, proof.empty, "data are left out");
  if ("split" in proof) {
    const other = scaled(proof.split, MINUS);
    check(proof.above, [...known, [proof.split, true]], context);
    return check(proof.other, [...known, [other, false]], context);
  }
  // Exponential noise is at least 0.
  const support = [...noise].filter(([, { kind }]) => kind === "exponential")
    .map(([name]): Premise => [new Map([[name, ONE]]), true]);
  const everywhere = [...known, ...support];
  const left = pathsOf(proof.left, everywhere), right = pathsOf(proof.right, everywhere);
  const gaussian = new Set<string>();
  for (const each of proof.classes) {
    const shift = [...each.shift];
    demand(shift.every(([name]) => noise.has(name)), "a shift");
    const moved = (form: Form): Form =>
      shift.reduce((sum, [name, by]) => plus(sum, by, form.get(name) ?? ZERO), form);
    const outer = each.outer.map((form): Premise => [form, true]);
    const inner = each.inner.map((form): Premise => [form, true]);
    const all = [...outer, ...everywhere];
    demand(inner.every(([form]) => !isData(form)), "a region without noise");
    const here = each.left.map((path) => left[path]!),
      there = each.right.map((path) => right[path]!);
    demand(here.length > 0 && ![...here, ...there].includes(undefined!), "a path of a class");
    // A reason for each statement, and no other.
    const needs = (kinds: string): string[] =>
      shift.flatMap(([name]) => kinds.includes(noise.get(name)!.kind) ? [name] : []);
    demand(
      each.included.length === here.length &&
        each.included.every((whys) => whys.length === outer.length) &&
        each.mapped.length === inner.length &&
        [...each.bounds.keys()].sort().join() === needs("laplace gaussian").sort().join() &&
        [...each.supported.keys()].sort().join() === needs("exponential gumbel").sort().join() &&
        (each.excluded === null || each.excluded.length === right.length - there.length),
      "reasons that are missing or left over",
    );
    // Left paths are in the outer region; the inner region is in the right paths.
    here.forEach(({ premises }, i) =>
      outer.forEach(([form], k) => shows(form, [...premises, ...everywhere], each.included[i]![k]!))
    );
    if (each.excluded === null) {
      const own = there[0]!.premises;
      demand(own.every(([form], k) => same(form, inner[k]![0])), "the region of a path");
    } else {
      const why = new Map(each.excluded);
      right.forEach((path, k) => {
        if (there.includes(path)) return;
        excludes([...inner, ...path.premises, ...everywhere], why.get(k)!, "another path");
      });
    }
    inner.forEach(([form], k) => shows(moved(form), all, each.mapped[k]!));
    demand([...here, ...there].every(({ label }) => label === here[0]!.label), "an output");
    here[0]!.released.forEach((form, k) => {
      demand(here.every(({ released }) => same(form, released[k]!)), "a value on the left");
      demand(there.every(({ released }) => same(form, moved(released[k]!))), "one on the right");
    });
    demand(each.epsilon[0] >= 0n, "a loss below 0");
    let cost: Form = new Map([["", each.epsilon]]), square: Form = new Map();
    for (const [name, by] of shift) {
      const { kind, size: [n, d] } = noise.get(name)!, rate: Fraction = [-n, d];
      demand(n > 0n, "the size of noise");
      if (kind === "laplace" || kind === "gaussian") {
        const { bound: form, above, below } = each.bounds.get(name)!;
        shows(plus(form, by, MINUS), known, above);
        shows(plus(form, by, ONE), known, below);
        if (kind === "laplace") cost = plus(cost, form, rate);
        else {
          const most = numberOf(form);
          demand(most !== undefined, "a bound on Gaussian noise");
          square = plus(square, new Map([["", times(most, most)]]), [d, n]);
        }
      } else {
        const stays = kind === "gumbel" ? by : plus(by, new Map([[name, ONE]]), ONE);
        shows(stays, all, each.supported.get(name)!);
        cost = plus(cost, by, rate);
      }
    }
    shows(cost, known, each.total);
    demand(allows(claim, each.epsilon, square.get("") ?? ZERO), "more than is claimed");
    const fixed = shift.filter(([name]) => noise.get(name)!.kind === "gaussian");
    gaussian.add(fixed.map(([name, by]) => `${name} ${[...by].sort().join(" ")}`).sort().join());
  }
  const [from = [], to = []] = (["left", "right"] as const)
    .map((side) => proof.classes.flatMap((each) => each[side]));
  demand(left.every((_, path) => from.includes(path)), "a path in no class");
  demand([from, to].every((all) => new Set(all).size === all.length), "a path in two classes");
  demand(gaussian.size <= 1, "Gaussian noise with several shifts");
}

/** The paths of a tree, with what holds on each; ways that are left out are shown to be taken by no noise. */
function pathsOf(tree: Tree, context: readonly Premise[], before: readonly Premise[] = []): Path[] {
  if ("empty" in tree) {
    excludes([...before, ...context], tree.empty, "a way that is left out");
    return [];
  }
  if ("label" in tree) {
    const label = `${tree.label} and ${tree.released.length}`;
    return [{ premises: before, label, released: tree.released }];
  }
  // Which of several forms is the largest: of every two the difference is noise, so that equal ones have probability 0.
  const { forms } = tree;
  demand(forms.length > 1 && tree.ways.length === forms.length, "ways");
  return forms.flatMap((form, i) => {
    const now = forms.filter((_, j) => j !== i)
      .map((other): Premise => [plus(form, other, MINUS), true]);
    demand(now.every(([difference]) => !isData(difference)), "a comparison without noise");
    return pathsOf(tree.ways[i]!, context, [...before, ...now]);
  });
}
