import type { Comment, Documentation, DocumentedSymbol } from "./documentation.ts";
import { signatureOf } from "./signature_of.ts";
import { TASKS } from "./tasks.ts";

/** The page on which a symbol is described. */
type HomeOf = (symbol: DocumentedSymbol) => string;

/** The page of an entry point: a table of its symbols, then those with their declarations and comments that no nearer entry describes. */
export function pageOf(
  entry: string,
  { documentation: { doc, symbols }, page, homeOf }: {
    readonly documentation: Documentation;
    readonly page: string;
    readonly homeOf: HomeOf;
  },
): string {
  const all = exported(symbols);
  return [
    "<!-- Written by deno task build reference. -->",
    "",
    `# ${entry}`,
    "",
    ...(doc === "" ? [] : [plain(doc), ""]),
    ...tableOf(all, (symbol) => homeOf(symbol) === page ? "" : homeOf(symbol)),
    ...all.filter((symbol) => homeOf(symbol) === page).flatMap(section),
  ].join("\n");
}

/** Symbols with what each is, as a table of links. */
function tableOf(symbols: readonly DocumentedSymbol[], pageOf: HomeOf): string[] {
  return [
    "| symbol | what it is |",
    "| --- | --- |",
    ...symbols.map((symbol) =>
      `| [${symbol.name}](${pageOf(symbol)}#${symbol.name.toLowerCase()}) | ${summaryOf(symbol)} |`
    ),
    "",
  ];
}

/** The page that finds functions: by task, by entry point, and by alphabet. */
export function indexOf(
  pages: readonly { readonly entry: string; readonly page: string; readonly file: string }[],
  { documents, homeOf }: {
    readonly documents: ReadonlyMap<string, Documentation>;
    readonly homeOf: HomeOf;
  },
): string {
  const all = new Map<string, DocumentedSymbol>();
  for (const { page, file } of pages) {
    for (const symbol of exported(documents.get(file)!.symbols)) {
      if (homeOf(symbol) === page && !all.has(symbol.name)) all.set(symbol.name, symbol);
    }
  }
  const named = (name: string): DocumentedSymbol => {
    const symbol = all.get(name);
    if (symbol === undefined) {
      throw new Error(`Cannot write the reference: nothing exports ${name}`);
    }
    return symbol;
  };
  const byAlphabet = Map.groupBy(
    [...all.values()].sort((a, b) => a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1),
    ({ name }) => name[0]!.toUpperCase(),
  );
  return [
    "<!-- Written by deno task build reference. -->",
    "",
    "# Reference",
    "",
    "`npx dpcheck COMMAND --help` has the options of the command line; [The commands](../../docs/commands.md) are on a page.",
    "",
    ...TASKS.flatMap((
      { title, names },
    ) => [`## ${title}`, "", ...tableOf(names.map(named), homeOf)]),
    "## By entry point",
    "",
    "The first is the one import for everyday use; importing another loads what it needs and no more.",
    "",
    ...pages.map(({ entry, page }) => `- [${entry}](${page})`),
    "",
    "[theorems.md](theorems.md) lists the theorems that the library rests on.",
    "",
    "## By alphabet",
    "",
    ...[...byAlphabet].flatMap(([letter, symbols]) => [
      `**${letter}** ${
        symbols.map((symbol) => `[${symbol.name}](${homeOf(symbol)}#${symbol.name.toLowerCase()})`)
          .join(", ")
      }`,
      "",
    ]),
  ].join("\n");
}

function exported(symbols: readonly DocumentedSymbol[]): DocumentedSymbol[] {
  return symbols.filter(({ declarations }) => declarations[0]!.declarationKind === "export")
    .toSorted((one, other) => orderOf(one.name) < orderOf(other.name) ? -1 : 1);
}

/** Functions stand before the types that they take and give, by alphabet. */
function orderOf(name: string): string {
  return `${/^[a-z]/.test(name) ? 0 : 1}${name.toLowerCase()}`;
}

function commentOf({ declarations }: DocumentedSymbol): Comment {
  return declarations.find(({ jsDoc }) => jsDoc?.doc !== undefined)?.jsDoc ?? {};
}

/** The first sentence of the comment, in one cell. */
function summaryOf(symbol: DocumentedSymbol): string {
  const [first = ""] = plain(commentOf(symbol).doc ?? "").split(/\n\n|(?<=(?<!\bal)\.)\s/);
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
