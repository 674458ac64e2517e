import type { ReadBeside } from "../audit/report.ts";
import { bareJson } from "../../core/text/bare_json.ts";
import type { Atom, Form, Read, Recording } from "./recording.ts";
import { shownNumber } from "./shown_number.ts";

/** Reads of a run that are kept: those around the first that differs. */
const MOST_READS = 24;
/** Numbers of a read that are shown, and their digits: so many that values that differ on both sides look so. */
const MOST_NUMBERS = 4, DIGITS = 6;

/** Returns the reads of a run on the left dataset beside those on the right one, in order, and the outputs at the end. */
export function readsBeside(left: Recording, right: Recording): ReadBeside[] {
  const count = Math.max(left.reads.length, right.reads.length);
  const all = Array.from({ length: count }, (_, k): ReadBeside => {
    const [own, other] = [left, right].map((run) => shownRead(run, k));
    return {
      place: (own ?? other!).place,
      what: either(own?.what, other?.what),
      noise: either(own?.noise, other?.noise),
      left: own?.value ?? null,
      right: other?.value ?? null,
      ...(own?.curve === undefined || other?.curve === undefined
        ? {}
        : { curves: [own.curve, other.curve] }),
      differs: bareJson(own) !== bareJson(other),
    };
  });
  const at = Math.max(0, all.findIndex(({ differs }) => differs));
  const from = Math.max(0, Math.min(at - MOST_READS / 2, all.length - MOST_READS));
  const [own, other] = [left, right].map(outputText);
  return [
    ...all.slice(from, from + MOST_READS),
    { place: "", what: "output", noise: "", left: own!, right: other!, differs: own !== other },
  ];
}

interface ShownRead {
  readonly place: string;
  readonly what: string;
  readonly noise: string;
  readonly value: string;
  readonly curve?: { readonly law: string; readonly at: number; readonly scale: number };
}

function shownRead({ reads, atoms, apart }: Recording, k: number): ShownRead | undefined {
  const read = reads[k];
  if (read === undefined) {
    const met = apart?.read === k ? apart.met : null;
    return met === null || met === undefined
      ? undefined
      : { place: met.at, what: met.kind, noise: "", value: `${met.kind} at ${met.at}` };
  }
  const { at: place, forms } = read;
  const numbers = read.kind === "primitive"
    ? read.declared!.given
    : read.kind === "draw"
    ? chancesOf(read)
    : forms.map(([v]) => v);
  const [form] = forms, [[atom, scale] = [-1, 0]] = form?.[1] ?? [];
  return {
    place,
    what: whatOf(read),
    noise: [...new Set(forms.map((one) => noiseOf(one, atoms)))].slice(0, 2).join("; "),
    value: numbersText(numbers),
    ...(forms.length === 1 && form![1].length === 1
      ? { curve: { law: atoms[atom]!.law, at: form![0], scale: Math.abs(scale) } }
      : {}),
  };
}

/** Joins the texts of both sides, once where they are equal. */
function either(left = "", right = ""): string {
  return [...new Set([left, right])].filter((text) => text !== "").join(" or ");
}

function whatOf({ kind, forms, declared }: Read): string {
  switch (kind) {
    case "value":
      return forms.length === 1 ? "noisy value" : `${forms.length} noisy values`;
    case "sign":
      return "compared with 0";
    case "largest":
    case "smallest":
      return `${kind} of ${forms.length}`;
    case "draw":
      return "drawn by chance";
    case "primitive":
      return declared!.name;
  }
}

function noiseOf([, terms]: Form, atoms: readonly Atom[]): string {
  if (terms.length === 0) return "no noise";
  const [[atom, c]] = terms as [[number, number]];
  const { law, function: name } = atoms[atom]!;
  const own = law === "derived" ? `a function of noise (${name})` : law;
  return terms.length > 1
    ? `${own} and ${terms.length - 1} more`
    : `${own}, scale ${shownNumber(Math.abs(c))}`;
}

function chancesOf({ chances, binomial, geometric, subset, uniform }: Read): readonly number[] {
  return chances ?? binomial ?? (geometric === undefined ? undefined : [geometric]) ?? subset ??
    (uniform === undefined ? [] : [uniform]);
}

function numbersText(numbers: readonly number[]): string {
  const shown = numbers.slice(0, MOST_NUMBERS).map((x) => shownNumber(x, DIGITS)).join(", ");
  return numbers.length > MOST_NUMBERS ? `${shown}, … (${numbers.length})` : shown;
}

/** Returns the output of a run; null of one that was ended where it came apart from the first. */
function outputText({ output, error, apart }: Recording): string | null {
  if (apart !== undefined) return null;
  return error === undefined ? bareJson(output) ?? "" : `error: ${error}`;
}
