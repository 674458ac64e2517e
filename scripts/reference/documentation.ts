/** The parts of the output of `deno doc --json` that pages use. */
export interface DocumentedSymbol {
  readonly name: string;
  readonly declarations: readonly Declaration[];
}

/** A place in a source file. */
interface Location {
  readonly filename: string;
  readonly line: number;
}

/** The declaration of a symbol, and its comment. */
export interface Declaration {
  readonly location: Location;
  readonly declarationKind: string;
  readonly kind: string;
  readonly jsDoc?: Comment;
  /** Of a symbol that another entry point documents (`kind` is "reference"): where it is declared. */
  readonly def?: { readonly target?: Location };
}

/** A comment with its tags. */
export interface Comment {
  readonly doc?: string;
  readonly tags?: readonly {
    readonly kind: string;
    readonly name?: string;
    readonly doc?: string;
  }[];
}

/** An entry point: the comment of its file, and what it exports. */
export interface Documentation {
  readonly doc: string;
  readonly symbols: readonly DocumentedSymbol[];
}

/** The exports of entry points, by file. @throws {Error} when `deno doc` fails. */
export async function documentationOf(
  files: readonly string[],
  root: URL,
): Promise<Map<string, Documentation>> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", ...files],
    cwd: root,
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot write the reference: ${decoder.decode(stderr)}`);
  const { nodes } = JSON.parse(decoder.decode(stdout)) as {
    nodes: Record<string, { module_doc?: { doc?: string }; symbols: DocumentedSymbol[] }>;
  };
  const documented = Map.groupBy(
    Object.values(nodes).flatMap(({ symbols }) =>
      symbols.flatMap(({ declarations }) => declarations)
    )
      .filter(({ kind }) => kind !== "reference"),
    ({ location }) => placeOf(location),
  );
  return new Map(files.map((file) => {
    const { module_doc, symbols } = nodes[new URL(file, root).href]!;
    return [file, {
      doc: module_doc?.doc ?? "",
      symbols: symbols.map(({ name, declarations }) => ({
        name,
        declarations: declarations.flatMap((each) =>
          each.kind === "reference" ? documented.get(placeOf(each.def!.target!)) ?? [] : [each]
        ),
      })),
    }];
  }));
}

function placeOf({ filename, line }: Location): string {
  return `${filename}:${line}`;
}
