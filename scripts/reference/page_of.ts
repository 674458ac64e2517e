import type { Comment, Documentation, DocumentedSymbol } from "./documentation.ts";
import { signatureOf } from "./signature_of.ts";

/** The page of an entry point: a table of its symbols, then each with its declaration and comment. */
export function pageOf(entry: string, { doc, symbols }: Documentation): string {
  const own = exported(symbols);
  return [
    "<!-- Written by deno task build reference. -->",
    "",
    `# ${entry}`,
    "",
    ...(doc === "" ? [] : [plain(doc), ""]),
    "| symbol | what it is |",
    "| --- | --- |",
    ...own.map((symbol) =>
      `| [${symbol.name}](#${symbol.name.toLowerCase()}) | ${summaryOf(symbol)} |`
    ),
    "",
    ...own.flatMap(section),
  ].join("\n");
}

/** The page that lists the entry points. */
export function indexOf(
  pages: readonly { readonly entry: string; readonly page: string }[],
): string {
  return [
    "<!-- Written by deno task build reference. -->",
    "",
    "# Reference",
    "",
    "One page for each entry point of the package. The first is the one import for everyday use; importing another loads what it needs and no more.",
    "",
    ...pages.map(({ entry, page }) => `- [${entry}](${page})`),
    "",
    "[theorems.md](theorems.md) lists the theorems that the library rests on. `npx dpcheck COMMAND --help` has the options of the command line.",
    "",
  ].join("\n");
}

function exported(symbols: readonly DocumentedSymbol[]): DocumentedSymbol[] {
  return symbols.filter(({ declarations }) => declarations[0]!.declarationKind === "export")
    .toSorted((one, other) => one.name < other.name ? -1 : 1);
}

function commentOf({ declarations }: DocumentedSymbol): Comment {
  return declarations.find(({ jsDoc }) => jsDoc?.doc !== undefined)?.jsDoc ?? {};
}

/** The first sentence of the comment, in one cell. */
function summaryOf(symbol: DocumentedSymbol): string {
  const [first = ""] = plain(commentOf(symbol).doc ?? "").split(/\n\n|(?<=\.)\s/);
  return first.replaceAll(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
}

function section(symbol: DocumentedSymbol): string[] {
  const { name, declarations } = symbol;
  const { doc = "", tags = [] } = commentOf(symbol);
  const signatures = new Set(
    declarations.map(({ location }) => signatureOf(name, location.filename)),
  );
  const of = (kind: string) => tags.filter((tag) => tag.kind === kind && tag.doc !== undefined);
  return [
    `## ${name}`,
    "",
    "```ts",
    ...signatures,
    "```",
    "",
    ...(doc === "" ? [] : [plain(doc).trim(), ""]),
    ...of("param").map((tag) => `- \`${tag.name}\`: ${plain(tag.doc!).trim()}`),
    ...(of("param").length > 0 ? [""] : []),
    ...of("return").flatMap((tag) => [`Returns ${plain(tag.doc!).trim()}`, ""]),
    ...of("throws").flatMap((tag) => [`Throws ${plain(tag.doc!).trim()}`, ""]),
    ...of("example").flatMap((tag) => [plain(tag.doc!).trim(), ""]),
  ];
}

/** A comment without links to symbols, which pages do not resolve, and with links to the theorems that it names. */
function plain(text: string): string {
  return text.replaceAll(/\{@link(?:code)? ([^}|]+?)(?:\|[^}]*)?\}/g, "`$1`")
    .replaceAll(/`dpcheck prove (\w+\/\w+)`/g, "[`dpcheck prove $1`](theorems/$1.md)");
}
