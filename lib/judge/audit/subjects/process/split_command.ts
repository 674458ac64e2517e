/**
 * Splits a command line into words as a POSIX shell does (Shell Command Language, section 2.2): blanks
 * separate words, single quotes keep everything, double quotes keep all but `\` before `$`, `` ` ``, `"`,
 * `\` and a line end, and a backslash keeps the next character. Nothing else is special: no variable,
 * pipe, pattern or redirection is interpreted, for no shell runs.
 *
 * @throws {RangeError} when there is no word, a quote is not closed, or a backslash ends the line.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(splitCommand(`python3 "my program.py" --name 'a b'`), [
 *   "python3",
 *   "my program.py",
 *   "--name",
 *   "a b",
 * ]);
 * ```
 */
export function splitCommand(command: string): string[] {
  return wordsOf(command).map(({ text }) => text);
}

/** Words that a shell takes for operators: pipes, lists and redirections. */
const OPERATOR = /^(?:\|\|?|&&?|;|<.*|[12&]?>.*)$/;

/** Returns the first word, unquoted, that a shell would take for an operator, and that would be an argument here. */
export function shellOperatorIn(command: string): string | undefined {
  return wordsOf(command).find(({ text, isBare }) => isBare && OPERATOR.test(text))?.text;
}

interface Word {
  readonly text: string;
  /** Whether nothing in it was quoted. */
  readonly isBare: boolean;
}

function wordsOf(command: string): Word[] {
  const words: Word[] = [];
  let word: string | undefined;
  let isBare = true;
  for (let i = 0; i < command.length; i++) {
    const character = command[i]!;
    if (/\s/.test(character)) {
      if (word !== undefined) words.push({ text: word, isBare });
      word = undefined;
      isBare = true;
    } else if (character === "'") {
      const end = command.indexOf("'", i + 1);
      if (end < 0) throw refusal("must close every single quote", command);
      word = (word ?? "") + command.slice(i + 1, end);
      isBare = false;
      i = end;
    } else if (character === '"') {
      const quoted = doubleQuoted(command, i + 1);
      word = (word ?? "") + quoted.text;
      isBare = false;
      i = quoted.end;
    } else if (character === "\\") {
      if (i + 1 === command.length) throw refusal("must not end with a backslash", command);
      i++;
      // A backslash before a line end joins the lines.
      if (command[i] !== "\n") {
        word = (word ?? "") + command[i];
        isBare = false;
      }
    } else {
      word = (word ?? "") + character;
    }
  }
  if (word !== undefined) words.push({ text: word, isBare });
  if (words.length === 0 || words[0]!.text === "") throw refusal("must name a program", command);
  return words;
}

/** Returns the text from `start` to the closing double quote, and where that quote is. */
function doubleQuoted(command: string, start: number): { text: string; end: number } {
  let text = "";
  for (let i = start; i < command.length; i++) {
    const character = command[i]!;
    if (character === '"') return { text, end: i };
    if (character === "\\" && i + 1 < command.length && '$`"\\\n'.includes(command[i + 1]!)) {
      i++;
      if (command[i] !== "\n") text += command[i];
    } else {
      text += character;
    }
  }
  throw refusal("must close every double quote", command);
}

function refusal(rule: string, command: string): RangeError {
  return new RangeError(
    `Cannot split a command: it ${rule}: current value is ${JSON.stringify(command)}`,
  );
}

/** Quotes a word so that a POSIX shell reads it back as it is; plain words stay bare. */
export function quoteWord(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
