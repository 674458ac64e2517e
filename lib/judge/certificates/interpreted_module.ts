// deno-lint-ignore-file no-explicit-any -- a syntax tree has some seventy shapes, each of which is read by its type.
/**
 * Runs the functions of a module by a walk over its syntax, in which every operator, condition and call is at hand.
 *
 * It is slow and knows a part of the language: one file without imports, generators and promises, classes without bases, setters and private members, and the functions of the
 * language that are listed here. What it does not know ends the run, so that it says nothing of a program that it does not understand.
 *
 * @module
 */
import { parse } from "acorn";
import { boundBy, keyOf, namesOf, namesOfVar } from "./bound_names.ts";
import { type Arithmetic, NotDerived, type TracedProgram } from "./checked_program.ts";
import { ERRORS, GLOBALS } from "./known_functions.ts";
import { type Callable, LanguageCalls } from "./language_calls.ts";
import { ofPlain } from "./plain_operator.ts";

type Node = any;

/** The names that are in scope, and what they hold; a name that was declared and not reached yet holds {@linkcode UNSET}. */
class Scope {
  readonly names = new Map<string, { value: unknown; readonly constant: boolean }>();
  constructor(readonly above: Scope | undefined) {}

  find(name: string): { value: unknown; readonly constant: boolean } | undefined {
    return this.names.get(name) ?? this.above?.find(name);
  }
}

const UNSET = Symbol("unset");

/** How a statement ended. */
type End =
  | { readonly kind: "return"; readonly value: unknown }
  | { readonly kind: "break" | "continue" }
  | undefined;

/**
 * Returns what a module exports by its syntax: functions, or records whose `sample` is one.
 *
 * @param source the text of a module of JavaScript
 * @param name of what it exports
 * @throws {NotDerived} where it is not known what the module does.
 */
export function interpretedModule(source: string, name: string): TracedProgram {
  return new Interpreter().load(source, name);
}

class Interpreter {
  /** The arithmetic of the run that is under way; `undefined` while the module is loaded. */
  #run: Arithmetic | undefined;
  readonly #module = new Scope(new Scope(undefined));
  readonly #own = new WeakSet<object>();
  /** Classes that it declares, and how an object of one is made. */
  readonly #classes = new WeakMap<object, (given: readonly unknown[]) => object>();
  readonly #instances = new WeakSet<object>();
  /** What the source gave: its methods may be called. */
  #source: unknown;
  readonly #language: LanguageCalls;

  constructor() {
    const run = (): Arithmetic | undefined => this.#run;
    this.#language = new LanguageCalls({
      get run() {
        return run();
      },
      isOwn: (called) => this.#own.has(called),
      isTrue: (value) => this.#isTrue(value),
      requirePlace: (value) => this.#requirePlace(value),
      refuse: (what) => this.#refuse(what),
    });
  }

  load(source: string, name: string): TracedProgram {
    let tree: Node;
    try {
      tree = parse(source, { ecmaVersion: "latest", sourceType: "module" });
    } catch {
      throw new NotDerived("its text is no JavaScript");
    }
    for (const [global, value] of Object.entries(GLOBALS)) {
      this.#module.above!.names.set(global, { value, constant: true });
    }
    const exported = new Map<string, string>();
    let whole: unknown;
    const body = tree.body.flatMap((each: Node) => {
      switch (each.type) {
        case "ExportNamedDeclaration":
          if (each.source) return this.#refuse("it exports what it imports");
          for (const { exported: as, local } of each.specifiers) exported.set(as.name, local.name);
          if (each.declaration === null) return [];
          for (const declared of namesOf(each.declaration)) exported.set(declared, declared);
          return [each.declaration];
        case "ExportDefaultDeclaration":
          if (each.declaration.id) {
            exported.set("default", each.declaration.id.name);
            return [each.declaration];
          }
          return [each];
      }
      return [each];
    });
    this.#declareVar(body, this.#module);
    this.#declare(body, this.#module);
    for (const each of body) {
      if (each.type === "ExportDefaultDeclaration") {
        const { declaration } = each;
        whole = declaration.type === "FunctionDeclaration"
          ? this.#function(declaration, this.#module)
          : this.#value(declaration, this.#module);
      } else this.#statement(each, this.#module);
    }
    const local = exported.get(name);
    const found = local === undefined && name === "default"
      ? whole
      : this.#module.find(local ?? "")?.value;
    const program = typeof found === "object" && found !== null
      ? (found as { sample?: unknown }).sample
      : found;
    if (typeof program !== "function" || !this.#own.has(program)) {
      return this.#refuse("what it exports is no function that it declares");
    }
    return (data, given, arithmetic) => {
      this.#run = arithmetic;
      this.#source = given;
      try {
        return (program as Callable)(data, given);
      } finally {
        this.#run = undefined;
      }
    };
  }

  #refuse(what: string): never {
    if (this.#run !== undefined) return this.#run.refuse(what);
    throw new NotDerived(what);
  }

  #isValue(value: unknown): boolean {
    return this.#run?.isValue(value) ?? false;
  }

  /** Declares what a list of statements declares: functions at once, other names as not reached. */
  #declare(body: readonly Node[], scope: Scope): void {
    for (const each of body) {
      if (each.type === "FunctionDeclaration") {
        scope.names.set(each.id.name, { value: this.#function(each, scope), constant: false });
      } else if (each.type === "VariableDeclaration") {
        if (each.kind === "var") continue;
        if (each.kind !== "const" && each.kind !== "let") {
          this.#refuse(`it declares by ${each.kind}`);
        }
        for (const name of namesOf(each)) {
          scope.names.set(name, { value: UNSET, constant: each.kind === "const" });
        }
      } else if (each.type === "ClassDeclaration") {
        scope.names.set(each.id.name, { value: UNSET, constant: false });
      }
    }
  }

  /** Declares what a function, or the module, declares by `var`, whose value is `undefined` until it is set. */
  #declareVar(body: readonly Node[], scope: Scope): void {
    for (const name of namesOfVar(body)) {
      if (!scope.names.has(name)) scope.names.set(name, { value: undefined, constant: false });
    }
  }

  #block(body: readonly Node[], above: Scope): End {
    const scope = new Scope(above);
    this.#declare(body, scope);
    for (const each of body) {
      const end = this.#statement(each, scope);
      if (end !== undefined) return end;
    }
    return undefined;
  }

  #statement(n: Node, scope: Scope): End {
    this.#run?.goOn();
    switch (n.type) {
      case "FunctionDeclaration":
      case "EmptyStatement":
        return undefined;
      case "ExpressionStatement":
        this.#value(n.expression, scope);
        return undefined;
      case "VariableDeclaration":
        for (const { id, init } of n.declarations) {
          if (n.kind === "var" && init === null) continue;
          const value = init === null ? undefined : this.#value(init, scope);
          this.#bind(id, value, scope, n.kind !== "var");
        }
        return undefined;
      case "ClassDeclaration":
        this.#bind(n.id, this.#class(n, scope), scope, true);
        return undefined;
      case "ReturnStatement":
        return {
          kind: "return",
          value: n.argument === null ? undefined : this.#value(n.argument, scope),
        };
      case "IfStatement":
        if (this.#isTrue(this.#value(n.test, scope))) return this.#statement(n.consequent, scope);
        return n.alternate === null ? undefined : this.#statement(n.alternate, scope);
      case "BlockStatement":
        return this.#block(n.body, scope);
      case "ThrowStatement":
        throw this.#value(n.argument, scope);
      case "ForOfStatement":
        if (n.await) return this.#refuse("it awaits");
        return this.#each(n, this.#iterated(this.#value(n.right, scope)), scope);
      case "ForStatement":
        return this.#for(n, scope);
      case "WhileStatement":
        return this.#while(n, scope, false);
      case "DoWhileStatement":
        return this.#while(n, scope, true);
      case "SwitchStatement":
        return this.#switch(n, scope);
      case "BreakStatement":
      case "ContinueStatement":
        if (n.label !== null) return this.#refuse("it has labels");
        return { kind: n.type === "BreakStatement" ? "break" : "continue" };
    }
    return this.#refuse(`it has a ${n.type}, which this tracer does not follow`);
  }

  #iterated(value: unknown): Iterable<unknown> {
    if (Array.isArray(value) || typeof value === "string") return value;
    // What entries() and keys() give.
    const tag: string = Object.prototype.toString.call(value);
    if (/^\[object (Map|Set|(Array|Map|Set) Iterator)\]$/.test(tag)) {
      return value as Iterable<unknown>;
    }
    return this.#refuse("it goes through what is no list");
  }

  #each(n: Node, values: Iterable<unknown>, above: Scope): End {
    for (const value of values) {
      const scope = new Scope(above), { left } = n;
      if (left.type === "VariableDeclaration") {
        this.#declare([left], scope);
        this.#bind(left.declarations[0].id, value, scope, left.kind !== "var");
      } else this.#bind(left, value, scope, false);
      const end = this.#statement(n.body, scope);
      if (end?.kind === "break") return undefined;
      if (end?.kind === "return") return end;
    }
    return undefined;
  }

  #for(n: Node, above: Scope): End {
    let scope = new Scope(above);
    if (n.init?.type === "VariableDeclaration") {
      this.#declare([n.init], scope);
      this.#statement(n.init, scope);
    } else if (n.init !== null) this.#value(n.init, scope);
    while (n.test === null || this.#isTrue(this.#value(n.test, scope))) {
      const end = this.#statement(n.body, scope);
      if (end?.kind === "break") return undefined;
      if (end?.kind === "return") return end;
      // Functions of one round keep its names.
      const next = new Scope(above);
      for (const [name, held] of scope.names) next.names.set(name, { ...held });
      scope = next;
      if (n.update !== null) this.#value(n.update, scope);
    }
    return undefined;
  }

  #while(n: Node, scope: Scope, bodyFirst: boolean): End {
    while (bodyFirst || this.#isTrue(this.#value(n.test, scope))) {
      bodyFirst = false;
      const end = this.#statement(n.body, scope);
      if (end?.kind === "break") return undefined;
      if (end?.kind === "return") return end;
      if (n.type === "DoWhileStatement") {
        if (!this.#isTrue(this.#value(n.test, scope))) return undefined;
        bodyFirst = true;
      }
    }
    return undefined;
  }

  #switch(n: Node, above: Scope): End {
    const value = this.#value(n.discriminant, above), scope = new Scope(above);
    this.#declare(n.cases.flatMap((each: Node) => each.consequent), scope);
    let from = n.cases.findIndex((each: Node) =>
      each.test !== null && this.#isEqual(value, this.#value(each.test, scope))
    );
    if (from < 0) from = n.cases.findIndex((each: Node) => each.test === null);
    if (from < 0) return undefined;
    for (const each of n.cases.slice(from).flatMap((one: Node) => one.consequent)) {
      const end = this.#statement(each, scope);
      if (end?.kind === "break") return undefined;
      if (end !== undefined) return end;
    }
    return undefined;
  }

  #function(n: Node, above: Scope): Callable {
    if (n.async || n.generator) return this.#refuse("it has a generator or a promise");
    const called = (self: unknown, given: readonly unknown[]): unknown => {
      this.#run?.goOn();
      const scope = new Scope(above);
      if (n.type !== "ArrowFunctionExpression") {
        scope.names.set("this", { value: self, constant: true });
      }
      for (const name of n.params.flatMap(boundBy)) {
        scope.names.set(name, { value: UNSET, constant: false });
      }
      for (const [i, param] of n.params.entries()) {
        if (param.type === "RestElement") this.#bind(param.argument, given.slice(i), scope, true);
        else this.#bind(param, given[i], scope, true);
      }
      if (n.body.type !== "BlockStatement") return this.#value(n.body, scope);
      this.#declareVar(n.body.body, scope);
      const end = this.#block(n.body.body, scope);
      return end?.kind === "return" ? end.value : undefined;
    };
    const call = function (this: unknown, ...given: unknown[]): unknown {
      return called(this, given);
    };
    this.#own.add(call);
    return call;
  }

  #class(n: Node, above: Scope): Callable {
    if (n.superClass !== null) return this.#refuse("it has a class with a base");
    const methods: Record<PropertyKey, unknown> = {}, fields: Node[] = [];
    const call = (): never => this.#refuse("it calls a class");
    let make: Callable | undefined;
    for (const each of n.body.body) {
      const isField = each.type === "PropertyDefinition";
      if (
        each.computed || each.key?.type !== "Identifier" || isField && each.static ||
        !isField && each.kind !== "method" && each.kind !== "get" && each.kind !== "constructor"
      ) {
        return this.#refuse("it has a class with more than fields, methods and getters");
      }
      if (isField) fields.push(each);
      else if (each.kind === "constructor") make = this.#function(each.value, above);
      else {
        const value = this.#function(each.value, above);
        Object.defineProperty(each.static ? call : methods, keyOf(each.key), {
          ...each.kind === "get" ? { get: value } : { value },
          configurable: true,
        });
      }
    }
    const made = (given: readonly unknown[]): object => {
      const object = Object.create(methods) as Record<PropertyKey, unknown>,
        scope = new Scope(above);
      this.#instances.add(object);
      scope.names.set("this", { value: object, constant: true });
      for (const { key, value } of fields) {
        object[keyOf(key)] = value === null ? undefined : this.#value(value, scope);
      }
      const other = make?.apply(object, given as []);
      if (other !== undefined) this.#refuse("its constructor returns a value");
      return object;
    };
    this.#own.add(call);
    this.#classes.set(call, made);
    return call;
  }

  /** Gives names, or places of lists and records, a value. */
  #bind(target: Node, value: unknown, scope: Scope, isDeclared: boolean): void {
    switch (target.type) {
      case "Identifier": {
        const held = isDeclared ? scope.names.get(target.name) : scope.find(target.name);
        if (held === undefined) {
          return this.#refuse(`it sets ${target.name}, which it does not declare`);
        }
        if (!isDeclared && held.constant) return this.#refuse(`it sets ${target.name}, a constant`);
        if (
          !isDeclared && this.#module.names.get(target.name) === held && this.#run !== undefined
        ) {
          return this.#refuse("it keeps state in a name of the module");
        }
        held.value = value;
        return;
      }
      case "MemberExpression": {
        const of = this.#value(target.object, scope);
        this.#requirePlace(of);
        (of as Record<PropertyKey, unknown>)[this.#key(target, scope)] = value;
        return;
      }
      case "AssignmentPattern":
        return this.#bind(
          target.left,
          value === undefined ? this.#value(target.right, scope) : value,
          scope,
          isDeclared,
        );
      case "ArrayPattern": {
        const all = [...this.#iterated(value)];
        for (const [i, each] of target.elements.entries()) {
          if (each?.type === "RestElement") {
            this.#bind(each.argument, all.slice(i), scope, isDeclared);
          } else if (each !== null) this.#bind(each, all[i], scope, isDeclared);
        }
        return;
      }
      case "ObjectPattern":
        for (const each of target.properties) {
          if (each.type === "RestElement") return this.#refuse("it takes the rest of a record");
          const key = each.computed
            ? this.#plainKey(this.#value(each.key, scope))
            : keyOf(each.key);
          this.#bind(each.value, this.#member(value, key), scope, isDeclared);
        }
        return;
    }
    return this.#refuse(`it sets a ${target.type}`);
  }

  /** Refuses to write to what is no list or record of this run's making: nothing outlives a run. */
  #requirePlace(of: unknown): void {
    const isPlain = Array.isArray(of) || of instanceof Map || of instanceof Set ||
      this.#instances.has(of as object) ||
      (typeof of === "object" && of !== null && Object.getPrototypeOf(of) === Object.prototype);
    if (!isPlain || of === this.#source) {
      return this.#refuse("it writes to what is no list or record");
    }
    for (const { value } of this.#module.names.values()) {
      if (this.#run !== undefined && reaches(value, of as object)) {
        return this.#refuse("it keeps state in a value of the module");
      }
    }
  }

  #key(n: Node, scope: Scope): PropertyKey {
    return n.computed ? this.#plainKey(this.#value(n.property, scope)) : n.property.name;
  }

  #plainKey(value: unknown): PropertyKey {
    if (typeof value === "string" || typeof value === "number") return value;
    const number = this.#isValue(value) ? this.#run!.numberOf(value) : undefined;
    return number ?? this.#refuse("it takes a member by what is no number or text");
  }

  #member(of: unknown, key: PropertyKey): unknown {
    if (this.#isValue(of)) {
      if (key === "toFixed") return Number.prototype.toFixed;
      return this.#refuse(`it takes the member ${String(key)} of noise or data`);
    }
    if (of === null || of === undefined) {
      throw new TypeError(`Cannot read properties of ${of} (reading '${String(key)}')`);
    }
    if (key === "__proto__" || key === "prototype") {
      return this.#refuse(`it takes the member ${key}`);
    }
    const isStatic = this.#classes.has(of as object) && key !== "name" && key !== "length" &&
      Object.hasOwn(of as object, key);
    if (typeof of === "function" && this.#own.has(of) && !isStatic) {
      return this.#refuse(`it takes the member ${String(key)} of a function`);
    }
    return (of as Record<PropertyKey, unknown>)[key];
  }

  #isTrue(value: unknown): boolean {
    if (!this.#isValue(value)) return !!value;
    // All numbers but 0 are true.
    return this.#run!.isAbove(value, 0) || this.#run!.isAbove(0, value);
  }

  #isEqual(left: unknown, right: unknown): boolean {
    const [one, other] = [left, right].map((each) => this.#isValue(each));
    if (!one && !other) return left === right;
    for (const each of [left, right]) {
      if (this.#isValue(each) && this.#run!.typeOf(each) === "string") {
        return this.#refuse("it compares the text of noise or data");
      }
    }
    if (!(one || typeof left === "number") || !(other || typeof right === "number")) return false;
    if (left === right) return true;
    return !this.#run!.isAbove(left, right) && !this.#run!.isAbove(right, left);
  }

  #value(n: Node, scope: Scope): unknown {
    this.#run?.goOn();
    switch (n.type) {
      case "Literal":
        if (n.regex !== undefined) return this.#refuse("it has a regular expression");
        return n.value;
      case "Identifier": {
        const held = scope.find(n.name);
        if (held === undefined) return this.#refuse(`it uses ${n.name}, which it does not declare`);
        if (held.value === UNSET) {
          throw new ReferenceError(`Cannot access '${n.name}' before initialization`);
        }
        return held.value;
      }
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        return this.#function(n, scope);
      case "ClassExpression":
        if (n.id) return this.#refuse("it has a class expression with a name");
        return this.#class(n, scope);
      case "ThisExpression":
        return scope.find("this")?.value;
      case "ArrayExpression":
        if (n.elements.includes(null)) return this.#refuse("it has a list with holes");
        return this.#all(n.elements, scope);
      case "ObjectExpression":
        return this.#record(n, scope);
      case "TemplateLiteral":
        return n.quasis.map(({ value }: Node, i: number) =>
          value.cooked + (i < n.expressions.length ? `${this.#value(n.expressions[i], scope)}` : "")
        ).join("");
      case "ConditionalExpression":
        return this.#value(
          this.#isTrue(this.#value(n.test, scope)) ? n.consequent : n.alternate,
          scope,
        );
      case "SequenceExpression":
        return this.#all(n.expressions, scope).at(-1);
      case "LogicalExpression": {
        const left = this.#value(n.left, scope);
        const isLeft = n.operator === "??"
          ? left !== null && left !== undefined
          : this.#isTrue(left) === (n.operator === "||");
        return isLeft ? left : this.#value(n.right, scope);
      }
      case "UnaryExpression":
        return this.#unary(n, scope);
      case "BinaryExpression":
        return this.#binary(n.operator, this.#value(n.left, scope), this.#value(n.right, scope));
      case "AssignmentExpression":
        return this.#assign(n, scope);
      case "UpdateExpression": {
        const old = this.#binary("-", this.#value(n.argument, scope), 0);
        const next = this.#binary(n.operator[0], old, 1);
        this.#bind(n.argument, next, scope, false);
        return n.prefix ? next : old;
      }
      case "ChainExpression":
        return this.#value(n.expression, scope);
      case "MemberExpression": {
        const of = this.#value(n.object, scope);
        if (n.optional && (of === null || of === undefined)) return undefined;
        return this.#member(of, this.#key(n, scope));
      }
      case "CallExpression":
        return this.#call(n, scope);
      case "NewExpression": {
        const made = this.#value(n.callee, scope), given = this.#all(n.arguments, scope);
        if (made === Array) return new Array(...this.#language.plain(given, "new Array()") as []);
        const own = this.#classes.get(made as object);
        if (own !== undefined) return own(given);
        if (made === Map || made === Set) return this.#collection(made, given);
        if (!ERRORS.has(made)) return this.#refuse("it makes what is no list or error");
        return new (made as ErrorConstructor)(...this.#language.plain(given, "an error") as []);
      }
    }
    return this.#refuse(`it has a ${n.type}, which this tracer does not follow`);
  }

  /** A map, or a set, of keys that are no noise or data. */
  #collection(made: unknown, [items]: readonly unknown[]): object {
    const { construct } = Reflect;
    if (items === undefined || items === null) return construct(made as Callable, []);
    const all = [...this.#iterated(items)] as [unknown, unknown][];
    this.#language.plain(made === Map ? all.map((each) => each[0]) : all, "the keys of a map");
    return construct(made as Callable, [all]);
  }

  #all(nodes: readonly Node[], scope: Scope): unknown[] {
    return nodes.flatMap((each) =>
      each.type === "SpreadElement"
        ? [...this.#iterated(this.#value(each.argument, scope))]
        : [this.#value(each, scope)]
    );
  }

  #record(n: Node, scope: Scope): object {
    const made: Record<PropertyKey, unknown> = {};
    for (const each of n.properties) {
      if (each.type === "SpreadElement") {
        const from = this.#value(each.argument, scope);
        if (this.#isValue(from)) this.#refuse("it spreads noise or data");
        Object.assign(made, from);
        continue;
      }
      if (each.kind !== "init") this.#refuse("it has a getter or a setter");
      const key = each.computed ? this.#plainKey(this.#value(each.key, scope)) : keyOf(each.key);
      if (key === "__proto__") this.#refuse("it sets __proto__");
      made[key] = this.#value(each.value, scope);
    }
    return made;
  }

  #unary(n: Node, scope: Scope): unknown {
    if (n.operator === "delete" || n.operator === "void") {
      return this.#refuse(`it uses ${n.operator}`);
    }
    const value = this.#value(n.argument, scope), isValue = this.#isValue(value);
    switch (n.operator) {
      case "!":
        return !this.#isTrue(value);
      case "-":
      case "+":
        if (isValue) return this.#run!.apply(`unary ${n.operator}`, [value]);
        return n.operator === "-" ? -(value as number) : +(value as number);
      case "typeof":
        return isValue ? this.#run!.typeOf(value) : typeof value;
      case "~":
        return ~(value as number);
    }
    return this.#refuse(`it uses ${n.operator}`);
  }

  #assign(n: Node, scope: Scope): unknown {
    const { left, right, operator } = n;
    if (operator === "=") {
      const value = this.#value(right, scope);
      this.#bind(left, value, scope, false);
      return value;
    }
    const old = this.#value(left, scope), by = operator.slice(0, -1);
    if (["||", "&&", "??"].includes(by)) {
      const keeps = by === "??"
        ? old !== null && old !== undefined
        : this.#isTrue(old) === (by === "||");
      if (keeps) return old;
    }
    const given = this.#value(right, scope);
    const value = ["||", "&&", "??"].includes(by) ? given : this.#binary(by, old, given);
    this.#bind(left, value, scope, false);
    return value;
  }

  #binary(operator: string, left: any, right: any): unknown {
    if (!this.#isValue(left) && !this.#isValue(right)) {
      return ofPlain(operator, left, right) ??
        this.#refuse(`it uses ${operator}`);
    }
    const run = this.#run!;
    switch (operator) {
      case "===":
        return this.#isEqual(left, right);
      case "!==":
        return !this.#isEqual(left, right);
      case "==":
      case "!=":
        if (left === null || right === null || left === undefined || right === undefined) {
          return operator === "!=";
        }
    }
    for (const each of [left, right]) {
      if (!this.#isValue(each) && typeof each !== "number") {
        return run.refuse("it computes with noise or data and what is no number");
      }
    }
    switch (operator) {
      case "+":
      case "-":
      case "*":
      case "/":
      case "%":
      case "**":
        return run.apply(operator, [left, right]);
      case "==":
        return this.#isEqual(left, right);
      case "!=":
        return !this.#isEqual(left, right);
    }
    const far = [left, right].some((each) => typeof each === "number" && !Number.isFinite(each));
    // Values that are forms are finite: 0 stands for them.
    if (far) {
      for (const each of [left, right]) if (this.#isValue(each)) run.isAbove(each, each);
      const [one, other] = [left, right].map((each) => this.#isValue(each) ? 0 : each);
      return ofPlain(operator, one, other) ?? run.refuse(`it uses ${operator}`);
    }
    switch (operator) {
      case "<":
        return run.isAbove(right, left);
      case ">":
        return run.isAbove(left, right);
      case "<=":
        return !run.isAbove(left, right);
      case ">=":
        return !run.isAbove(right, left);
    }
    return run.refuse(`it uses ${operator} on noise or data`);
  }

  #call(n: Node, scope: Scope): unknown {
    const { callee } = n;
    let self: unknown, called: unknown;
    if (callee.type === "MemberExpression") {
      self = this.#value(callee.object, scope);
      if (callee.optional && (self === null || self === undefined)) return undefined;
      called = this.#member(self, this.#key(callee, scope));
    } else called = this.#value(callee, scope);
    if (n.optional && (called === null || called === undefined)) return undefined;
    const given = this.#all(n.arguments, scope);
    if (typeof called !== "function") throw new TypeError("what is called is not a function");
    if (this.#own.has(called)) return (called as Callable).apply(self, given as []);
    if (this.#isOfSource(self, called)) {
      const made = (called as Callable).call(self, ...given);
      // A part of the source, made by split().
      if (typeof made === "object" && made !== null && !this.#isValue(made)) {
        this.#sources.add(made);
      }
      return made;
    }
    return this.#language.call(called as Callable, self, given);
  }

  readonly #sources = new WeakSet<object>();

  #isOfSource(self: unknown, called: unknown): boolean {
    return typeof self === "object" && self !== null &&
      (self === this.#source || this.#sources.has(self)) &&
      Object.values(self).includes(called);
  }
}

/** Returns true if an object is a value, or a part of it. */
function reaches(value: unknown, object: object, seen = new Set<unknown>()): boolean {
  if (value === object) return true;
  if (typeof value !== "object" || value === null || seen.has(value)) return false;
  seen.add(value);
  const inside = value instanceof Map || value instanceof Set ? [...value].flat() : [];
  return [...inside, ...Object.values(value)].some((each) => reaches(each, object, seen));
}
