import { closestName } from "../../core/text/closest_name.ts";
import { dayOf, keyOf } from "../schema/cells.ts";
import { cellOf, requireColumn } from "./column_values.ts";
import type { Condition, NumberOfRow } from "./engine/plan.ts";
import type { CheckedSchema } from "./schema.ts";

/** A word, number, text or sign of an expression. */
interface Token {
  readonly kind: "word" | "name" | "number" | "text" | "sign" | "end";
  readonly text: string;
}

const TOKEN =
  /\s*(?:(\d{4}-\d{2}-\d{2}(?![\w-]))|(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)(?![\p{L}_])|'((?:[^']|'')*)'|"((?:[^"]|"")*)"|([\p{L}_][\p{L}\p{M}\p{N}_.]*)|(<=|>=|!=|[<>=()+*/,-]))/uy;

function tokensOf(action: string, text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const at = TOKEN.lastIndex, match = TOKEN.exec(text);
    if (match === null) {
      throw new RangeError(
        `Cannot ${action}: the expression must be of columns, numbers, 'texts' and < <= > >= = != + - * / ( ), as in age >= 18 and region = 'north': ` +
          `current value at place ${at + 1} is ${
            JSON.stringify(text.slice(at).trim().slice(0, 12))
          }`,
      );
    }
    const [, date, number, quoted, name, word, sign] = match;
    if (date !== undefined) tokens.push({ kind: "text", text: date });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (quoted !== undefined) {
      tokens.push({ kind: "text", text: quoted.replaceAll("''", "'") });
    } else if (name !== undefined) tokens.push({ kind: "name", text: name.replaceAll('""', '"') });
    else if (word !== undefined) tokens.push({ kind: "word", text: word });
    else tokens.push({ kind: "sign", text: sign! });
  }
  return tokens;
}

/**
 * Reads a condition on a row: comparisons of numbers, days and values, as in `age >= 18 and region in ('north', 'east') and not job is missing`.
 * Names with blanks are in double quotes.
 *
 * @throws {RangeError} naming what is wrong with it.
 */
export function parseCondition(action: string, schema: CheckedSchema, text: string): Condition {
  return new Parser(action, schema, text).condition();
}

/** Reads a number that is computed of columns of numbers: `hours / days`. @throws {RangeError} naming what is wrong with it. */
export function parseNumber(action: string, schema: CheckedSchema, text: string): NumberOfRow {
  return new Parser(action, schema, text).number();
}

class Parser {
  readonly #action: string;
  readonly #schema: CheckedSchema;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(action: string, schema: CheckedSchema, text: string) {
    this.#action = action;
    this.#schema = schema;
    if (typeof text !== "string") {
      throw new TypeError(
        `Cannot ${action}: the expression must be text, as in "age >= 18": current type is ${typeof text}`,
      );
    }
    this.#tokens = tokensOf(action, text);
  }

  condition(): Condition {
    const found = this.#any();
    this.#end();
    return found;
  }

  number(): NumberOfRow {
    const found = this.#sum();
    this.#end();
    return found;
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { kind: "end", text: "" };
  }

  #isNext(text: string): boolean {
    const { kind, text: next } = this.#next;
    return (kind === "sign" || kind === "word") && next.toLowerCase() === text;
  }

  #took(text: string): boolean {
    if (!this.#isNext(text)) return false;
    this.#at++;
    return true;
  }

  #refuse(rule: string): never {
    const { kind, text } = this.#next;
    throw new RangeError(
      `Cannot ${this.#action}: ${rule}: current value is ${
        kind === "end" ? "the end of the expression" : text
      }`,
    );
  }

  #end(): void {
    if (this.#next.kind !== "end") {
      this.#refuse("the expression must go on with and, or, or an operator");
    }
  }

  #require(text: string): void {
    if (!this.#took(text)) this.#refuse(`there must be ${text}`);
  }

  #any(): Condition {
    const parts = [this.#all()];
    while (this.#took("or")) parts.push(this.#all());
    return parts.length === 1 ? parts[0]! : { kind: "or", parts };
  }

  #all(): Condition {
    const parts = [this.#one()];
    while (this.#took("and")) parts.push(this.#one());
    return parts.length === 1 ? parts[0]! : { kind: "and", parts };
  }

  #one(): Condition {
    if (this.#took("not")) return { kind: "not", part: this.#one() };
    const before = this.#at;
    if (this.#took("(")) {
      // A bracket may hold a condition, or the beginning of a number.
      try {
        const found = this.#any();
        this.#require(")");
        return found;
      } catch {
        this.#at = before;
      }
    }
    const name = this.#columnName();
    if (name !== undefined) {
      const { type } = requireColumn(this.#action, this.#schema.columns, name);
      const isNumber = type === "number" || type === "date";
      const after = this.#tokens[this.#at + 1];
      const word = after?.kind === "word" ? after.text.toLowerCase() : "";
      if (!isNumber || word === "is" || word === "in" || word === "not") return this.#ofCell(name);
    }
    const left = this.#sum(), { text: operator } = this.#next;
    if (!["<", "<=", ">", ">=", "=", "!="].includes(operator)) {
      this.#refuse("a number must be compared, by < <= > >= = or !=");
    }
    this.#at++;
    return { kind: "compare", operator: operator as "<", left, right: this.#sum() };
  }

  #columnName(): string | undefined {
    const { kind, text } = this.#next;
    if (kind === "name") return text;
    return kind === "word" && !["and", "or", "not", "in", "is"].includes(text.toLowerCase())
      ? text
      : undefined;
  }

  #ofCell(name: string): Condition {
    this.#at++;
    const column = requireColumn(this.#action, this.#schema.columns, name);
    const cell = cellOf(this.#schema, name);
    const isNumber = column.type === "number" || column.type === "date";
    const negated = (isNot: boolean, part: Condition): Condition =>
      isNot ? { kind: "not", part } : part;
    if (this.#took("is")) {
      const isNot = this.#took("not");
      if (this.#took("missing") || this.#took("odd")) {
        const odd: Condition = isNumber
          ? { kind: "missing", value: this.#numberOf(name, { raw: true }) }
          : { kind: "missing", cell };
        return negated(isNot, odd);
      }
      if (isNumber) {
        this.#refuse(`${name} is a number, so that there must be missing or not missing`);
      }
      return negated(isNot, { kind: "one of", cell, texts: [this.#value(name)] });
    }
    const isNot = this.#took("not");
    if (isNot || this.#isNext("in")) {
      this.#require("in");
      this.#require("(");
      const texts = [this.#value(name)];
      while (this.#took(",")) texts.push(this.#value(name));
      this.#require(")");
      return negated(isNot, { kind: "one of", cell, texts });
    }
    const isNotEqual = this.#isNext("!=");
    if (!isNotEqual && !this.#isNext("=")) {
      this.#refuse(`${name} is no column of numbers: there must be =, !=, in, is or is missing`);
    }
    this.#at++;
    return negated(isNotEqual, { kind: "one of", cell, texts: [this.#value(name)] });
  }

  /** A value of a column: of a public list, one that is in it. */
  #value(name: string): string {
    const { kind, text } = this.#next;
    if (kind === "sign" || kind === "end") this.#refuse(`there must be a value of ${name}`);
    this.#at++;
    const column = this.#schema.columns[name]!;
    if (column.type !== "category") return text;
    const texts = column.values.map((value) => keyOf(value)!);
    if (texts.includes(text)) return text;
    throw new RangeError(
      `Cannot ${this.#action}: values of ${name} must be among those declared: current value is ${text}${
        closestName(text, texts)
      }`,
    );
  }

  #sum(): NumberOfRow {
    let left = this.#product();
    while (this.#isNext("+") || this.#isNext("-")) {
      const { text } = this.#next;
      this.#at++;
      left = { kind: "apply", operator: text as "+", left, right: this.#product() };
    }
    return left;
  }

  #product(): NumberOfRow {
    let left = this.#factor();
    while (this.#isNext("*") || this.#isNext("/")) {
      const { text } = this.#next;
      this.#at++;
      left = { kind: "apply", operator: text as "*", left, right: this.#factor() };
    }
    return left;
  }

  #factor(): NumberOfRow {
    if (this.#took("-")) {
      const right = this.#factor();
      return right.kind === "constant"
        ? { kind: "constant", value: -right.value }
        : { kind: "apply", operator: "-", left: { kind: "constant", value: 0 }, right };
    }
    if (this.#took("(")) {
      const found = this.#sum();
      this.#require(")");
      return found;
    }
    const { kind, text } = this.#next;
    if (kind === "number" || (kind === "text" && !Number.isNaN(dayOf(text)))) {
      this.#at++;
      return { kind: "constant", value: kind === "number" ? Number(text) : dayOf(text) };
    }
    const name = this.#columnName();
    if (name === undefined) this.#refuse("there must be a number, a day or a column of them");
    const found = this.#numberOf(name, { raw: false });
    this.#at++;
    return found;
  }

  #numberOf(name: string, { raw }: { readonly raw: boolean }): NumberOfRow {
    const column = requireColumn(this.#action, this.#schema.columns, name);
    if (Object.hasOwn(this.#schema.derived, name)) return this.#schema.derived[name]!;
    if (column.type !== "number" && column.type !== "date") {
      throw new RangeError(
        `Cannot ${this.#action}: ${name} must be a column of numbers or days here: current type is ${column.type}`,
      );
    }
    const days = column.type === "date", { missing } = column;
    const value: NumberOfRow = { kind: "cell", cell: cellOf(this.#schema, name), days };
    if (raw || missing === undefined) return value;
    return { kind: "or else", value, missing: days ? dayOf(missing) : Number(missing) };
  }
}
