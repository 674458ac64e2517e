/**
 * Checks a certificate of `dpcheck exact --certificate FILE` for continuous noise, in fractions alone and with no code of the prover:
 * on all data of each case, noise of each class of paths, shifted, gives the same output on the other side, and costs what the
 * claim allows. That the paths are the program's, and that the cases are all pairs of neighbours, is not checked.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import process from "node:process";

type Fraction = readonly [numerator: bigint, denominator: bigint];
type Form = Map<string, Fraction>;
/** A form that is at least 0; with true it is above 0. */
type Premise = readonly [form: Form, strict: boolean];
type Why = readonly (readonly [place: number, multiplier: string])[];
type Path = { premises: readonly Premise[]; label: string; released: readonly Form[] };
// deno-lint-ignore no-explicit-any -- a certificate may be anything: what is read is demanded.
type Json = any;

const ZERO: Fraction = [0n, 1n], ONE: Fraction = [1n, 1n], MINUS: Fraction = [-1n, 1n];
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
const atMost = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d <= c * b;
const same = (left: Form, right: Form): boolean => plus(left, right, MINUS).size === 0;
const isData = (form: Form): boolean => [...form.keys()].every((name) => !name.startsWith("n"));
const entries = (form: Json): Form =>
  new Map(Object.entries(form).map(([name, value]) => [name, fraction(value as string)]));
const read = (form: Json): Form => plus(new Map(), entries(form), ONE);

function demand(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`rejected: ${what}`);
}
function fraction(value: string | number): Fraction {
  if (typeof value === "number") {
    demand(Number.isFinite(value), "a number");
    let d = 1n;
    for (; !Number.isInteger(value); value *= 2) d *= 2n;
    return [BigInt(value), d];
  }
  const [n, d = "1"] = value.split("/");
  demand(BigInt(d) > 0n, "a fraction");
  return [BigInt(n!), BigInt(d)];
}

function plus(left: Form, right: Form, factor: Fraction): Form {
  const sum = new Map(left);
  for (const [name, value] of right) {
    const [a, b] = sum.get(name) ?? ZERO, [c, d] = times(value, factor);
    const total: Fraction = b === d ? [a + c, b] : [a * d + c * b, b * d];
    if (total[0] === 0n) sum.delete(name);
    else sum.set(name, total);
  }
  return sum;
}

/** Why a certificate is rejected; `undefined` when it is accepted. */
export function rejection(text: string): string | undefined {
  try {
    const { dpcheck, claim, cases } = JSON.parse(text) as Json;
    demand(dpcheck === "alignment certificate 1" && cases.length > 0, "it is no certificate");
    for (const { premises, noise, proof } of cases) {
      const known = premises.map(([form, strict]: Json): Premise => [read(form), strict]);
      demand(known.every(([form]: Premise) => isData(form)), "premises on noise");
      check(proof, known, [noise, claim]);
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The claim allows pure noise to lose ε beside Gaussian noise of this μ². */
function allows({ kind, ...claim }: Json, epsilon: Fraction, muSquared: Fraction): boolean {
  const pure = muSquared[0] === 0n, gaussian = epsilon[0] === 0n;
  const [claimed, mu, rho] = [claim.epsilon ?? 0, claim.mu ?? 0, claim.rho ?? 0].map(fraction);
  if (kind === "pure" || kind === "approximate") return pure && atMost(epsilon, claimed!);
  if (kind === "gaussian") return gaussian && atMost(muSquared, times(mu!, mu!));
  const square = pure ? times(epsilon, epsilon) : muSquared;
  return kind === "zcdp" && (pure || gaussian) && atMost(square, times([2n, 1n], rho!));
}

function check(proof: Json, known: Premise[], [noise, claim]: readonly [Json, Json]): void {
  if (proof.empty !== undefined) return excludes(known, proof.empty, "data are left out");
  if (proof.split !== undefined) {
    const form = read(proof.split), other = plus(new Map(), form, MINUS);
    demand(isData(form), "noise among data");
    check(proof.above, [...known, [form, true]], [noise, claim]);
    return check(proof.other, [...known, [other, false]], [noise, claim]);
  }
  // Exponential noise is at least 0.
  demand(Object.keys(noise).every((name) => name.startsWith("n")), "a name of noise");
  const support = Object.keys(noise).filter((name) => noise[name].kind === "exponential")
    .map((name): Premise => [new Map([[name, ONE]]), true]);
  const context = [...known, ...support];
  const left = pathsOf(proof.left, context), right = pathsOf(proof.right, context);
  const gaussian = new Set<string>();
  for (const each of proof.classes) {
    const shift = Object.entries(each.shift).map(([name, form]) => [name, read(form)] as const);
    demand(shift.every(([name, by]) => noise[name] !== undefined && isData(by)), "a shift");
    const moved = (form: Form): Form =>
      shift.reduce((sum, [name, by]) => plus(sum, by, form.get(name) ?? ZERO), form);
    const outer: Premise[] = each.outer.map((form: Json) => [read(form), true]);
    const inner: Premise[] = each.inner.map((form: Json) => [read(form), true]);
    const all = [...outer, ...context];
    demand(inner.every(([form]) => !isData(form)), "a region without noise");
    const here: Path[] = each.left.map((path: number) => left[path]!);
    const there: Path[] = each.right.map((path: number) => right[path]!);
    // Left paths are in the outer region; the inner region is in the right paths.
    here.forEach(({ premises }, i) =>
      outer.forEach(([form], k) => shows(form, [...premises, ...context], each.included[i][k]))
    );
    if (each.excluded === null) {
      const own = there[0]!.premises;
      demand(own.every(([form], k) => same(form, inner[k]![0])), "the region of a path");
    } else {
      const why = new Map<number, Why>(each.excluded);
      right.forEach((path, k) => {
        if (there.includes(path)) return;
        excludes([...inner, ...path.premises, ...context], why.get(k)!, "another path");
      });
    }
    inner.forEach(([form], k) => shows(moved(form), all, each.mapped[k]));
    demand([...here, ...there].every(({ label }) => label === here[0]!.label), "an output");
    here[0]!.released.forEach((form, k) => {
      demand(here.every(({ released }) => same(form, released[k]!)), "a value on the left");
      demand(there.every(({ released }) => same(form, moved(released[k]!))), "one on the right");
    });
    let cost: Form = new Map([["", fraction(each.epsilon)]]), square: Form = new Map();
    for (const [name, by] of shift) {
      const { kind, size } = noise[name], [n, d] = fraction(size), rate: Fraction = [-n, d];
      demand(n > 0n, "the size of noise");
      if (kind === "laplace" || kind === "gaussian") {
        const { bound, above, below } = each.bounds[name], form = read(bound);
        shows(plus(form, by, MINUS), known, above);
        shows(plus(form, by, ONE), known, below);
        const most = form.get("") ?? ZERO, isNumber = [...form.keys()].every((name) => name === "");
        demand(kind === "laplace" || isNumber, "a bound on Gaussian noise");
        if (kind === "laplace") cost = plus(cost, form, rate);
        else square = plus(square, new Map([["", times(most, most)]]), [d, n]);
      } else {
        demand(kind === "exponential" || kind === "gumbel", "a kind of noise");
        const stays = kind === "gumbel" ? by : plus(by, new Map([[name, ONE]]), ONE);
        shows(stays, all, each.supported[name]);
        cost = plus(cost, by, rate);
      }
    }
    shows(cost, known, each.total);
    demand(allows(claim, fraction(each.epsilon), square.get("") ?? ZERO), "more than is claimed");
    const fixed = shift.filter(([name]) => noise[name].kind === "gaussian");
    gaussian.add(fixed.map(([name, by]) => `${name} ${[...by].sort().join(" ")}`).sort().join());
  }
  const [from, to] = ["left", "right"].map((side) => proof.classes.flatMap((c: Json) => c[side]));
  demand(left.every((_, path) => from.includes(path)), "a path in no class");
  demand([from, to].every((all) => new Set(all).size === all.length), "a path in two classes");
  demand(gaussian.size <= 1, "Gaussian noise with several shifts");
}

/** The paths of a tree, with what holds on each; ways that are left out are shown to be taken by no noise. */
function pathsOf(tree: Json, context: readonly Premise[], before: readonly Premise[] = []): Path[] {
  if (tree.empty !== undefined) {
    excludes([...before, ...context], tree.empty, "a way that is left out");
    return [];
  }
  if (tree.forms === undefined) {
    const label = `${tree.label} and ${tree.released.length}`;
    return [{ premises: before, label, released: tree.released.map(read) }];
  }
  // Which of several forms is the largest: of every two the difference is noise, so that equal ones have probability 0.
  const forms: Form[] = tree.forms.map(read);
  demand(forms.length > 1 && tree.ways.length === forms.length, "ways");
  return forms.flatMap((form, i) => {
    const now = forms.filter((_, j) => j !== i)
      .map((other): Premise => [plus(form, other, MINUS), true]);
    demand(now.every(([difference]) => !isData(difference)), "a comparison without noise");
    return pathsOf(tree.ways[i], context, [...before, ...now]);
  });
}

function combined(premises: readonly Premise[], why: Why): Form {
  demand(why.every(([, multiplier]) => fraction(multiplier)[0] > 0n), "a multiplier");
  return why.reduce((sum, [place, by]) => plus(sum, premises[place]![0], fraction(by)), new Map());
}

/** form ≥ 0 where the premises hold: it is their sum and a constant. */
function shows(form: Form, premises: readonly Premise[], why: Why): void {
  const rest = plus(form, combined(premises, why), MINUS);
  demand([...rest].every(([name, [n]]) => name === "" && n >= 0n), "an inequality");
}

/** The premises hold together with probability 0: their sum is below 0, or 0 with a strict one in it. */
function excludes(premises: readonly Premise[], why: Why, what: string): void {
  const sum = combined(premises, why);
  demand([...sum].every(([name, [n]]) => name === "" && n < 0n), what);
  demand(sum.size > 0 || why.some(([place]) => premises[place]![1]), what);
}

if (import.meta.main) {
  const reason = rejection(readFileSync(process.argv[2] ?? "", "utf8"));
  console.log(reason ?? "accepted");
  process.exit(reason === undefined ? 0 : 1);
}
