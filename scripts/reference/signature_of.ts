import ts from "typescript";

const files = new Map<string, ts.SourceFile>();

/** The declaration of `name` in a file without its body, with the comments of its members. */
export function signatureOf(name: string, url: string): string {
  const file = sourceFile(url);
  const found = file.statements.filter((statement) => namesOf(statement).includes(name));
  // Of a function with overloads, the implementation is not seen by callers.
  const overloads = found.filter((each) => ts.isFunctionDeclaration(each) && !each.body);
  return (overloads.length > 0 ? overloads : found).map((each) => declared(each, name, file))
    .join("\n");
}

function sourceFile(url: string): ts.SourceFile {
  const known = files.get(url);
  if (known !== undefined) return known;
  const text = Deno.readTextFileSync(new URL(url));
  const { outputText } = ts.transpileDeclaration(text, {
    fileName: url,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      declaration: true,
      isolatedDeclarations: true,
      removeComments: false,
    },
  });
  const file = ts.createSourceFile(url, outputText, ts.ScriptTarget.ES2022, true);
  files.set(url, file);
  return file;
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.Statement & { name?: ts.Identifier };
  return name === undefined ? [] : [name.text];
}

function declared(statement: ts.Statement, name: string, file: ts.SourceFile): string {
  if (ts.isVariableStatement(statement)) {
    const { type } = statement.declarationList.declarations.find((each) =>
      each.name.getText(file) === name
    )!;
    return `const ${name}: ${type?.getText(file) ?? "unknown"};`;
  }
  return statement.getText(file).replace(/^export (default )?(declare )?/, "")
    .split("\n").filter((line) => !/^\s*(#private|private .*|static #.*);/.test(line)).join("\n")
    .replaceAll(/^( {4})+/gm, (spaces) => " ".repeat(spaces.length / 2));
}
