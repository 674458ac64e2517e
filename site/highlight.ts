import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import go from "highlight.js/lib/languages/go";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import r from "highlight.js/lib/languages/r";
import rust from "highlight.js/lib/languages/rust";
import typescript from "highlight.js/lib/languages/typescript";
import yaml from "highlight.js/lib/languages/yaml";

const LANGUAGES = { bash, c, cpp, go, javascript, json, python, r, rust, typescript, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Names of blocks that are not those of the grammars. */
const CALLED: Readonly<Record<string, string>> = {
  js: "javascript",
  sh: "bash",
  ts: "typescript",
};

/** Code as markup in which words have the classes of highlight.js; `undefined` for a language without a grammar. */
export function highlighted(code: string, language: string): string | undefined {
  const name = CALLED[language] ?? language;
  if (!Object.hasOwn(LANGUAGES, name)) return undefined;
  // Shorter class names: a page of the reference has thousands.
  const marked = hljs.highlight(code, { language: name }).value
    .replaceAll(
      /<span class="hljs-([\w-]+)[^"]*">/g,
      (_, kind: string) => Object.hasOwn(SHOWN, kind) ? `<span class="${SHOWN[kind]}">` : "<span>",
    )
    .replaceAll(/<span>([^<]*)<\/span>/g, "$1");
  return name === "bash" ? unbroken(marked) : marked;
}

/** Text as it may stand between tags, or in a quoted attribute. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Markup whose options break lines between them, and not within one. */
export function unbroken(markup: string): string {
  return markup.replaceAll(/(?<![\w-])--[a-z][\w-]*/g, '<span class="ho">$&</span>');
}

/** The classes of style.css by those kinds of words that have a colour. */
const SHOWN: Readonly<Record<string, string>> = {
  attr: "hv",
  comment: "hc",
  keyword: "hk",
  literal: "hk",
  meta: "hc",
  number: "hn",
  regexp: "hs",
  string: "hs",
  title: "ht",
  variable: "hv",
};
