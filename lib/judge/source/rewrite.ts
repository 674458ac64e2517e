// deno-lint-ignore-file no-explicit-any -- a syntax tree has some seventy shapes, of which most are only copied.
import { parse } from "acorn";
import { generate } from "astring";
import { GLOBALS } from "./natives.ts";
import { OPERATORS, TOLD_KEYS } from "./operators.ts";

/** A node of a syntax tree (ESTree). */
type Node = any;

/** How a module is rewritten. */
export interface RewriteOptions {
  /** The name of the file, as reports show it. */
  readonly file: string;
  /** The value of `import.meta.url`. Default: it stays as it is. */
  readonly url?: string;
  /** The specifier that takes the place of another one. Default: the same. */
  readonly specifier?: (specifier: string, at: string) => string;
  /** The specifier of a module whose default export is the operations: a module may name any global of its own. */
  readonly operations: string;
  /** Whether the text was TypeScript: imports that only types used are left out. */
  readonly wasTyped?: boolean;
}

/** A rewritten module. */
export interface Rewritten {
  /** Its code. */
  readonly code: string;
  /** The line of the text that each line of the code comes from, counted from 1; 0 for lines that were added. */
  readonly lines: readonly number[];
  /** Parts that cannot be followed in any run, with their places. */
  readonly notes: readonly { readonly what: string; readonly at: string }[];
}

const id = (name: string): Node => ({ type: "Identifier", name });
const lit = (value: unknown): Node => ({ type: "Literal", value, raw: JSON.stringify(value) });
const op = (name: string, ...args: Node[]): Node => ({
  type: "CallExpression",
  optional: false,
  arguments: args,
  callee: {
    type: "MemberExpression",
    object: id(runtime),
    property: id(name),
    computed: false,
    optional: false,
  },
});
const array = (elements: Node[]): Node => ({ type: "ArrayExpression", elements });
const choose = (test: Node, consequent: Node, alternate: Node): Node => ({
  type: "ConditionalExpression",
  test,
  consequent,
  alternate,
});
const assign = (left: Node, right: Node): Node => ({
  type: "AssignmentExpression",
  operator: "=",
  left,
  right,
});
const sequence = (...expressions: Node[]): Node => ({ type: "SequenceExpression", expressions });
const statement = (expression: Node): Node => ({ type: "ExpressionStatement", expression });
const undefinedValue: Node = {
  type: "UnaryExpression",
  operator: "void",
  prefix: true,
  argument: lit(0),
};

/** What the names begin with that are added to the module that is being rewritten, and the one of them that holds the operations. */
let mark = "$", runtime = "$t$";
/** The directive by which functions of rewritten modules are known. */
export const FOLLOWED = "$followed";
const member = (object: Node, name: string): Node => ({
  type: "MemberExpression",
  object,
  property: id(name),
  computed: false,
  optional: false,
});
const last = (): Node => member(id(runtime), "last");
/** A beginning of names that no name of the module has. */
function freeMark(tree: Node): string {
  const names = new Set<string>();
  const visit = (n: Node): void => {
    if (n === null || typeof n !== "object") return;
    if (Array.isArray(n)) return n.forEach(visit);
    if (n.type === "Identifier") names.add(n.name);
    for (const [k, v] of Object.entries(n)) if (k !== "loc" && v && typeof v === "object") visit(v);
  };
  visit(tree);
  const isTaken = (mark: string): boolean => [...names].some((name) => name.startsWith(mark));
  if (![...names].some((name) => /^\$([a-z]+\d+|t\$)$/.test(name))) return "$";
  for (let i = 0;; i++) if (!isTaken(`$${i}_`)) return `$${i}_`;
}
/** Whether a pattern reads by a key that is asked for: a place in a list, or what is told where a member is read. */
const isAskedKey = (p: Node): boolean =>
  p.computed || /^\d/.test(String(p.key.value)) || TOLD_KEYS.test(p.key.name ?? p.key.value);
const followed = (): Node => ({
  type: "ExpressionStatement",
  expression: lit(FOLLOWED),
  directive: FOLLOWED,
});

/** Names that a pattern binds. */
function namesIn(pattern: Node): string[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((p: Node) =>
        namesIn(p.type === "RestElement" ? p : p.value)
      );
    case "ArrayPattern":
      return pattern.elements.flatMap(namesIn);
    case "RestElement":
      return namesIn(pattern.argument);
    case "AssignmentPattern":
      return namesIn(pattern.left);
    default:
      return [];
  }
}

/** Names that the rest of a pattern is bound to: lists and records that no literal makes. */
function restsIn(pattern: Node): string[] {
  switch (pattern?.type) {
    case "ObjectPattern":
      return pattern.properties.flatMap((p: Node) =>
        restsIn(p.type === "RestElement" ? p : p.value)
      );
    case "ArrayPattern":
      return pattern.elements.flatMap(restsIn);
    case "RestElement":
      return pattern.argument.type === "Identifier"
        ? [pattern.argument.name]
        : restsIn(pattern.argument);
    case "AssignmentPattern":
      return restsIn(pattern.left);
    default:
      return [];
  }
}

const hasArrayPattern = (n: Node): boolean =>
  n?.type === "ArrayPattern" || n?.type === "AssignmentPattern" && hasArrayPattern(n.left);

/** The variables of a block, a function or the module. What assigns to those of another function may keep state. */
class Scope {
  readonly names = new Set<string>();
  /** The scope of the function, or of the module, that the block is in. */
  readonly holder: Scope;
  /** Variables that the rewritten code needs in this function. */
  readonly temporaries: string[] = [];
  /** Whether functions inside assign to its variables. */
  isCaptured = false;

  constructor(readonly outer: Scope | undefined, readonly number: number, isBlock = false) {
    this.holder = isBlock ? outer!.holder : this;
  }

  /** The function whose variable it is; `undefined` for globals. */
  of(name: string): Scope | undefined {
    return this.names.has(name) ? this.holder : this.outer?.of(name);
  }
}

const DEFINING = /^(assign|defineProperty|defineProperties|setPrototypeOf)$/;
/** Names of variables whose members a module assigns to, or defines. */
function namesOfChangedMembers(tree: Node): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (n: Node): void => {
    if (n === null || typeof n !== "object") return;
    if (Array.isArray(n)) return n.forEach(visit);
    const changed = n.type === "AssignmentExpression"
      ? n.left.object
      : n.type === "UpdateExpression" || n.operator === "delete"
      ? n.argument.object
      : n.type === "CallExpression" && DEFINING.test(n.callee.property?.name ?? "")
      ? n.arguments[0]
      : undefined;
    if (changed?.type === "Identifier") names.add(changed.name);
    for (const [k, v] of Object.entries(n)) if (k !== "loc" && v && typeof v === "object") visit(v);
  };
  visit(tree);
  return names;
}

/** Returns true if a block may end in another way than at its end, so that what was thrown is lost. */
function leaves(n: Node): boolean {
  if (n === null || typeof n !== "object") return false;
  if (Array.isArray(n)) return n.some(leaves);
  if (/Function|Class/.test(n.type ?? "")) return false;
  return /^(Return|Break|Continue)Statement$/.test(n.type ?? "") ||
    Object.entries(n).some(([k, v]) => k !== "loc" && leaves(v));
}

/** Adds the names of `var` in statements and the blocks inside of them. */
function hoist(n: Node, to: Scope): void {
  if (n === null || typeof n !== "object") return;
  if (Array.isArray(n)) return n.forEach((each) => hoist(each, to));
  if (/Function|Class/.test(n.type ?? "")) return;
  if (n.type === "VariableDeclaration" && n.kind === "var") {
    for (const each of n.declarations) namesIn(each.id).forEach((name) => to.names.add(name));
  }
  for (const [k, v] of Object.entries(n)) {
    if (k !== "loc" && v && typeof v === "object") hoist(v, to);
  }
}

/** Adds what the statements of one block declare. */
function declare(statements: readonly Node[], to: Scope): void {
  for (const each of statements) {
    const n = /^Export/.test(each?.type ?? "") ? each.declaration : each;
    if (n?.type === "VariableDeclaration" && n.kind !== "var") {
      for (const { id } of n.declarations) namesIn(id).forEach((name) => to.names.add(name));
    } else if (/^(Function|Class)Declaration$/.test(n?.type ?? "") && n.id) to.names.add(n.id.name);
    else if (n?.type === "ImportDeclaration") {
      n.specifiers.forEach((s: Node) => to.names.add(s.local.name));
    }
  }
}

/**
 * Rewrites a module: each operator, condition, member, call, template, loop, update and assignment becomes a call of an operation, so
 * that values that are followed are seen in all of them.
 *
 * @throws {SyntaxError} for a text that is no module.
 */
export function rewrite(
  text: string,
  { file, url, specifier = (each) => each, operations: from, wasTyped = false }: RewriteOptions,
): Rewritten {
  let tree: Node;
  try {
    tree = parse(text, {
      ecmaVersion: "latest",
      sourceType: "module",
      locations: true,
      allowHashBang: true,
    });
  } catch (error) {
    throw new SyntaxError(`Cannot rewrite ${file}: ${(error as Error).message}`, { cause: error });
  }
  if (wasTyped) dropUnusedImports(tree);
  mark = freeMark(tree);
  runtime = `${mark}t$`;
  const notes: { what: string; at: string }[] = [];
  const changedMembers = namesOfChangedMembers(tree);
  let temps = 0, scopes = 0;
  let scope = new Scope(undefined, scopes++);
  const at = (n: Node): Node => lit(place(n));
  const place = (n: Node): string => `${file}:${n.loc.start.line}`;
  const temporary = (letter: string): string => {
    const name = `${mark}${letter}${temps++}`;
    holder.temporaries.push(name);
    return name;
  };
  hoist(tree.body, scope);
  declare(tree.body, scope);
  let holder = scope;

  /** Does some work in a block of its own, with these statements' names. */
  function inBlock<Result>(
    declarations: readonly Node[],
    work: () => Result,
    more: readonly string[] = [],
  ): Result {
    const outer = scope;
    scope = new Scope(outer, scopes++, true);
    declare(declarations, scope);
    more.forEach((name) => scope.names.add(name));
    try {
      return work();
    } finally {
      scope = outer;
    }
  }

  const key = (m: Node): Node => m.computed ? x(m.property) : lit(m.property.name);
  const isPlain = (m: Node): boolean =>
    m.object.type === "Super" || m.property.type === "PrivateIdentifier";
  const list = (args: Node[]): Node =>
    array(
      args.map((a) =>
        a.type === "SpreadElement" ? { ...a, argument: op("iter", x(a.argument), at(a)) } : x(a)
      ),
    );

  /** An assignment to a variable, which says so where the variable may be older than the run. */
  function put(name: string, value: Node, n: Node): Node {
    const of = scope.of(name);
    if (of === undefined) return assign(id(name), op("kept", value, lit(name), at(n), lit(-1)));
    if (of === scope.holder) return assign(id(name), value);
    of.isCaptured = true;
    return assign(id(name), op("kept", value, lit(name), at(n), id(`${mark}run${of.number}`)));
  }
  const assigned = (n: Node): Node[] =>
    namesIn(n).flatMap((name) => {
      const of = scope.of(name);
      if (of === scope.holder) return [];
      if (of !== undefined) of.isCaptured = true;
      return [
        op("kept", undefinedValue, lit(name), at(n), of ? id(`${mark}run${of.number}`) : lit(-1)),
      ];
    });

  /** A chain a?.b.c(): the rest of it is evaluated where the optional link is neither null nor undefined. */
  function chain(n: Node, rest: (e: Node) => Node): Node {
    const link = (base: Node, then: (e: Node) => Node): Node =>
      n.optional ? choose(op("some", base), rest(then(last())), undefinedValue) : rest(then(base));
    if (n.type === "MemberExpression" && !isPlain(n)) {
      return chain(n.object, (o) => link(o, (b) => op("get", b, key(n), at(n))));
    }
    if (n.type === "CallExpression" && n.callee.type === "MemberExpression" && !isPlain(n.callee)) {
      const m = n.callee;
      return chain(m.object, (o) => {
        const method = (b: Node): Node =>
          n.optional
            ? choose(
              op("someMethod", b, key(m), at(m)),
              rest(op("callLast", list(n.arguments), at(n))),
              undefinedValue,
            )
            : rest(op("method", b, key(m), list(n.arguments), at(n), lit(textOf(m))));
        return m.optional ? choose(op("some", o), method(last()), undefinedValue) : method(o);
      });
    }
    if (n.type === "CallExpression" && n.callee.type !== "Super") {
      return chain(
        n.callee,
        (f) =>
          link(
            f,
            (b) => op("call", b, undefinedValue, list(n.arguments), at(n), lit(textOf(n.callee))),
          ),
      );
    }
    return rest(x(n));
  }
  const textOf = (n: Node): string => {
    const written = text.slice(n.start, n.end);
    return written.length > 60 ? `${written.slice(0, 57)}...` : written;
  };

  function functionOf(
    f: Node,
    { kind, derived = false }: { kind?: string | undefined; derived?: boolean } = {},
  ): Node {
    const outer = scope, outerHolder = holder;
    const own = scope = new Scope(outer, scopes++);
    if (f.type !== "ArrowFunctionExpression") own.names.add("arguments");
    if (f.type === "FunctionExpression" && f.id) own.names.add(f.id.name);
    f.params.forEach((p: Node) => namesIn(p).forEach((name) => own.names.add(name)));
    hoist(f.body, own);
    if (f.body.type === "BlockStatement") declare(f.body.body, own);
    const before: Node[] = [];
    // Defaults of parameters are evaluated outside of the body: what they need is declared around the function.
    const params = f.params.map((p: Node) => {
      if (!hasArrayPattern(p)) return x(p);
      // A list in a parameter is read by its iterator natively: it is taken apart in the body.
      const name = `${mark}p${temps++}`;
      const [pattern, initial] = p.type === "AssignmentPattern"
        ? [p.left, p.right]
        : [p, undefined];
      before.push({
        type: "VariableDeclaration",
        kind: "let",
        declarations: [{
          type: "VariableDeclarator",
          id: x(pattern),
          init: op("iter", id(name), at(p)),
        }],
      });
      return initial === undefined
        ? id(name)
        : { type: "AssignmentPattern", left: id(name), right: x(initial) };
    });
    holder = own;
    const rests = f.params.flatMap(restsIn).map((name: string) => statement(op("born", id(name))));
    let body: Node[] = f.body.type === "BlockStatement"
      ? statements(f.body.body)
      : [{ type: "ReturnStatement", argument: x(f.body) }];
    if (kind === "constructor") body = body.map(constructed);
    if (kind === "done") {
      body = body.map((each) => returning(each, (value) => op("flag", value, at(f))));
    }
    scope = outer;
    holder = outerHolder;
    const start: Node[] = [followed()];
    if (own.isCaptured) start.push(constant(`${mark}run${own.number}`, op("epoch")));
    if (own.temporaries.length > 0) start.push(declared(own.temporaries));
    if (f.async) start.push(statement(op("later", at(f))));
    if (kind === "constructor" && !derived) {
      start.push(statement(op("born", { type: "ThisExpression" })));
    }
    return {
      ...f,
      params,
      expression: false,
      body: { type: "BlockStatement", body: [...start, ...before, ...rests, ...body] },
    };
  }
  /** A constructor that returns a number goes on with its own object. */
  const constructed = (n: Node): Node => returning(n, (value) => op("constructed", value));
  function returning(n: Node, change: (value: Node) => Node): Node {
    if (n === null || typeof n !== "object") return n;
    if (Array.isArray(n)) return n.map((each) => returning(each, change));
    if (/Function|Class/.test(n.type ?? "")) return n;
    if (n.type === "ReturnStatement") {
      return n.argument ? { ...n, argument: change(n.argument) } : n;
    }
    const copy: Node = {};
    for (const [k, v] of Object.entries(n)) copy[k] = k === "loc" ? v : returning(v, change);
    return copy;
  }
  const born = (name: string): Node => statement(op("born", id(name)));
  /** The body of a loop or a clause that begins with what is said of the lists and records that its pattern makes. */
  const bodyWith = (pattern: Node, body: Node): Node => {
    const names = pattern?.type === "VariableDeclaration"
      ? pattern.declarations.flatMap((each: Node) => restsIn(each.id))
      : restsIn(pattern);
    return names.length === 0
      ? x(body)
      : { type: "BlockStatement", body: [...names.map(born), x(body)] };
  };
  const error = (): Node => id(`${mark}e`);
  /** A handler that says what it catches, and then does this. */
  const caught = (n: Node, then: Node): Node => ({
    type: "CatchClause",
    param: error(),
    body: {
      type: "BlockStatement",
      body: [statement(op("caught", error(), at(n))), then],
    },
  });
  const constant = (name: string, value: Node): Node => ({
    type: "VariableDeclaration",
    kind: "const",
    declarations: [{ type: "VariableDeclarator", id: id(name), init: value }],
  });
  const declared = (names: string[]): Node => ({
    type: "VariableDeclaration",
    kind: "let",
    declarations: names.map((n) => ({ type: "VariableDeclarator", id: id(n), init: null })),
  });

  /** Statements in a list, each with what is said of the lists and records that its patterns make. */
  function statements(all: Node[]): Node[] {
    const newborn = (f: Node): Node[] =>
      f?.type === "Identifier" && changedMembers.has(f.name)
        ? [statement(op("newborn", id(f.name)))]
        : [];
    const hoisted = all.flatMap((n) => n.type === "FunctionDeclaration" ? newborn(n.id) : []);
    return [
      ...hoisted,
      ...all.flatMap((n) => {
        const d = n.type === "ExportNamedDeclaration" ? n.declaration : n;
        const made = d?.type !== "VariableDeclaration" ? [] : d.declarations.flatMap((
          each: Node,
        ) => [
          ...restsIn(each.id).map(born),
          ...(/Function/.test(each.init?.type ?? "") ? newborn(each.id) : []),
        ]);
        return [x(n), ...made];
      }),
    ];
  }

  const test = (n: Node): Node => n && op("test", x(n), at(n));
  function compound(n: Node): Node {
    const operator = n.operator.slice(0, -1), l = n.left;
    const isLogical = ["&&", "||", "??"].includes(operator);
    const value = (old: Node): Node =>
      isLogical ? null : op(`b${OPERATORS.indexOf(operator)}`, old, x(n.right), at(n));
    const either = (old: Node, set: Node): Node =>
      operator === "??"
        ? choose(op("some", old), last(), set)
        : operator === "&&"
        ? choose(op("cond", old, at(n)), set, last())
        : choose(op("cond", old, at(n)), last(), set);
    if (l.type === "Identifier") {
      return isLogical ? either(l, put(l.name, x(n.right), n)) : put(l.name, value(l), n);
    }
    if (isPlain(l)) {
      const read = native(l);
      return isLogical
        ? either(read, assign(touched(l), x(n.right)))
        : assign(touched(l), value(read));
    }
    const o = temporary("o"), k = temporary("k");
    const read = op("get", id(o), id(k), at(n));
    return sequence(
      assign(id(o), x(l.object)),
      assign(id(k), l.computed ? op("key", x(l.property), at(l)) : lit(l.property.name)),
      isLogical
        ? either(read, op("set", id(o), id(k), x(n.right), at(n)))
        : op("set", id(o), id(k), value(read), at(n)),
    );
  }
  const fieldOfSuper = (l: Node, value: Node): Node =>
    l.object.type === "Super" && !l.computed
      ? op("field", lit(l.property.name), value, at(l))
      : value;
  const native = (m: Node): Node => ({
    ...m,
    object: m.object.type === "Super" ? m.object : x(m.object),
    property: m.computed ? op("key", x(m.property), at(m)) : m.property,
  });
  /** A member that is assigned to natively; its object may be older than the run. */
  const touched = (m: Node): Node => {
    const n = native(m);
    return m.object.type === "Super" ? n : { ...n, object: op("touched", n.object, at(m)) };
  };
  /** A pattern or a member that is assigned to natively, as in [a.b] = …: only its keys are rewritten. */
  const target = (n: Node): Node =>
    n?.type !== "MemberExpression"
      ? x(n)
      : isPlain(n)
      ? touched(n)
      : member(op("slot", x(n.object), key(n), at(n)), "value");

  function x(n: Node): Node {
    if (n === null || n === undefined) return n;
    if (Array.isArray(n)) return n.map(x);
    switch (n.type) {
      case "BinaryExpression":
        if (n.left.type === "PrivateIdentifier") return { ...n, right: x(n.right) };
        if (n.operator === "in") return op("has", x(n.left), x(n.right), at(n));
        if (n.operator === "instanceof") return op("instance", x(n.left), x(n.right), at(n));
        return op(`b${OPERATORS.indexOf(n.operator)}`, x(n.left), x(n.right), at(n));
      case "LogicalExpression":
        if (n.operator === "??") return choose(op("some", x(n.left)), last(), x(n.right));
        return n.operator === "&&"
          ? choose(op("cond", x(n.left), at(n)), x(n.right), last())
          : choose(op("cond", x(n.left), at(n)), last(), x(n.right));
      case "UnaryExpression":
        if (n.operator === "typeof") {
          // A name that is not declared has a type too.
          return n.argument.type === "Identifier"
            ? choose(
              { type: "BinaryExpression", operator: "===", left: { ...n }, right: lit("object") },
              op("typ", n.argument),
              { ...n },
            )
            : op("typ", x(n.argument));
        }
        if (n.operator === "void") return { ...n, argument: x(n.argument) };
        if (n.operator === "delete") {
          const of = n.argument.type === "ChainExpression" ? n.argument.expression : n.argument;
          return of.type === "MemberExpression" && n.argument === of
            ? { ...n, argument: touched(of) }
            : {
              ...n,
              argument: n.argument.type === "ChainExpression" ? n.argument : x(n.argument),
            };
        }
        if (n.argument.type === "Literal" && typeof n.argument.value === "number") return n;
        return op("un", lit(n.operator), x(n.argument), at(n));
      case "UpdateExpression": {
        const by = lit(n.operator === "++" ? 1 : -1), a = n.argument;
        if (a.type === "Identifier") {
          const step = put(a.name, op("step", a, by, at(n)), n);
          if (n.prefix) return step;
          const old = temporary("u");
          return sequence(
            assign(id(old), op("numeric", a, at(n))),
            put(a.name, op("step", id(old), by, at(n)), n),
            id(old),
          );
        }
        if (isPlain(a)) {
          if (n.prefix) return assign(touched(a), op("step", native(a), by, at(n)));
          const old = temporary("u");
          return sequence(
            assign(id(old), op("numeric", native(a), at(n))),
            assign(touched(a), op("step", id(old), by, at(n))),
            id(old),
          );
        }
        return op("update", x(a.object), key(a), by, lit(n.prefix), at(n));
      }
      case "AssignmentExpression": {
        if (n.operator !== "=") return compound(n);
        const l = n.left;
        if (l.type === "Identifier") return put(l.name, x(n.right), n);
        if (l.type === "MemberExpression") {
          return isPlain(l)
            ? assign(touched(l), fieldOfSuper(l, x(n.right)))
            : op("set", x(l.object), key(l), x(n.right), at(n));
        }
        const whole = {
          ...n,
          left: target(l),
          right: l.type === "ArrayPattern" ? op("iter", x(n.right), at(n)) : x(n.right),
        };
        const state = assigned(l), rests = restsIn(l);
        if (state.length + rests.length === 0) return whole;
        if (rests.length === 0) return sequence(...state, whole);
        const value = temporary("a");
        return sequence(
          ...state,
          assign(id(value), whole),
          ...rests.map((name) => op("born", id(name))),
          id(value),
        );
      }
      case "VariableDeclarator":
        return {
          ...n,
          id: x(n.id),
          init: n.init && n.id.type === "ArrayPattern" ? op("iter", x(n.init), at(n)) : x(n.init),
        };
      case "ConditionalExpression":
        return choose(test(n.test), x(n.consequent), x(n.alternate));
      case "IfStatement":
        return { ...n, test: test(n.test), consequent: x(n.consequent), alternate: x(n.alternate) };
      case "WhileStatement":
      case "DoWhileStatement":
        return { ...n, test: test(n.test), body: x(n.body) };
      case "ForStatement":
        return inBlock([n.init], () => ({
          ...n,
          init: x(n.init),
          test: n.test
            ? test(n.test)
            : op("test", { type: "Literal", value: true, raw: "true" }, at(n)),
          update: x(n.update),
          body: bodyWith(n.init, n.body),
        }));
      case "ForOfStatement":
      case "ForInStatement": {
        const isDeclared = n.left.type === "VariableDeclaration";
        const state = isDeclared ? [] : assigned(n.left);
        const right = n.type === "ForInStatement"
          ? op("keys", x(n.right), at(n))
          : n.await
          ? x(n.right)
          : op("iter", x(n.right), at(n));
        return inBlock([n.left], () => ({
          ...n,
          left: isDeclared ? x(n.left) : target(n.left),
          right: state.length === 0 ? right : sequence(...state, right),
          body: bodyWith(n.left, n.body),
        }));
      }
      case "BlockStatement":
      case "StaticBlock":
        return inBlock(n.body, () => ({ ...n, body: statements(n.body) }));
      case "TryStatement":
        return {
          ...n,
          block: x(n.block),
          handler: n.handler
            ? x(n.handler)
            : caught(n.block, { type: "ThrowStatement", argument: error() }),
          finalizer: n.finalizer && leaves(n.finalizer)
            ? {
              type: "BlockStatement",
              body: [statement(op("left", at(n.finalizer))), x(n.finalizer)],
            }
            : x(n.finalizer),
        };
      case "CatchClause":
        return inBlock(
          [],
          () => {
            const body = bodyWith(n.param, n.body);
            return caught(
              n,
              n.param === null || n.param === undefined ? body : {
                type: "BlockStatement",
                body: [
                  {
                    type: "VariableDeclaration",
                    kind: "let",
                    declarations: [{
                      type: "VariableDeclarator",
                      id: x(n.param),
                      init: n.param.type === "ArrayPattern" ? op("iter", error(), at(n)) : error(),
                    }],
                  },
                  body,
                ],
              },
            );
          },
          namesIn(n.param),
        );
      case "SwitchStatement": {
        const t = id(temporary("s"));
        const discriminant = sequence(assign(t, x(n.discriminant)), {
          type: "Literal",
          value: true,
          raw: "true",
        });
        return inBlock(n.cases.flatMap((c: Node) => c.consequent), () => ({
          type: "SwitchStatement",
          discriminant,
          cases: n.cases.map((c: Node) => ({
            ...c,
            test: c.test && op("same", t, x(c.test), at(c)),
            consequent: statements(c.consequent),
          })),
        }));
      }
      case "TemplateLiteral":
        return n.expressions.length > 0
          ? op(
            "text",
            array(n.quasis.map((q: Node) => lit(q.value.cooked))),
            array(x(n.expressions)),
            at(n),
          )
          : n;
      case "TaggedTemplateExpression":
        // JavaScript makes one object of the texts for each place: a tag of ours returns it.
        return x({
          type: "CallExpression",
          optional: false,
          loc: n.loc,
          start: n.start,
          end: n.end,
          callee: n.tag,
          arguments: [
            { type: "TemplateTexts", quasi: n.quasi },
            ...n.quasi.expressions,
          ],
        });
      case "TemplateTexts":
        return {
          type: "TaggedTemplateExpression",
          tag: member(id(runtime), "strings"),
          quasi: { ...n.quasi, expressions: n.quasi.expressions.map(() => lit(0)) },
        };
      case "YieldExpression":
        return {
          ...n,
          argument: n.delegate ? op("iter", x(n.argument), at(n)) : x(n.argument),
        };
      case "ChainExpression":
        return chain(n.expression, (e) => e);
      case "MemberExpression":
        // A module that asks where it lies may do otherwise elsewhere.
        if (n.object.type === "MetaProperty") notes.push({ what: textOf(n), at: place(n) });
        if (n.object.type === "MetaProperty" && n.property.name === "url" && url) return lit(url);
        return isPlain(n) ? native(n) : op("get", x(n.object), key(n), at(n));
      case "CallExpression": {
        const c = n.callee;
        if (c.type === "Super") {
          return sequence(
            { ...n, arguments: list(n.arguments).elements },
            op("born", { type: "ThisExpression" }),
          );
        }
        if (c.type === "MemberExpression" && isPlain(c)) {
          if (c.object.type === "Super") {
            return op("apply", native(c), { type: "ThisExpression" }, list(n.arguments), at(n));
          }
          const o = temporary("o");
          return op(
            "apply",
            { ...c, object: assign(id(o), x(c.object)) },
            id(o),
            list(n.arguments),
            at(n),
          );
        }
        if (c.type === "MemberExpression") {
          return op("method", x(c.object), key(c), list(n.arguments), at(n), lit(textOf(c)));
        }
        return op("call", x(c), undefinedValue, list(n.arguments), at(n), lit(textOf(c)));
      }
      case "NewExpression":
        return op("make", x(n.callee), list(n.arguments), at(n), lit(textOf(n.callee)));
      case "ImportExpression":
        return op("load", x(n.source), lit(url ?? file), at(n));
      case "SpreadElement":
        return { ...n, argument: x(n.argument) };
      case "ArrayExpression":
        return op("born", {
          ...n,
          elements: n.elements.map((e: Node) =>
            e &&
            (e.type === "SpreadElement"
              ? { ...e, argument: op("iter", x(e.argument), at(e)) }
              : x(e))
          ),
        });
      case "ObjectExpression":
        return op("born", {
          ...n,
          properties: n.properties.map((p: Node) =>
            p.type === "SpreadElement"
              ? { ...p, argument: op("record", x(p.argument), at(p)) }
              : x(p)
          ),
        });
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        return functionOf({ ...n });
      case "ClassDeclaration":
      case "ClassExpression":
        return classOf(n);
      case "PropertyDefinition":
        return fieldOf(n);
      case "Property":
        return propertyOf(n);
      case "AssignmentPattern":
        return { ...n, left: target(n.left), right: x(n.right) };
      case "ObjectPattern":
        return {
          ...n,
          properties: n.properties.map((p: Node) =>
            p.type === "RestElement" ? x(p) : {
              ...p,
              key: isAskedKey(p)
                ? op("place", p.computed ? x(p.key) : lit(p.key.name ?? p.key.value), at(p))
                : p.key,
              computed: isAskedKey(p),
              shorthand: false,
              value: target(p.value),
            }
          ).flatMap((p: Node) =>
            p.type !== "RestElement" ? [p] : [{
              type: "Property",
              kind: "init",
              method: false,
              shorthand: false,
              computed: true,
              key: op("place", lit("$no such property"), at(n)),
              value: {
                type: "AssignmentPattern",
                left: { type: "ObjectPattern", properties: [] },
                right: { type: "ObjectExpression", properties: [] },
              },
            }, p]
          ),
        };
      case "ArrayPattern":
        return { ...n, elements: n.elements.map(target) };
      case "RestElement":
        return { ...n, argument: target(n.argument) };
      case "ImportDeclaration":
      case "ExportAllDeclaration":
      case "ExportNamedDeclaration":
        return {
          ...n,
          ...(n.source && sourceOf(n)),
          ...(n.declaration && { declaration: x(n.declaration) }),
        };
      case "Literal":
        return n.regex ? op("born", n) : n;
      case "Identifier":
        return scope.of(n.name) === undefined && !GLOBALS.has(n.name)
          ? op("global", n, lit(n.name), at(n))
          : n;
      case "MetaProperty":
        return n;
    }
    const copy: Node = { ...n };
    for (const k in n) {
      if (n[k] && typeof n[k] === "object" && k !== "loc" && k !== "label" && k !== "meta") {
        copy[k] = Array.isArray(n[k]) || n[k].type ? x(n[k]) : n[k];
      }
    }
    return copy;
  }
  /** Where an import leads. A copy of JSON is a module as others are, without the attribute that says its type. */
  function sourceOf(n: Node): Node {
    const isOfJson = n.attributes?.some(({ value }: Node) => value.value === "json");
    const to = specifier(n.source.value, place(n));
    return { source: lit(to), ...(isOfJson && to.endsWith(".mjs") && { attributes: [] }) };
  }
  function classOf(n: Node): Node {
    return inBlock([], () => classInScope(n), n.id ? [n.id.name] : []);
  }
  function classInScope(n: Node): Node {
    const derived = n.superClass !== null && n.superClass !== undefined;
    return {
      ...n,
      superClass: derived ? op("base", x(n.superClass)) : n.superClass,
      body: {
        ...n.body,
        body: [
          {
            type: "StaticBlock",
            body: [followed(), statement(op("newborn", { type: "ThisExpression" }))],
          },
          ...n.body.body.map((m: Node) => {
            if (m.type !== "MethodDefinition") return x(m);
            const isDone = m.kind === "get" && !m.computed && nameOf(m.key) === "done";
            return {
              ...m,
              key: m.computed ? op(m.kind === "get" ? "getter" : "key", x(m.key), at(m)) : m.key,
              value: functionOf({ ...m.value }, {
                kind: m.kind === "constructor" ? "constructor" : isDone ? "done" : undefined,
                derived,
              }),
            };
          }),
        ],
      },
    };
  }
  const nameOf = (key: Node): unknown => key.name ?? key.value;
  /** A field is evaluated when its object is made, in a scope of its own. */
  function fieldOf(n: Node): Node {
    const outer = scope, outerHolder = holder;
    const own = holder = scope = new Scope(outer, scopes++);
    const value = n.value && !n.computed && nameOf(n.key) === "done"
      ? op("flag", x(n.value), at(n))
      : x(n.value);
    scope = outer;
    holder = outerHolder;
    return {
      ...n,
      key: n.computed ? op("getter", x(n.key), at(n)) : n.key,
      value: value && own.temporaries.length > 0
        ? {
          type: "CallExpression",
          optional: false,
          arguments: [],
          callee: {
            type: "ArrowFunctionExpression",
            params: [],
            expression: false,
            body: {
              type: "BlockStatement",
              body: [
                followed(),
                declared(own.temporaries),
                { type: "ReturnStatement", argument: value },
              ],
            },
          },
        }
        : value,
    };
  }
  function propertyOf(n: Node): Node {
    const isDone = nameOf(n.key) === "done" && !n.computed;
    if (n.computed && n.kind === "init" && !/Function/.test(n.value.type)) {
      const k = temporary("k");
      return {
        ...n,
        key: assign(id(k), op("key", x(n.key), at(n))),
        value: op("field", id(k), x(n.value), at(n)),
      };
    }
    const value = n.kind === "get" && isDone
      ? functionOf({ ...n.value }, { kind: "done" })
      : isDone && n.kind === "init" && !/Function/.test(n.value.type)
      ? op("flag", x(n.value), at(n))
      : x(n.value);
    return {
      ...n,
      shorthand: n.shorthand && value === n.value,
      key: n.computed ? op(n.kind === "get" ? "getter" : "key", x(n.key), at(n)) : n.key,
      value,
    };
  }

  tree.body = statements(tree.body);
  const start: Node[] = [
    {
      type: "ImportDeclaration",
      specifiers: [{ type: "ImportDefaultSpecifier", local: id(runtime) }],
      source: lit(from),
      attributes: [],
    },
  ];
  if (scope.isCaptured) start.push(constant(`${mark}run0`, op("epoch")));
  if (scope.temporaries.length > 0) start.push(declared(scope.temporaries));
  tree.body.unshift(...start);
  const lines: number[] = [];
  const code: string = generate(tree, {
    sourceMap: {
      addMapping: ({ original, generated }: Node) => {
        if (original) lines[generated.line - 1] ??= original.line;
      },
    } as Node,
  });
  const count = code.split("\n").length;
  return { code, lines: Array.from({ length: count }, (_, i) => lines[i] ?? 0), notes };
}

/** Takes out what only types used: an import that no expression names, as TypeScript does. */
function dropUnusedImports(tree: Node): void {
  const used = new Set<string>();
  const visit = (n: Node): void => {
    if (n === null || typeof n !== "object") return;
    if (Array.isArray(n)) return n.forEach(visit);
    if (n.type === "ImportDeclaration") return;
    if (n.type === "Identifier") used.add(n.name);
    for (const [k, v] of Object.entries(n)) if (k !== "loc" && v && typeof v === "object") visit(v);
  };
  tree.body.forEach(visit);
  tree.body = tree.body.filter((n: Node) => {
    if (n.type !== "ImportDeclaration" || n.specifiers.length === 0) return true;
    n.specifiers = n.specifiers.filter((s: Node) => used.has(s.local.name));
    return n.specifiers.length > 0;
  });
}
