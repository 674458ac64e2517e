/** What `deno doc --json` says of a symbol, as far as pages use it. */
export interface DocumentedSymbol {
  readonly name: string;
  readonly declarations: readonly Declaration[];
}

/** Where a symbol is declared, and its comment. */
export interface Declaration {
  readonly location: { readonly filename: string; readonly line: number };
  readonly declarationKind: string;
  readonly kind: string;
  readonly jsDoc?: Comment;
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

/** What the files of entry points export, by these files. @throws {Error} when `deno doc` fails. */
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
  return new Map(files.map((file) => {
    const { module_doc, symbols } = nodes[new URL(file, root).href]!;
    return [file, { doc: module_doc?.doc ?? "", symbols }];
  }));
}
