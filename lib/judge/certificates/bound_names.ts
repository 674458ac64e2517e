// deno-lint-ignore-file no-explicit-any -- a syntax tree has some seventy shapes, each of which is read by its type.
type Node = any;

/** Returns the name of a key that is written as it is. */
export function keyOf(n: Node): string {
  return n.type === "Identifier" ? n.name : String(n.value);
}

/** Returns the names that a pattern binds. */
export function boundBy(n: Node): string[] {
  switch (n?.type) {
    case "Identifier":
      return [n.name];
    case "AssignmentPattern":
      return boundBy(n.left);
    case "RestElement":
      return boundBy(n.argument);
    case "ArrayPattern":
      return n.elements.flatMap(boundBy);
    case "ObjectPattern":
      return n.properties.flatMap((each: Node) => boundBy(each.value ?? each.argument));
  }
  return [];
}

/** Returns the names that a declaration declares. */
export function namesOf(n: Node): string[] {
  if (n.type === "VariableDeclaration") {
    return n.declarations.flatMap(({ id }: Node) => boundBy(id));
  }
  return n.id ? [n.id.name] : [];
}

/** Returns the names that statements declare by `var`, those inside of blocks included and those of functions not. */
export function namesOfVar(n: Node): string[] {
  if (n === null || typeof n !== "object") return [];
  if (Array.isArray(n)) return n.flatMap(namesOfVar);
  if (/Function|Class/.test(n.type ?? "")) return [];
  const own = n.type === "VariableDeclaration" && n.kind === "var" ? namesOf(n) : [];
  return [...own, ...Object.values(n).flatMap(namesOfVar)];
}
