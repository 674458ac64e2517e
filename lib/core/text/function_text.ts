/** A name of a variable. */
export const NAME: RegExp = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Returns true if a parameter has a default: an equals sign outside of brackets. */
export function hasDefault(parameter: string): boolean {
  let depth = 0;
  for (const [token] of tokens(parameter)) {
    if (OPENING.includes(token)) depth++;
    else if (CLOSING.includes(token)) depth--;
    else if (token === "=" && depth === 0) return true;
  }
  return false;
}

/** Brackets. */
export const OPENING: readonly string[] = ["(", "[", "{"],
  CLOSING: readonly string[] = [")", "]", "}"];

/** The parameters of a function's text, and what comes after them; `undefined` where they are not found. */
export function parametersOf(
  code: string,
): { readonly parameters: readonly string[]; readonly body: string } | undefined {
  const parameters: string[] = [];
  let depth = 0, isInside = false, begun = 0, last = "";
  for (const [token, at] of tokens(code)) {
    if (!isInside) {
      // The name of a method may be computed: the list begins outside of its brackets.
      if (token === "(" && depth === 0) {
        isInside = true;
        begun = at + 1;
      } else if (token === "=>" && depth === 0) {
        return { parameters: [last], body: code.slice(at) };
      } else if (token === "[" || (depth > 0 && OPENING.includes(token))) depth++;
      else if (CLOSING.includes(token)) depth--;
      else last = token;
      continue;
    }
    if (OPENING.includes(token)) depth++;
    else if (token === "," && depth === 0) {
      parameters.push(code.slice(begun, at).trim());
      begun = at + 1;
    } else if (CLOSING.includes(token) && depth-- === 0) {
      const rest = code.slice(begun, at).trim();
      // A comma may come last.
      if (rest !== "") parameters.push(rest);
      return { parameters, body: code.slice(at + 1) };
    }
  }
  return undefined;
}

/** A token that a slash after it would divide: a name, a number, a text or a closing bracket. */
const OPERAND = /[\p{ID_Continue}$"'`)\]}]$/u;
/** Words that are followed by a value, or by a bracket that calls nothing. */
export const KEYWORD: RegExp =
  /^(return|typeof|case|in|of|delete|void|throw|new|do|else|instanceof|yield|await|if|while|for|switch|with|catch)$/;
const TOKEN =
  /\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|[\p{ID_Start}$_#\\][\p{ID_Continue}$\u200c\u200d\\{}]*?(?![\p{ID_Continue}$\u200c\u200d])|\.?\d[\p{ID_Continue}.]*|=>|===?|!==?|[<>]=|\.\.\.|[^\s]/uy;
const REGEX = /\/(?:[^\/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[\p{ID_Continue}]*/uy;

/** The tokens of a text of JavaScript with their places; comments, too. */
export function* tokens(code: string): Generator<readonly [token: string, at: number]> {
  let before = "";
  for (let at = 0; at < code.length;) {
    if (/\s/.test(code[at]!)) {
      at++;
      continue;
    }
    const isOperand = OPERAND.test(before) && !KEYWORD.test(before);
    const isComment = code.startsWith("//", at) || code.startsWith("/*", at);
    let token: string | undefined;
    if (code[at] === "`") token = code.slice(at, endOfTemplate(code, at));
    else {
      const pattern = code[at] === "/" && !isComment && !isOperand ? REGEX : TOKEN;
      pattern.lastIndex = at;
      token = pattern.exec(code)?.[0] ?? code[at]!;
    }
    yield [token, at];
    at += token.length;
    if (!isComment) before = token;
  }
}

/** The place after a template that begins at a place. */
function endOfTemplate(code: string, begin: number): number {
  let at = begin + 1;
  while (at < code.length) {
    if (code[at] === "\\") at += 2;
    else if (code[at] === "`") return at + 1;
    else if (code.startsWith("${", at)) {
      at += 2;
      let depth = 0, end = code.length;
      for (const [token, place] of tokens(code.slice(at))) {
        if (token === "{") depth++;
        else if (token === "}" && depth-- === 0) {
          end = at + place + 1;
          break;
        }
      }
      at = end;
    } else at++;
  }
  return code.length;
}

/** The text with a space in place of each comment, and empty texts: nothing in them is code. */
export function withoutComments(code: string): string {
  let plain = "", end = 0;
  for (const [token, at] of tokens(code)) {
    plain += code.slice(end, at);
    end = at + token.length;
    const isComment = token.startsWith("//") || token.startsWith("/*");
    plain += isComment ? " " : /^["']/.test(token) ? '""' : token;
  }
  return plain + code.slice(end);
}
