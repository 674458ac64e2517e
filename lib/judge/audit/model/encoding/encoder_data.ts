import { countOf, isBlockLike, type Outputs, outputValues } from "../../kernel/outputs.ts";
import { namesOfWhole, type ScreenedForm, screenedRows } from "./screened_rows.ts";
import {
  categoryOf,
  formOf,
  KIND_CODES,
  kindOf,
  numbersInText,
  partsOf,
  UNKNOWN,
  walk,
} from "./walk_output.ts";

/** One column of an encoded output. */
export interface Column {
  /** As in `output`, `output[3]`, `output.count`, `length(output)`, `kind(output)`. */
  readonly name: string;
  /** Whether its numbers are codes, which have no order: splits compare them by equality only. */
  readonly categorical: boolean;
  /** The category behind a code, for reports. */
  readonly label?: (code: number) => string;
}

/** Turns outputs of any shape into rows of doubles, `columns.length` to a row. */
export interface Encoder {
  /** Plain numbers come first, then lengths and categories. */
  readonly columns: readonly Column[];
  /** Number of leading columns that are plain numbers: sums, extremes and positions are taken over them. */
  readonly elements: number;
  encode(outputs: Outputs): Float64Array;
  /** How many columns its own were chosen from, and what makes rows of it from rows of all of them; absent where none were left out. */
  readonly screenedFrom?: number;
  readonly screen?: (rows: Float64Array) => Float64Array;
  /** Its plain data: {@linkcode encoderFrom} makes an equal one, in another thread or on another machine. */
  readonly data: EncoderData;
}

/** The places of the columns of one path: −1 where it has none. */
export interface PathData {
  /** As in `output[3].name`. */
  readonly path: string;
  /** The categories that have codes, in the order of these. */
  readonly categories: readonly string[];
  /** The forms that have codes, in the order of these; absent for none. */
  readonly forms?: readonly string[];
  readonly form?: number;
  readonly value: number;
  readonly kind: number;
  readonly category: number;
  readonly length: number;
  readonly numbers: readonly number[];
}

/** Data of an encoder, as plain values. */
export type EncoderData =
  | { readonly kind: "block"; readonly width: number; readonly keys?: readonly string[] }
  | {
    readonly kind: "values";
    readonly columns: readonly Pick<Column, "name" | "categorical">[];
    readonly elements: number;
    readonly paths: readonly PathData[];
  }
  | ScreenedData;

/** Data of an encoder that keeps some of very many columns. */
interface ScreenedData extends ScreenedForm {
  readonly kind: "screened";
  /** Data of the encoder of all columns. */
  readonly of: Exclude<EncoderData, ScreenedData>;
}

/** Returns the encoder that is made of these values. */
export function encoderFrom(data: EncoderData): Encoder {
  if (data.kind === "screened") return screenedEncoder(data);
  return data.kind === "block" ? blockEncoder(data) : valueEncoder(data);
}

/** Returns the encoder of very wide outputs: all columns are read, and a few are kept. */
function screenedEncoder(data: ScreenedData): Encoder {
  const all = encoderFrom(data.of), { elements } = all, width = all.columns.length;
  const columns = data.kept.map((index) => all.columns[index]!);
  const screen = (rows: Float64Array): Float64Array =>
    screenedRows(rows, { ...data, width, elements });
  return {
    columns: [...columns, ...namesOfWhole(data).map((name) => ({ name, categorical: false }))],
    elements: data.kept.filter((index) => index < elements).length,
    screenedFrom: width,
    screen,
    data,
    encode: (outputs) => screen(all.encode(outputs)),
  };
}

/** Returns the encoder of blocks: rows of doubles are encoded already. */
function blockEncoder(data: Extract<EncoderData, { kind: "block" }>): Encoder {
  const { width, keys } = data;
  const columns = Array.from({ length: width }, (_, i) => ({
    name: keys !== undefined ? `output.${keys[i]}` : width === 1 ? "output" : `output[${i}]`,
    categorical: false,
  }));
  return {
    columns,
    elements: width,
    data,
    encode(outputs): Float64Array {
      return isBlockLike(outputs, data) ? outputs.values : rowsOfForm(outputs, data);
    },
  };
}

/** Returns the encoder of outputs of any shape. */
function valueEncoder(data: Extract<EncoderData, { kind: "values" }>): Encoder {
  const { elements } = data, width = data.columns.length;
  const labels = new Map<number, (code: number) => string>();
  for (const { kind, category, categories, form = -1, forms = [] } of data.paths) {
    if (form >= 0) labels.set(form, (code) => forms[code] ?? "unknown");
    if (kind >= 0) labels.set(kind, (code) => KIND_CODES[code]!);
    if (category >= 0) labels.set(category, (code) => categories[code] ?? "unknown");
  }
  const columns = data.columns.map((column, at): Column => {
    const label = labels.get(at);
    return label === undefined ? column : { ...column, label };
  });
  const paths = new Map(
    data.paths.map((own) => [own.path, {
      ...own,
      codes: new Map(own.categories.map((name, code) => [name, code])),
      form: own.form ?? -1,
      forms: new Map(own.forms?.map((name, code) => [name, code])),
    }]),
  );
  return {
    columns,
    elements,
    data,
    encode(outputs): Float64Array {
      const rows = new Float64Array(countOf(outputs) * width).fill(NaN);
      let offset = 0;
      for (const value of outputValues(outputs)) {
        walk(value, "output", (path, inner, kind) => {
          const own = paths.get(path);
          if (own === undefined) return;
          if (own.value >= 0 && (kind === "number" || kind === "boolean")) {
            rows[offset + own.value] = Number(inner);
          }
          if (kind === "string" && own.numbers.length > 0) {
            numbersInText(inner as string).forEach((x, k) => {
              if (k < own.numbers.length) rows[offset + own.numbers[k]!] = x;
            });
          }
          if (own.form >= 0) {
            rows[offset + own.form] = own.forms.get(formOf(inner, kind)) ?? UNKNOWN;
          }
          if (own.kind >= 0) rows[offset + own.kind] = KIND_CODES.indexOf(kind);
          if (own.category >= 0 && kind !== "number" && kind !== "array") {
            rows[offset + own.category] = own.codes.get(categoryOf(inner, kind)) ?? UNKNOWN;
          }
          if (own.length >= 0 && (kind === "array" || kind === "string")) {
            rows[offset + own.length] = (inner as ArrayLike<unknown>).length;
          }
        });
        offset += width;
      }
      return rows;
    },
  };
}

/** Returns outputs of another shape than the block's: an output that is not a row of its form becomes missing values. */
function rowsOfForm(
  outputs: Outputs,
  { width, keys }: Extract<EncoderData, { kind: "block" }>,
): Float64Array {
  const rows = new Float64Array(countOf(outputs) * width).fill(NaN);
  let offset = 0;
  for (const value of outputValues(outputs)) {
    if (width === 1 && typeof value === "number") rows[offset] = value;
    else if (keys !== undefined) {
      const own = kindOf(value) === "record" ? partsOf(value as object) : {};
      // Records whose keys are written in another order are others, as in a block.
      if (Object.keys(own).join() === keys.join()) {
        keys.forEach((key, j) => {
          if (typeof own[key] === "number") rows[offset + j] = own[key];
        });
      }
    } else if (kindOf(value) === "array" && (value as ArrayLike<unknown>).length === width) {
      // A typed array among other outputs is encoded as in a block. The bets on a batch are a product over its outputs
      // only if an output's encoding does not depend on the others.
      for (let j = 0; j < width; j++) {
        const x = (value as ArrayLike<unknown>)[j];
        if (typeof x === "number") rows[offset + j] = x;
      }
    }
    offset += width;
  }
  return rows;
}
