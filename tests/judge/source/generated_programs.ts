import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

/** Kinds of expressions. */
type Kind = "number" | "boolean" | "text" | "list" | "object" | "iterable";

/**
 * Programs by chance, of two parameters, the rows and the source: operators, patterns, classes, generators, callbacks, maps, sets, proxies,
 * iterators, conversions, getters, private fields, tagged templates, labels, optional chains, typed arrays and comparators, asynchronous functions
 * and generators, and the protocols by which JavaScript itself calls programs.
 */
export class ProgramGenerator {
  readonly #source: SeededSource;
  #names = 0;
  #numbers: string[] = [];

  constructor(seed: number) {
    this.#source = new SeededSource(seed);
  }

  /** The text of a function. It returns what it noted, errors in the place of what failed. */
  program(): string {
    this.#names = 0;
    this.#numbers = ["d[0]", "d[1]", "d.length"];
    const statements = Array.from({ length: 2 + this.#below(3) }, () => this.#guarded());
    const text = statements.join("\n");
    return `${
      /\bawait\b/.test(text) ? "async " : ""
    }(d, s) => { const out = []; ${"const note = (...v) => (out.push(...v), v[0]);"} ${text}\nreturn out; }`;
  }

  #below(count: number): number {
    return Math.floor(this.#source.uniform() * count);
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[this.#below(values.length)]!;
  }

  #name(): string {
    return `v${this.#names++}`;
  }

  #guarded(): string {
    const known = [...this.#numbers];
    const text = this.#statement(3);
    this.#numbers = known;
    return `try { ${text} } catch (e) { note(e instanceof Error ? e.name : e); }`;
  }

  #statement(depth: number): string {
    const n = (): string => this.#expression("number", depth - 1);
    const b = (): string => this.#expression("boolean", depth - 1);
    const l = (): string => this.#expression("list", depth - 1);
    const o = (): string => this.#expression("object", depth - 1);
    const i = (): string => this.#expression("iterable", depth - 1);
    const t = (): string => this.#expression("text", depth - 1);
    const any = (): string =>
      this.#expression(this.#pick(["number", "boolean", "text", "list", "object"]), depth - 1);
    const inner = (): string => depth <= 0 ? `note(${n()});` : this.#statement(depth - 1);
    const [x, y, f] = [this.#name(), this.#name(), this.#name()];
    const within = (...names: string[]): void => void this.#numbers.push(...names);
    const op = this.#pick(["+=", "-=", "*=", "/=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>>="]);
    const logical = this.#pick(["&&=", "||=", "??="]);
    switch (this.#below(56)) {
      case 0: {
        const first = `let ${x} = ${n()};`;
        within(x);
        return `${first} ${x} ${op} ${n()}; ${x}${
          this.#pick(["++", "--"])
        }; note(${x}, ++${x}); ${inner()}`;
      }
      case 1:
        return `let ${x} = ${any()}; ${x} ${logical} ${any()}; note(${x});`;
      case 2:
        return `if (${b()}) { ${inner()} } else { ${inner()} }`;
      case 3:
        return `${x}: for (let ${y} = 0; ${y} < 4; ${y}++) { if (${b()}) ${
          this.#pick(["break", "continue"])
        } ${x}; ${inner()} }`;
      case 4:
        return `for (const ${x} of ${i()}) { note(${x}); if (${b()}) break; }`;
      case 5:
        return `for (const ${x} in ${o()}) { note(${x}); }`;
      case 6: {
        const text = `const [${x} = ${n()}, ...${y}] = ${i()}; note(${x}, ${y}.length);`;
        return `${text} ${inner()}`;
      }
      case 7:
        return `const { a: ${x} = ${n()}, ["b"]: ${y}, ...${f} } = ${o()}; note(${x}, ${y}, ${f});`;
      case 8:
        return `let ${x}, ${y} = {}; [${x}, ${y}.p, ...${y}.rest] = ${i()}; note(${x}, ${y});`;
      case 9:
        return `const ${f} = ({ a: ${x} = ${n()} } = ${o()}, [${y}] = ${i()}, ...r) => ${
          this.#pick([`[${x}, ${y}, r.length]`, `${x} ?? ${y}`])
        }; note(${f}(), ${f}(${o()}), ${f}(${o()}, ${l()}, ${n()}));`;
      case 10:
        return `class ${f} { #p = ${n()}; static q = ${n()}; get p() { return this.#p; } set p(v) { this.#p = v; } #m(v) { return this.#p + v; } m(v) { return this.#m(v) * 2; } static has(o) { return #p in o; } } const ${x} = new ${f}(); ${x}.p ${op} ${n()}; note(${x}.p, ${x}.m(${n()}), ${f}.has(${x}), ${f}.q++, ${f}.q);`;
      case 11:
        return `class ${f} { constructor(v) { this.v = v; } get half() { return this.v / 2; } } class ${y} extends ${f} { constructor(v) { super(v ${
          this.#pick(["+", "-", "*"])
        } 1); this.w = super.half; } get half() { return super.half + 1; } } const ${x} = new ${y}(${n()}); note(${x}.w, ${x}.half, ${x} instanceof ${f}, { ...${x} });`;
      case 12:
        return `function* ${f}(k) { const r = yield k; if (${b()}) yield r; yield* ${i()}; return ${n()}; } const ${x} = ${f}(${n()}); note(${x}.next().value, ${x}.next(${n()}).value, ...${x});`;
      case 13:
        return `const ${x} = new Map([[${n()}, 1], [${n()}, 2]]); ${x}.set(${n()}, ${any()}); note(${x}.size, ${x}.get(${n()}), [...${x}.keys()]); ${x}.forEach((v, k) => note(k));`;
      case 14:
        return `const ${x} = new Set(${i()}); ${x}.add(${n()}).delete(${n()}); note(${x}.size, ${x}.has(${n()}), [...${x}]);`;
      case 15:
        return `const ${x} = new Proxy(${o()}, { get: (o, k) => k === "a" ? ${n()} : Reflect.get(o, k), has: (o, k) => ${b()}, set(o, k, v) { o[k] = v; return ${
          this.#pick(["true", b()])
        }; } }); note(${x}.a, ${x}.b, "z" in ${x}); ${x}.c = ${n()}; note(${x}.c);`;
      case 16:
        return `const ${x} = { valueOf() { return ${n()}; }, toString() { return ${t()}; } }; note(+${x}, \`\${${x}}\`, ${x} > ${n()}, ${x} + "");`;
      case 17:
        return `const ${x} = { [Symbol.toPrimitive](h) { return h === "number" ? ${n()} : ${t()}; } }; note(${x} * 2, \`\${${x}}\`, ${x} + ${n()});`;
      case 18:
        return `const ${x} = { get a() { return ${n()}; }, set a(v) { note(v); }, ["k" + ${
          this.#below(3)
        }]: ${any()}, m() { return this.a; } }; ${x}.a ${op} ${n()}; note(${x}.a, ${x}.m?.(), ${x}.none?.(), ${x}?.["a"], ${x}.none?.x.y);`;
      case 19:
        return `const ${f} = (q, ...v) => q.raw.join("|") + v.length; note(${f}\`a\${${n()}}b\\n\${${t()}}\`, String.raw\`x\${${n()}}\\t\`);`;
      case 20:
        return `switch (${n()}) { case ${n()}: note("one"); case ${n()}: note("two"); break; default: ${inner()} }`;
      case 21:
        return `const ${x} = new ${
          this.#pick(["Float64Array", "Float32Array", "Int8Array", "Uint8ClampedArray"])
        }(${
          this.#pick([l(), "3"])
        }); ${x}[1] = ${n()}; ${x}.sort(); note(...${x}, ${x}.map((v) => v * 2)[0], ${x}.includes(${n()}), ${x}.length);`;
      case 22:
        return `const ${x} = ${l()}; ${x}.sort((p, q) => ${
          this.#pick(["p - q", "q - p", "p > q ? 1 : -1", "(p > q) - (p < q)"])
        }); note(${x}); ${x}.length = 1; ${x}[${
          this.#below(3)
        }] = ${n()}; note(${x}, ${x}.length);`;
      case 23:
        return `const ${f} = Array.prototype.${
          this.#pick(["map", "filter", "some", "every", "find", "findLastIndex", "flatMap"])
        }.bind(${l()}); note(${f}((v, k) => ${this.#pick(["v > 0", "v + k", "[v]", "k % 2"])}));`;
      case 24:
        return `const ${x} = Object.defineProperty(${o()}, "z", { ${
          this.#pick([`get: () => ${n()}`, `value: ${n()}`])
        }, enumerable: ${b()}, configurable: true }); note(${x}.z, Object.keys(${x}).length, JSON.stringify(${x}));`;
      case 25: {
        const text = `do { ${inner()} note(${n()}); } while (out.length < 3 && ${b()});`;
        return text;
      }
      case 26:
        return `try { ${inner()} if (${b()}) throw ${
          this.#pick([n(), `new TypeError(${t()})`])
        }; } catch ${
          this.#pick(["", "({ message: m = 0 })", "(e)"])
        } { note("caught"); } finally { note(${n()}); }`;
      case 27:
        return `class ${f} extends ${
          this.#pick(["Array", "Set", "Map", "Error", "Object", "Float64Array"])
        } { extra() { return ${n()}; } } const ${x} = new ${f}(${
          this.#pick(["", "2", '""', "[]"])
        }); note(${x}.extra(), ${x} instanceof ${f}, ${x}.size ?? ${x}.length ?? 0);`;
      case 28:
        return `const ${x} = { from: 0, [Symbol.iterator]() { return { next: () => ({ done: this.from++ > 2 || ${b()}, value: this.from * ${n()} }), return() { note("end"); return {}; } }; } }; for (const ${y} of ${x}) { note(${y}); if (${b()}) break; } note(...${x}, Array.from(${x}).length);`;
      case 29:
        return `const ${f} = async (p = ${n()}) => { const q = await ${any()}; if (${b()}) throw ${n()}; await null; return [p, q]; }; note(await ${f}(), await ${f}(${n()}).catch((e) => e), await ${f}().then((v) => v[0], () => "no").finally(() => note("end")));`;
      case 30:
        return `note(...await Promise.all([${n()}, Promise.resolve(${any()}), (async () => ${n()})()]), await Promise.race([${n()}, 1]), ...(await Promise.allSettled(${l()}.map((v) => v > ${n()} ? Promise.reject(v) : v))).map((r) => r.status + (r.value ?? r.reason)));`;
      case 31:
        return `async function* ${f}() { try { for (const v of ${i()}) { yield v; if (${b()}) return; await null; } yield* ${i()}; } finally { note("over"); } } for await (const ${x} of ${f}()) { note(${x}); if (${b()}) break; }`;
      case 32:
        return `const ${x} = [], ${y} = Promise.resolve(${n()}).then((v) => ${x}.push(v, 1)); (async () => { await null; ${x}.push(${n()}); })().catch(() => {}); ${x}.push(2); await 0; ${x}.push(3); await ${y}; note(...${x}, await { then(r, j) { (${b()} ? r : j)(${n()}); } });`;
      case 33:
        return `class ${f} { static [Symbol.hasInstance](v) { return ${
          this.#pick([b(), n(), "v"])
        }; } } note({} instanceof ${f}, ${n()} instanceof ${f}, ${b()} instanceof ${f} ? 1 : 2);`;
      case 34:
        return `class ${f} extends Array { static get [Symbol.species]() { return ${
          this.#pick(["Array", f, "undefined"])
        }; } } const ${x} = ${f}.from(${l()}); note(${x}.map((v) => v) instanceof ${f}, ${x}.filter((v) => v), ${x}.length, ${x}.concat([${n()}]).length, ${f}.of(${n()}, 2)[0]);`;
      case 35:
        return `const ${x} = { a: { toJSON(k) { return ${any()}; } }, b: [${any()}, ${any()}], c: undefined, d: { toString: 1, e: ${b()} } }; note(JSON.stringify(${x}${
          this.#pick([
            "",
            ", (k, v) => typeof v === 'number' ? v + 1 : v",
            ", ['a', 'b', 'e']",
            ", null, 1",
          ])
        }), JSON.parse('{"p":[1,2],"q":{"r":3}}', (k, v) => typeof v === "number" ? v * ${n()} : v).q.r);`;
      case 36:
        return `const ${x} = new Proxy(${
          this.#pick([
            o(),
            "function (v) { return v; }",
            "class { constructor(v) { this.v = v; } }",
          ])
        }, { apply: (g, self, a) => g(...a) ${
          this.#pick(["+", "-"])
        } ${n()}, construct: (g, a) => ({ v: a[0] }), deleteProperty: (o, k) => ${b()} && delete o[k], ownKeys: (o) => Reflect.ownKeys(o).reverse(), getOwnPropertyDescriptor: (o, k) => Reflect.getOwnPropertyDescriptor(o, k), defineProperty: (o, k, p) => Reflect.defineProperty(o, k, { ...p, value: ${n()} }), getPrototypeOf: () => Array.prototype }); try { note(${
          this.#pick([`${x}(${n()})`, `new ${x}(${n()}).v`, `delete ${x}.a`])
        }); } finally { ${x}.w = ${n()}; note(Object.keys(${x}), ${x}.w, ${x} instanceof Array, { ...${x} }); }`;
      case 37:
        return `note(${t()}.replace(/[0-9]/g, (m, k) => ${any()}), ${t()}.replaceAll("a", () => ${t()}), ${t()}.split(${
          this.#pick(['"."', "/[.e]/", '""', t()])
        }).length, [...${t()}.matchAll(/[0-9]/g)].length, ${t()}.match(/\\d/)?.[0], ${t()}.search(/a|1/), ${t()}.at(${n()}), ${t()}.charCodeAt(${n()}), ${t()}.padStart(4, ${t()}), ${t()}.substring(${n()}, 2), ${t()}.indexOf(${t()}), ${t()}.repeat(Math.abs(${n()}) % 3));`;
      case 38:
        return `const ${x} = Array.from({ length: Math.abs(${n()}) % 4, 0: ${n()}, 1: ${n()} }, (v, k) => v ?? ${n()} + k); note(${x}, Array.of(${n()}).length, Array.from(new Map([[${n()}, 1]])), Array.from(${t()}, (c) => c + c), Array.prototype.map.call({ length: 2, 0: ${n()}, 1: 2 }, (v) => v * 2), Array.prototype.push.call({ length: 1 }, ${n()}), Array.prototype.join.call({ length: 2, 0: ${n()} }, "-"));`;
      case 39:
        return `const ${x} = ${l()}.map((v) => ({ v, w: ${n()} })); ${x}.sort((p, q) => ${
          this.#pick([
            "p.v - q.v",
            "p.v < q.v",
            "p.w > q.w ? 1 : p.w < q.w ? -1 : 0",
            "String(p.v) < String(q.v) ? -1 : 1",
            n(),
          ])
        }); note(${x}.map(({ v }) => v), ${l()}.sort(), ${l()}.toSorted((p, q) => q - p)[0]);`;
      case 40:
        return `note(...${l()}.values().map((v) => v * ${n()}).filter((v) => ${
          this.#pick(["v", "v > 1", b()])
        }).take(${
          this.#below(4)
        }), ${l()}.values().drop(1).toArray().length, ${l()}.values().some((v) => v > ${n()}), ${l()}.values().find((v) => ${b()}), ${l()}.keys().reduce((p, q) => p + q, ${n()}), [...Iterator.from({ k: 0, next() { return { done: this.k++ > 1 || ${b()}, value: ${n()} }; } }).flatMap((v) => [v, 1])]);`;
      case 41:
        return `function* ${f}() { try { const r = yield ${n()}; note(r); yield ${n()}; } catch (e) { yield e; } finally { note("over"); ${
          this.#pick(["", `yield ${n()};`, `return ${n()};`])
        } } } const ${x} = ${f}(); const ${y} = (r) => note(r.value, r.done); ${y}(${x}.next()); ${y}(${x}.${
          this.#pick(["return", "throw", "next"])
        }(${n()})); ${y}(${x}.next()); ${y}(${x}.next());`;
      case 42: {
        const kind = this.#pick(["Float64Array", "Int16Array", "Uint8Array", "Float32Array"]);
        return `const ${x} = ${kind}.${
          this.#pick([`from(${l()}, (v) => v + 1)`, `of(${n()}, ${n()}, 3)`, `from(new Set(d))`])
        }; ${x}.${
          this.#pick([
            `set([${n()}], 1)`,
            `fill(${n()}, 1)`,
            "reverse()",
            "copyWithin(0, 1)",
            `set(new ${kind}([${n()}]))`,
          ])
        }; note(${x}, ${x}.join(), ${x}.at(-1), ${x}.findLast((v) => v > 0), ${x}.indexOf(${n()}), ${x}.slice(1), ${x}.toSorted(), ${x}.filter((v) => v > ${n()}), ${x}.reduce((p, q) => p + q, 0), [...${x}.entries()].length, ${x}.with(0, ${n()}), ${x}.subarray(1).length, Math.max(...${x}));`;
      }
      case 43:
        return `const ${x} = BigInt(Math.trunc(${n()})), ${y} = BigInt.asIntN(8, ${x} * 3n); note(${x} + 1n, ${y}, ${x} > ${n()}, ${x} == ${n()}, typeof ${x}, -${x}, Number(${y}) / 2, ${x} ** 2n, ${x}.toString(), ${x} / ${
          this.#pick(["2n", y])
        }, ${x} + ${this.#pick(["1n", n(), t()])});`;
      case 44:
        return `const { [${t()}]: ${x} = ${n()}, [\`k\${${
          this.#below(2)
        }}\`]: { z: ${y} } = { z: ${n()} }, ...${f} } = { [${t()}]: ${n()}, get k0() { return ${o()}; }, w: ${n()} }; note(${x}, ${y}, ${f}); for (const [k, v] of Object.entries(${o()})) note(k, v); for (${f}.q of ${i()}) note(${f}.q);`;
      case 45:
        return `const ${f} = (() => { let c = ${n()}; const m = new WeakMap(), key = {}; return { add: (v) => c += v, keep: (v) => m.set(key, v).get(key), get c() { return c; } }; })(); note(${f}.add(${n()}), ${f}.add(${n()}), ${f}.keep(${any()}), ${f}.c);`;
      case 46:
        return `const ${x} = new Date(Math.trunc(${n()}) * 1e9); note(${x}.getTime(), ${x}.getUTCDay(), +${x} > ${n()}, Date.UTC(2000, ${n()}), ${x}.toISOString(), JSON.stringify(${x}), new Date(+${x} + 1) - ${x});`;
      case 47:
        return `note((() => { try { return ${
          this.#pick([
            `null[${n()}]`,
            `(${n()}).x.y`,
            `(${n()})()`,
            `new (${n()})()`,
            "Symbol() + ''",
            `[].at(${n()}).x`,
          ])
        }; } catch (e) { return e.constructor.name; } finally { note(${n()}); } })(), (() => { for (const v of ${l()}) { try { if (v > ${n()}) return v; continue; } finally { if (${b()}) break; } } return "none"; })());`;
      case 48:
        return `class ${f} { static #n = ${n()}; static { this.start = ${n()}; } #v = ${n()}; static is(o) { return #v in o; } get v() { return this.#v++; } set v(v) { this.#v ${op} v; } static next() { return ++${f}.#n; } [${t()}]() { return super.toString === Object.prototype.toString; } } class ${y} extends ${f} { get v() { return super.v * 2; } set v(v) { super.v = v + 1; } static next() { return super.next() + 1; } } const ${x} = new ${y}(); ${x}.v = ${n()}; note(${x}.v, ${x}.v, ${y}.next(), ${y}.start, ${f}.is(${x}), ${f}.is({}), ${x}.w ??= ${n()}, ${x}.v ||= 3);`;
      case 49:
        return `const ${x} = [1, , ${n()}]; ${x}[5] = ${n()}; delete ${x}[${
          this.#below(3)
        }]; note(${x}, ${x}.length, ${x}.indexOf(undefined), Object.keys(${x}), ${x}.findIndex((v) => v === undefined), ${x}.flat().length, ${x}.includes(undefined), ${x}.map((v) => v * 2), ${x}.reduce((p, q) => p + q), 1 in ${x}); ${x}.splice(${n()}, 1, ${n()}); ${x}.unshift(${n()}); ${x}.copyWithin(0, 2); note(${x}, ${x}.lastIndexOf(${n()}), ${x}.fill(${n()}, 3).at(-1), ${x}.toReversed()[0]); ${x}.length = Math.abs(${n()}) % 4; note(${x});`;
      case 50:
        return `function ${f}(a, b = a ${
          this.#pick(["+", "*"])
        } 2) { if (new.target) { this.a = a; this.t = new.target === ${f}; } return new.target ? undefined : [this, a, b]; } const ${x} = Reflect.construct(${f}, [${n()}], ${
          this.#pick([f, "Map", "class { }"])
        }); note(${x}.a, ${x}.t, new (${f}.bind(null, ${n()}))().a, ${f}.call(undefined, ${n()}), ${f}.apply(1, ${l()}).length, ${f}.length);`;
      case 51:
        return `const ${x} = new Set(${l()}), ${y} = new Set([${n()}, 2]); note([...${x}.union(${y})], ${x}.intersection(${y}).size, ${x}.isSubsetOf(${y}), [...Map.groupBy(${l()}, (v) => v > ${n()}).keys()], Object.entries(${o()}).sort(), Object.getOwnPropertyNames(${o()}), Object.hasOwn(${o()}, ${t()}));`;
      case 52:
        return `var ${x} = ${n()}; ${y}: { if (${b()}) break ${y}; var ${x} = ${n()}; } let ${f} = 0; for (let k = 0, j = ${n()}; k < 3; k++, j -= 1) { switch (k) { case 1: if (${b()}) continue; default: ${f} += j; break; case 2: { ${f} = ${f} || ${n()}; } } } note(${x}, ${f}); while (${f}-- > ${n()} && out.length < 50) note(${f}); note(typeof ${f}, void ${f}, (${f}, ${x}));`;
      case 53:
        return `const ${x} = { __proto__: { get p() { return this.q * ${n()}; }, set p(v) { this.q = v; }, m() { return ${n()}; } }, q: ${n()}, m() { return super.m() + 1; } }; ${x}.p = ${n()}; ${x}["q"] ${op} ${n()}; note(${x}.p, ${x}.m(), ${x}?.m?.(), Object.keys(${x}), "p" in ${x}); for (const k in ${x}) note(k); Object.defineProperties(${x}, { r: { get: () => ${n()}, enumerable: ${b()} }, s: { value: ${n()}, writable: ${b()} } }); try { ${x}.s = ${n()}; } finally { note(${x}.s, ${x}.r, { ...${x} }, Object.isFrozen(${x})); }`;
      case 54:
        return `const ${f} = (v) => v instanceof TypeError ? v.name : v instanceof Error ? v.message : v; try { throw new ${
          this.#pick(["Error", "RangeError"])
        }(${t()}, { cause: ${n()} }); } catch (${x}) { note(${f}(${x}), ${x}.cause, ${x}.name); } note(isNaN(${n()}), parseInt(${t()}, 10), (${n()}).toString(2).length, (${n()}).toPrecision(3), (${n()}).toExponential(1), Number(${t()}), encodeURIComponent(${t()}), ${n()} ?? ${n()}, String.fromCharCode(97 + ${n()}), Math.hypot(...${l()}), Math.atan2(${n()}, ${n()}), Math.clz32(${n()}), Math.imul(${n()}, 3));`;
      default:
        return `note(${any()}, ${any()}); ${depth > 0 ? inner() : ""}`;
    }
  }

  #expression(kind: Kind, depth: number): string {
    const n = (): string => this.#expression("number", depth - 1);
    const b = (): string => this.#expression("boolean", depth - 1);
    const t = (): string => this.#expression("text", depth - 1);
    const l = (): string => this.#expression("list", depth - 1);
    const o = (): string => this.#expression("object", depth - 1);
    const end = depth <= 0;
    switch (kind) {
      case "number":
        if (end) {
          return this.#pick([
            ...this.#numbers,
            ...this.#numbers,
            `(${this.#below(5)})`,
            "0.5",
            "(-1)",
            "s.uniform()",
            "s.laplace()",
            "s.integer({ below: 3 })",
          ]);
        }
        return this.#pick([
          () => `(${n()} ${this.#pick(["+", "-", "*", "/", "%", "**"])} ${n()})`,
          () => `(${n()} ${this.#pick(["&", "|", "^", "<<", ">>", ">>>"])} ${n()})`,
          () => `(${this.#pick(["-", "+", "~"])}(${n()}))`,
          () =>
            `Math.${
              this.#pick(["floor", "round", "abs", "sign", "sqrt", "trunc", "log1p", "fround"])
            }(${n()})`,
          () => `Math.${this.#pick(["max", "min", "hypot"])}(${n()}, ${n()}, ...${l()})`,
          () => `(${b()} ? ${n()} : ${n()})`,
          () => `(${n()} ${this.#pick(["&&", "||", "??"])} ${n()})`,
          () =>
            `${l()}.${
              this.#pick(["length", "at(-1)", "indexOf(1)", "reduce((a, c) => a + c, 0)"])
            }`,
          () => `${l()}.reduceRight((a, c) => a ${this.#pick(["+", "*", "-"])} c, ${n()})`,
          () => `Number(${t()})`,
          () => `parseFloat(${t()})`,
          () => `${t()}.length`,
          () => `(${o()}).a`,
          () => `(${o()})?.[${t()}]`,
          () => `(${n()}, ${n()})`,
          () => `(() => { const q = ${n()}; return q * q; })()`,
          () => `(function (a, k = a) { return arguments.length + k; })(${n()})`,
          () => `[${n()}, ${n()}][${this.#below(2)}]`,
          () => `Number((${n()}).toFixed(${this.#below(3)}))`,
          () => `(${l()}.find((v) => v > ${n()}) ?? ${n()})`,
          () => `note.call(null, ${n()})`,
          () => `Reflect.apply(Math.max, null, [${n()}, ${n()}])`,
        ])();
      case "boolean":
        if (end) {
          return this.#pick(["true", "false", "d[0] > 0.5", "s.bernoulli()", "s.uniform() < 0.5"]);
        }
        return this.#pick([
          () => `(${n()} ${this.#pick(["<", ">", "<=", ">=", "===", "!==", "==", "!="])} ${n()})`,
          () => `!(${this.#pick([b, n, t])()})`,
          () => `(${b()} ${this.#pick(["&&", "||"])} ${b()})`,
          () =>
            `${l()}.${this.#pick(["some", "every"])}((v) => v ${this.#pick(["<", ">"])} ${n()})`,
          () => `${l()}.includes(${n()})`,
          () => `Number.is${this.#pick(["NaN", "Integer", "Finite"])}(${n()})`,
          () => `Object.is(${n()}, ${n()})`,
          () => `(${t()} ${this.#pick(["<", "===", "=="])} ${this.#pick([t, n])()})`,
          () => `("a" in ${o()})`,
          () => `(typeof ${this.#pick([n, t, l])()} === "number")`,
          () => `Boolean(${n()})`,
          () => `/[1-5]/.test(${t()})`,
          () => `${t()}.startsWith("0")`,
        ])();
      case "text":
        if (end) return this.#pick(['"a"', '""', '"0.5"', "String(d[0])", '"length"']);
        return this.#pick([
          () => `\`\${${n()}}:\${${b()}}\``,
          () => `(${t()} + ${this.#pick([n, t, b, l])()})`,
          () => `String(${this.#pick([n, b, l])()})`,
          () => `${l()}.join(${t()})`,
          () => `(${n()}).toFixed(1)`,
          () => `(${n()}).toString()`,
          () => `typeof ${this.#pick([n, t, l, b])()}`,
          () => `JSON.stringify(${this.#pick([o, l, n])()})`,
          () => `${t()}.slice(${this.#below(2)}, 3)`,
          () => `${t()}.replace("0", "o")`,
          () => `${t()}.split("")[0]`,
          () => `Object.keys(${o()}).join()`,
        ])();
      case "list":
        if (end) return this.#pick(["[...d]", "[1, 2, 3]", "d.slice()", "[d[0], , 2]", "[]"]);
        return this.#pick([
          () => `[${n()}, ...${l()}, ${n()}]`,
          () => `${l()}.map((v, k) => v ${this.#pick(["+", "*", "-"])} ${this.#pick(["k", n()])})`,
          () => `${l()}.filter((v) => ${this.#pick(["v", "v > 0", b()])})`,
          () => `${l()}.concat(${this.#pick([n, l])()})`,
          () => `${l()}.toSorted(${this.#pick(["", "(p, q) => p - q"])})`,
          () => `${l()}.slice(${this.#below(2)})`,
          () => `Array.from({ length: ${this.#below(4)} }, (_, k) => k * ${n()})`,
          () => `Array.from(${this.#expression("iterable", depth - 1)})`,
          () => `Object.values(${o()}).filter((v) => typeof v === "number")`,
          () => `[${l()}, ${n()}].flat()`,
          () => `${l()}.flatMap((v) => [v, v])`,
          () => `${l()}.toSpliced(1, 1, ${n()})`,
          () => `${l()}.with(0, ${n()})`,
          () => `JSON.parse(JSON.stringify(${l()}))`,
          () => `structuredClone(${l()})`,
        ])();
      case "object":
        if (end) return this.#pick(["({ a: d[0], b: 2 })", "({})", "({ a: 1, length: 2 })"]);
        return this.#pick([
          () => `({ a: ${n()}, ["b"]: ${n()}, ...${o()} })`,
          () => `Object.assign({}, ${o()}, { c: ${n()} })`,
          () => `Object.fromEntries([["a", ${n()}], ["x" + ${this.#below(2)}, ${b()}]])`,
          () => `Object.freeze({ a: ${n()}, nested: ${o()} })`,
          () => `Object.create(${o()}, { b: { value: ${n()}, enumerable: true } })`,
          () => `structuredClone(${o()})`,
          () => `JSON.parse(JSON.stringify(${o()}))`,
          () => `({ get a() { return ${n()}; } })`,
          () => `Object.groupBy(${l()}, (v) => v > 1 ? "a" : "b")`,
        ])();
      case "iterable":
        if (end) return this.#pick(["d", "[d[1], 2]", '"ab"', "new Set(d)"]);
        return this.#pick([
          () => l(),
          () => `new Set(${l()})`,
          () => `${l()}.${this.#pick(["values", "keys"])}()`,
          () => `(function* () { for (const v of ${l()}) { yield v; yield* [${n()}]; } })()`,
          () => `new Float64Array(${l()})`,
          () => `(function* () { yield* ${this.#expression("iterable", depth - 1)}; })()`,
          () => `new Map([[1, ${n()}]]).values()`,
          () => t(),
        ])();
    }
  }
}
