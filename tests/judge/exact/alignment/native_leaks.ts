const NOISY = "d[0] + s.laplace({ scale: 1 })";

/**
 * Programs of two shares that tell one share from all others, or leak a row otherwise, by what JavaScript itself asks of a value: whether
 * it is true, identical to another, or can be used.
 */
export const NATIVE_LEAKS: Readonly<Record<string, string>> = {
  "tag bound Object.is":
    `(d, s) => { const f = Object.is.bind(null, d[0], 0.37); return f\`\` ? 'x' : ${NOISY}; }`,
  "getter bound Object.is":
    `(d, s) => { const o = Object.defineProperty({}, 'v', { get: Object.is.bind(null, d[0], 0.37) }); return o.v ? 'x' : ${NOISY}; }`,
  "getter bound includes":
    `(d, s) => { const o = Object.defineProperty({}, 'v', { get: Array.prototype.includes.bind([0.37], d[0]) }); return o.v ? 'x' : ${NOISY}; }`,
  "setter Set.add":
    `(d, s) => { const t = Object.defineProperty(new Set([0.37]), 'v', { set: Set.prototype.add }); t.v = d[0]; return t.size === 1 ? 'x' : ${NOISY}; }`,
  "proxy of Object.is": `(d, s) => new Proxy(Object.is, {})(d[0], 0.37) ? 'x' : ${NOISY}`,
  "proxy apply Reflect.apply":
    `(d, s) => new Proxy(Object.is, { apply: Reflect.apply })(d[0], 0.37) ? 'x' : ${NOISY}`,
  "spreadable literal":
    `(d, s) => { const o = { length: 1, 0: 1, [Symbol.isConcatSpreadable]: d[0] !== 0.37 }; return typeof [].concat(o)[0] === 'object' ? 'x' : ${NOISY}; }`,
  "spreadable class field":
    `(d, s) => { class O { length = 1; 0 = 1; [Symbol.isConcatSpreadable] = d[0] !== 0.37 } return typeof [].concat(new O())[0] === 'object' ? 'x' : ${NOISY}; }`,
  "spreadable getter":
    `(d, s) => { const o = { length: 1, 0: 1, get [Symbol.isConcatSpreadable]() { return d[0] !== 0.37; } }; return typeof [].concat(o)[0] === 'object' ? 'x' : ${NOISY}; }`,
  "done computed, yield*":
    `(d, s) => { let n = 0; const it = { [Symbol.iterator]() { return { next: () => ({ ['done']: n++ > 0 || d[0] !== 0.37, value: 1 }) }; } }; function* g() { yield* it; } let k = 0; for (const _ of g()) k++; return k > 0 ? 'x' : ${NOISY}; }`,
  "done class field, yield*":
    `(d, s) => { let n = 0; class R { done = n++ > 0 || d[0] !== 0.37; value = 1 } const it = { [Symbol.iterator]: () => ({ next: () => new R() }) }; function* g() { yield* it; } let k = 0; for (const _ of g()) k++; return k > 0 ? 'x' : ${NOISY}; }`,
  "done fromEntries, yield*":
    `(d, s) => { let n = 0; const it = { [Symbol.iterator]: () => ({ next: () => Object.fromEntries([['done', n++ > 0 || d[0] !== 0.37]]) }) }; function* g() { yield* it; } let k = 0; for (const _ of g()) k++; return k > 0 ? 'x' : ${NOISY}; }`,
  "done by assign, Iterator.from":
    `(d, s) => { let n = 0; const it = { next: () => Object.assign({}, Object.fromEntries([['done', n++ > 0 || d[0] !== 0.37]])) }; let k = 0; for (const _ of Iterator.from(it)) k++; return k > 0 ? 'x' : ${NOISY}; }`,
  "done, iterator prototype map":
    `(d, s) => { let n = 0; const it = { __proto__: Iterator.prototype, next: () => Object.fromEntries([['done', n++ > 0 || d[0] !== 0.37]]) }; return it.map((x) => x).toArray().length ? 'x' : ${NOISY}; }`,
  "done, flatMap":
    `(d, s) => { let n = 0; const it = { [Symbol.iterator]: () => ({ next: () => Object.fromEntries([['done', n++ > 0 || d[0] !== 0.37]]) }) }; return [1].values().flatMap(() => it).toArray().length ? 'x' : ${NOISY}; }`,
  "subclass of Set":
    `(d, s) => { class S extends Set {} return new S([d[0], 0.37]).size === 1 ? 'x' : ${NOISY}; }`,
  "subclass of Set, super":
    `(d, s) => { class S extends Set { constructor(v) { super(v); } } return new S([d[0], 0.37]).size === 1 ? 'x' : ${NOISY}; }`,
  "subclass of Map":
    `(d, s) => { class M extends Map {} return new M([[d[0], 1], [0.37, 2]]).size === 1 ? 'x' : ${NOISY}; }`,
  "subclass of Array one":
    `(d, s) => { class A extends Array {} let a; try { a = new A(1 + (d[0] !== 0.37)); } catch { return 1; } const t = a.length; return t === 2 ? 2 + s.laplace({ scale: 1 }) : 'x'; }`,
  "Reflect.construct Set with target":
    `(d, s) => { class S extends Set {} return Reflect.construct(Set, [[d[0], 0.37]], S).size === 1 ? 'x' : ${NOISY}; }`,
  "setPrototypeOf class to Set":
    `(d, s) => { class B {} class S extends B { constructor(v) { super(v); } } Object.setPrototypeOf(S, Set); const t = new S([d[0], 0.37]); return Object.getOwnPropertyDescriptor(Set.prototype, 'size').get.call(t) === 1 ? 'x' : ${NOISY}; }`,
  "__proto__ class to Set":
    `(d, s) => { class B {} class S extends B { constructor(v) { super(v); } } S.__proto__ = Set; const t = new S([d[0], 0.37]); return Object.getOwnPropertyDescriptor(Set.prototype, 'size').get.call(t) === 1 ? 'x' : ${NOISY}; }`,
  "frozen property redefined":
    `(d, s) => { const o = Object.freeze({ x: 0.37 }); try { Object.defineProperty(o, 'x', { value: d[0] }); return 'x'; } catch { return ${NOISY}; } }`,
  "frozen property Reflect":
    `(d, s) => { const o = Object.freeze({ x: 0.37 }); return Reflect.defineProperty(o, 'x', { value: d[0] }) ? 'x' : ${NOISY}; }`,
  "proxy invariant":
    `(d, s) => { const p = new Proxy(Object.freeze({ x: 0.37 }), { get: () => d[0] }); try { p.x; return 'x'; } catch { return ${NOISY}; } }`,
  "proxy set invariant":
    `(d, s) => { 'use strict'; const p = new Proxy(Object.freeze({ x: 0.37 }), { set: () => true }); try { p.x = d[0]; return 'x'; } catch { return ${NOISY}; } }`,
  "proxy descriptor trap":
    `(d, s) => { const p = new Proxy({}, { getOwnPropertyDescriptor: () => ({ value: 1, configurable: true, enumerable: d[0] !== 0.37 }), ownKeys: () => ['a'] }); return Object.keys(p).length === 0 ? 'x' : ${NOISY}; }`,
  "BigInt throws 2":
    `(d, s) => { try { BigInt(d[0] + 0.63); return 'x'; } catch { return ${NOISY}; } }`,
  "repeat throws":
    `(d, s) => { try { 'a'.repeat(-(d[0] === 0.37)); return ${NOISY}; } catch { return 'x'; } }`,
  "toFixed digits throws":
    `(d, s) => { try { (1).toFixed((d[0] === 0.37) * 1000); return ${NOISY}; } catch { return 'x'; } }`,
  "pattern of a typed array":
    `(d, s) => { const { 0: v } = new Float64Array(d); return v === 0.37 ? 'x' : ${NOISY}; }`,
  "nested pattern of a typed array":
    `(d, s) => { const { a: { 0: v } } = { a: new Float64Array(d) }; return v === 0.37 ? 'x' : ${NOISY}; }`,
  "parameter pattern of a typed array":
    `(d, s) => { const f = ({ 0: v }) => v === 0.37; return f(new Float64Array(d)) ? 'x' : ${NOISY}; }`,
  "rest pattern of a typed array":
    `(d, s) => { const { ...r } = new Float64Array(d); return r[0] === 0.37 ? 'x' : ${NOISY}; }`,
  "Object.values of a typed array":
    `(d, s) => Object.values(new Float64Array(d))[0] === 0.37 ? 'x' : ${NOISY}`,
  "Object.entries of a typed array":
    `(d, s) => Object.entries(new Float64Array(d))[0][1] === 0.37 ? 'x' : ${NOISY}`,
  "Object.assign of a typed array":
    `(d, s) => Object.assign({}, new Float64Array(d))[0] === 0.37 ? 'x' : ${NOISY}`,
  "Array map on a typed array":
    `(d, s) => Array.prototype.map.call(new Float64Array(d), (x) => x)[0] === 0.37 ? 'x' : ${NOISY}`,
  "Array slice on a typed array":
    `(d, s) => Array.prototype.slice.call(new Float64Array(d))[0] === 0.37 ? 'x' : ${NOISY}`,
  "Array filter on a typed array":
    `(d, s) => Array.prototype.filter.call(new Float64Array(d), (x) => x === 0.37).length ? 'x' : ${NOISY}`,
  "Array reduce on a typed array":
    `(d, s) => Array.prototype.reduce.call(new Float64Array(d), (a, x) => a || x === 0.37, false) ? 'x' : ${NOISY}`,
  "descriptor of a typed array":
    `(d, s) => Object.getOwnPropertyDescriptor(new Float64Array(d), 0).value === 0.37 ? 'x' : ${NOISY}`,
  "typed array inherits":
    `(d, s) => Object.create(new Float64Array(d))[0] === 0.37 ? 'x' : ${NOISY}`,
  "Reflect.get typed receiver":
    `(d, s) => { const a = new Float64Array(d); return Reflect.get(a, 0, a) === 0.37 ? 'x' : ${NOISY}; }`,
  "proxy of a typed array":
    `(d, s) => new Proxy(new Float64Array(d), {})[0] === 0.37 ? 'x' : ${NOISY}`,
  "float32": `(d, s) => new Float32Array(d)[0] === d[0] ? 'x' : ${NOISY}`,
  "flags":
    `(d, s) => Object.getOwnPropertyDescriptor(RegExp.prototype, 'flags').get.call({ global: d[0] !== 0.37 }) === '' ? 'x' : ${NOISY}`,
  "flags by Reflect.get":
    `(d, s) => Reflect.get(RegExp.prototype, 'flags', { global: d[0] !== 0.37 }) === '' ? 'x' : ${NOISY}`,
  "flags by a class":
    `(d, s) => { class R extends RegExp { get global() { return d[0] !== 0.37; } } return new R('a').flags === '' ? 'x' : ${NOISY}; }`,
  "match in startsWith":
    `(d, s) => { const o = { [Symbol.match]: d[0] !== 0.37, toString: () => 'a' }; try { 'abc'.startsWith(o); return 'x'; } catch { return ${NOISY}; } }`,
  "set-like has":
    `(d, s) => new Set([1]).intersection({ size: 5, has: () => d[0] !== 0.37, keys: () => [].values() }).size === 0 ? 'x' : ${NOISY}`,
  "symbolic zero sign":
    `(d, s) => [d[0] >= 0.5 ? d[1] - d[1] : -(d[1] - d[1]), s.laplace({ scale: 1 })]`,
  "zero sign by min": `(d, s) => [d[0] >= 0.5 ? Math.min(-0, d[1]) : 0, s.laplace({ scale: 1 })]`,
  "zero sign by product":
    `(d, s) => [(d[0] >= 0.5 ? 1 : -1) * (d[1] - d[1]), s.laplace({ scale: 1 })]`,
  "zero sign by noise":
    `(d, s) => { const n = s.laplace({ scale: 1 }); return [d[0] >= 0.5 ? n - n : -(n - n), n + d[0]]; }`,
  "includes of NaN": `(d, s) => [[d[0]].includes(d[1]), s.laplace({ scale: 1 })]`,
  "toJSON native":
    `(d, s) => JSON.stringify({ toJSON: Object.is.bind(null, d[0], 0.37) }) === 'true' ? 'x' : ${NOISY}`,
  "hasInstance bound":
    `(d, s) => { const C = { [Symbol.hasInstance]: Object.is.bind(null, d[0]) }; return 0.37 instanceof C ? 'x' : ${NOISY}; }`,
  "structuredClone class":
    `(d, s) => { class C { a = d[0] } return structuredClone(new C()).a === 0.37 ? 'x' : ${NOISY}; }`,
  "defineProperty length":
    `(d, s) => { const a = []; try { Object.defineProperty(a, 'length', { value: d[0] * 100 - 36 }); return 'x'; } catch { return ${NOISY}; } }`,
  "Reflect.set length":
    `(d, s) => { const a = []; try { Reflect.set(a, 'length', d[0] * 100 - 36); return 'x'; } catch { return ${NOISY}; } }`,
  "assign length":
    `(d, s) => { const a = []; try { Object.assign(a, { length: d[0] * 100 - 36 }); return 'x'; } catch { return ${NOISY}; } }`,
  "pattern to length":
    `(d, s) => { const a = []; try { [a.length] = [d[0] * 100 - 36]; return 'x'; } catch { return ${NOISY}; } }`,
  "pattern to typed":
    `(d, s) => { const a = new Float64Array(1); [a[0]] = d; return a[0] === 0.37 ? 'x' : ${NOISY}; }`,
  "pattern to setter":
    `(d, s) => { const t = Object.defineProperty(new Set([0.37]), 'v', { set: Set.prototype.add }); [t.v] = d; return t.size === 1 ? 'x' : ${NOISY}; }`,
  "A.copyWithin":
    `(d, s) => { const a = new Float64Array([d[0], 0]); Array.prototype.copyWithin.call(a, 1, 0); return a[1] === 0.37 ? 'x' : ${NOISY}; }`,
  "A.includes on typed":
    `(d, s) => Array.prototype.includes.call(new Float64Array(d), 0.37) ? 'x' : ${NOISY}`,
  "no letter at a place": `(d, s) => "x".codePointAt(d[0] === 0.37) === undefined ? "x" : ${NOISY}`,
  "no letter, by ??": `(d, s) => ("x".at(d[0] === 0.37) ?? "none") === "none" ? "x" : ${NOISY}`,
  "no letter of a text": `(d, s) => String(d[0] === 0.37)[4] === undefined ? "x" : ${NOISY}`,
  "a tag":
    `(d, s) => ({}).toString.call({ [Symbol.toStringTag]: String(d[0] === 0.37) }) === "[object true]" ? "x" : ${NOISY}`,
  "a list of keys of JSON":
    `(d, s) => JSON.stringify({ "0.37": 1 }, [String(d[0])]) !== "{}" ? "x" : ${NOISY}`,
  "Object.assign of a text":
    `(d, s) => Object.keys(Object.assign({}, String(d[0]))).length === 4 ? "x" : ${NOISY}`,
  "the name of an exception":
    `(d, s) => new DOMException("a", String(d[0])).name === "0.37" ? "x" : ${NOISY}`,
  "errors in a text":
    `(d, s) => new AggregateError(String(d[0])).errors.length === 4 ? "x" : ${NOISY}`,
  "Array.from of hidden places":
    `(d, s) => Array.from(Object.defineProperty({ length: 1 }, 0, { value: d[0] }))[0] === 0.37 ? "x" : ${NOISY}`,
  "includes from before the list": `(d, s) => [d[0], 5, 6].includes(0.37, -9) ? "x" : ${NOISY}`,
  "indexOf from a part of a place": `(d, s) => [5, d[0]].indexOf(0.37, 0.5) === 1 ? "x" : ${NOISY}`,
  "lastIndexOf from undefined":
    `(d, s) => [d[0], 5].lastIndexOf(0.37, undefined) === 0 ? "x" : ${NOISY}`,
  "arguments with an iterator":
    `(d, s) => ((x) => x).apply(null, { length: 1, 0: d[0], *[Symbol.iterator]() { yield 5; } }) === 0.37 ? "x" : ${NOISY}`,
  "bytes by a pattern":
    `(d, s) => { const { buffer } = new Float64Array(d); return new Float64Array(buffer)[0] === 0.37 ? "x" : ${NOISY}; }`,
  "a stack by a pattern":
    `(d, s) => { const { stack } = new Error("a"); return !stack.includes("trace_program") && d[0] === 0.37 ? "x" : ${NOISY}; }`,
  "how deep the stack is":
    `(d, s) => { let n = 0; const f = () => { n++; f(); }; try { f(); } catch {} return n > 6000 && d[0] === 0.37 ? "x" : ${NOISY}; }`,
  "the same, lost by finally":
    `(d, s) => { let n = 0; const f = () => { n++; try { f(); } finally { return; } }; f(); return n > 6000 && d[0] === 0.37 ? "x" : ${NOISY}; }`,
  "what an error of JavaScript says":
    `(d, s) => { let m; try { [...5]; } catch ({ message }) { m = message; } return m.startsWith("Spread") && d[0] === 0.37 ? "x" : ${NOISY}; }`,
  "an error where native code cannot use a value":
    `(d, s) => { let t = 0; try { t = new Date({ valueOf: () => d[0] * 1000 }).getTime(); } catch {} return t === 370 ? "x" : ${NOISY}; }`,
  "an entry that is no object":
    `(d, s) => { let t = 0; try { new Map([5]); } catch { t = 1; } return t === 1 && d[0] === 0.37 ? "x" : ${NOISY}; }`,
  "groups by what is no function":
    `(d, s) => { let t = 0; try { Object.groupBy([], 5); } catch { t = 1; } return t === 1 && d[0] === 0.37 ? "x" : ${NOISY}; }`,
  "a proxy put out":
    `(d, s) => [d[0] >= 0.5 ? new Proxy({}, { get: () => 1 }) : {}, s.laplace({ scale: 1 })]`,
  "an error with a name of its own":
    `(d, s) => [d[0] >= 0.5 ? Object.assign(new Error("a"), { name: "Error" }) : new Error("a"), s.laplace({ scale: 1 })]`,
  "an error with an empty message":
    `(d, s) => [d[0] >= 0.5 ? new Error("") : new Error(), s.laplace({ scale: 1 })]`,
  "an entry that is a typed array":
    `(d, s) => new Map([new Float64Array(d)]).has(0.37) ? "x" : ${NOISY}`,
};

/** Programs that keep ε = 1 and compute with a noisy number what they like. */
export const POST_PROCESSED: Readonly<Record<string, string>> = {
  "a number that is read as a text":
    `(d, s) => parseFloat(d[0]) + Number(d[1]) + s.laplace({ scale: 1 })`,
  "a row times 0":
    `(d, s) => [0, 1].reduce((sum, w, i) => sum + w * d[i], s.laplace({ scale: 1 }))`,
  "a noisy row": `(d, s) => ${NOISY}`,
  "rounded": `(d, s) => Math.max(0, Math.round(d[0] + d[1] + s.laplace({ scale: 1 })))`,
  "digits": `(d, s) => (${NOISY}).toFixed(2)`,
  "a text in a record": `(d, s) => ({ n: d.length, text: \`about \${Math.floor(${NOISY})}\` })`,
  "a text of JSON": `(d, s) => JSON.stringify({ n: d.length, noisy: ${NOISY} })`,
  "a text with all digits": `(d, s) => \`\${${NOISY}} or so\``,
  "an exponential": `(d, s) => Math.exp(${NOISY})`,
  "a quotient of two":
    `(d, s) => (d[0] + s.laplace({ scale: 2 })) / (d[1] + s.laplace({ scale: 2 }))`,
  "rounded, compared": `(d, s) => Math.round(${NOISY}) > 3 ? "many" : "few"`,
  "rounded up, compared with a fraction": `(d, s) => 2.5 >= Math.ceil(${NOISY})`,
  "rounded down, equal": `(d, s) => Math.floor(${NOISY}) === 0 ? "none" : "some"`,
  "rows that are rounded, counted":
    `(d, s) => d.filter((x) => Math.floor(2 * x) >= 1).length + s.laplace({ scale: 1 })`,
};

/** Programs that compute with a noisy number, and do not keep ε = 1. */
export const NOT_POST_PROCESSED: Readonly<Record<string, string>> = {
  "half the noise": `(d, s) => Math.round(d[0] + s.laplace({ scale: 0.5 }))`,
  "a rounded row": `(d, s) => [Math.round(d[0]), s.laplace({ scale: 1 })]`,
  "two rounded numbers": `(d, s) => [Math.round(${NOISY}), Math.floor(${NOISY})]`,
  "noise times a row": `(d, s) => d[0] * s.laplace({ scale: 1 })`,
  "a row beside noise in a text": `(d, s) => \`\${d[0]} \${s.laplace({ scale: 1 })}\``,
  "a row beside noise in a text of JSON":
    `(d, s) => JSON.stringify([d[0], s.laplace({ scale: 1 })])`,
  "rows that change places in a text of JSON":
    `(d, s) => { const n = ${NOISY}; return JSON.stringify(d[0] > 0.5 ? { a: n, b: 1 } : { b: 1, a: n }); }`,
  "another function by a row":
    `(d, s) => { const n = ${NOISY}; return d[0] > 0.5 ? Math.floor(n) : Math.ceil(n); }`,
  "a band of a rounded row":
    `(d, s) => Math.round(d[0] - 0.87) >= 0 && Math.round(-0.13 - d[0]) >= 0 ? "x" : ${NOISY}`,
  "an edge by ceil":
    `(d, s) => Math.ceil(d[0] - 0.37) < 1 && Math.ceil(0.37 - d[0]) < 1 ? "x" : ${NOISY}`,
  "the sign of a rounded zero": `(d, s) => [Math.round(d[0] - 0.7), s.laplace({ scale: 1 })]`,
  "zero times a row": `(d, s) => [(d[0] - 0.5) * 0, s.laplace({ scale: 1 })]`,
  "noise and its rounded value with a row":
    `(d, s) => { const n = s.laplace({ scale: 1 }); return [Math.round(d[0] + n), n]; }`,
};
