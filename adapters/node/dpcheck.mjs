// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- JavaScript has no types
/** The subject protocol of dpcheck, spoken for a function of rows. One file without dependencies, for Node 18 and later. */

import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import process from "node:process";

/**
 * Answers dpcheck with outputs of `f(rows)` until the input ends. Call it at the end of a program, and audit that:
 * `dpcheck audit --exec "node program.mjs" …`.
 *
 * `f` may be asynchronous; one output is drawn after the other. What it prints goes to standard error. An error that it throws is an
 * output: its name and message. Typed arrays and sets are sent as lists, maps as lists of pairs, NaN and infinities as they are,
 * and whole numbers beyond 2⁵³ as texts. With `width`, `f` returns so many numbers each time, and they are sent as doubles in memory,
 * which is faster; an error then ends the program.
 *
 * Standard error says once where noise may be known beforehand: Math.random was replaced, or Node was started with a seed.
 */
export async function serve(f, { width } = {}) {
  if (width !== undefined && !(Number.isSafeInteger(width) && width > 0 && width <= 1e6)) {
    throw new RangeError(
      `Cannot serve: width must be an integer from 1 to 1000000: current value is ${width}`,
    );
  }
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  // dpcheck has ended: the end of input follows.
  process.stdout.on("error", () => {});
  const checkSeeds = seedCheck();
  checkSeeds();
  const binary = width === undefined ? {} : { binary: "f64", width };
  write(`${JSON.stringify({ dpcheck: 1, order: true, seeded: true, ...binary })}\n`);
  for await (const line of lines(process.stdin)) {
    const { id, seed, datasets, order } = parse(line);
    const run = seed === undefined ? f : (rows) => withSeed(seed, () => f(rows));
    if (width !== undefined) write(await doubles(run, { datasets, order, width }).catch(endWith));
    else write(`{"id":${id},${await answer(run, { datasets, order })}}\n`);
    checkSeeds();
  }
}

/**
 * Answers dpcheck about sessions of a service until the input ends: `dpcheck audit --interactive --exec "node program.mjs" …`. A service
 * is what `--module` takes: `start(rows, source)` gives its state, `open(state, { user })` a session with `ask(question)` and perhaps `close()`;
 * `restart(state)` and `stop(state)` may be absent. Each may be asynchronous. An error that is thrown is an answer, `{ refused: reason }` a
 * refusal. `source.uniform()` is a random number of (0, 1).
 */
export async function serveSessions(service) {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  process.stdout.on("error", () => {});
  const answerTo = sessionAnswers(service);
  const restart = typeof service.restart === "function";
  write(`${JSON.stringify({ dpcheck: 1, sessions: true, reset: true, restart })}\n`);
  for await (const line of lines(process.stdin)) write(`${json(await answerTo(parse(line)))}\n`);
  await answerTo({ reset: true });
}

/**
 * A function that gives the answer to each request about sessions of a service, both as records: what a server does under `--url`, where a
 * request is the body of a POST. Requests are answered one after the other.
 */
export function sessionAnswers(service) {
  for (const name of ["start", "open"]) {
    if (typeof service?.[name] !== "function") {
      throw new TypeError(`Cannot serve: ${name} of the service must be a function`);
    }
  }
  let started, last = Promise.resolve();
  const open = new Map();
  const end = async () => {
    const sessions = [...open.values()], ended = started;
    open.clear();
    started = undefined;
    for (const session of sessions) await session.close?.();
    if (ended !== undefined) await service.stop?.(ended.state);
  };
  const reply = async (request) => {
    const { session } = request;
    if (request.open !== undefined) {
      started ??= { state: await service.start(request.open, SOURCE, { wait: async () => {} }) };
      open.set(session, await service.open(started.state, { user: request.user }));
    } else if (request.ask !== undefined) {
      if (!open.has(session)) throw new Error("the session is not open");
      const answer = await open.get(session).ask(request.ask);
      return typeof answer?.refused === "string"
        ? { refused: answer.refused }
        : { answer: answer ?? null };
    } else if (request.restart === true) {
      open.clear();
      const state = await service.restart(started.state);
      if (state !== undefined) started = { state };
    } else if (request.reset === true) await end();
    else if (request.close === true) {
      const closed = open.get(session);
      open.delete(session);
      await closed?.close?.();
      if (open.size === 0) await end();
    }
    return { ok: true };
  };
  return (request) => {
    const answer = last.then(() => reply(request)).catch((error) => ({
      error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    })).then((fields) => {
      const { id, session } = request;
      return { id, ...(session === undefined ? {} : { session }), ...fields };
    });
    last = answer;
    return answer;
  };
}

/** Random numbers for services. */
const SOURCE = {
  uniform: () => {
    const [high, low] = crypto.webcrypto.getRandomValues(new Uint32Array(2));
    return ((high >>> 5) * 2 ** 26 + (low >>> 6) + 0.5) / 2 ** 53;
  },
};

/** Reads JSON in which NaN, Infinity and -Infinity may stand bare, as dpcheck writes them. */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    const mark = "\0number ";
    const marked = line.replaceAll(
      /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g,
      (token) => token.startsWith('"') ? token : JSON.stringify(mark + token),
    );
    return JSON.parse(
      marked,
      (_, value) =>
        typeof value === "string" && value.startsWith(mark)
          ? Number(value.slice(mark.length))
          : value,
    );
  }
}

/** The outputs, with null in place of those that are errors, and the errors by their places. */
async function answer(f, { datasets, order }) {
  const outputs = [], errors = {};
  for (const [place, side] of order.entries()) {
    try {
      const output = f(datasets[side]);
      outputs[place] = json(output instanceof Promise ? await output : output);
    } catch (error) {
      outputs[place] = "null";
      errors[place] = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
  }
  const beside = Object.keys(errors).length === 0 ? "" : `,"errors":${JSON.stringify(errors)}`;
  return `"outputs":[${outputs.join(",")}]${beside}`;
}

/** Runs `f` with the randomness of JavaScript and of node:crypto from a seed: for runs that are compared, never for audited ones. */
async function withSeed(seed, f) {
  const word = wordsOf(seed);
  const uniform = () => (word() * 2 ** 21 + (word() >>> 11)) / 2 ** 53;
  const fill = (array) => {
    const bytes = new Uint8Array(array.buffer ?? array, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = word() >>> 24;
    return array;
  };
  const integer = (low, high) =>
    high === undefined ? integer(0, low) : low + Math.floor((high - low) * uniform());
  const uuid = () => {
    const digits = fill(Buffer.alloc(16)).toString("hex");
    return digits.replace(/(.{8})(.{4}).(.{3}).(.{3})(.{12})/, "$1-$2-4$3-8$4-$5");
  };
  /** Calls back where the last argument is a function, as node:crypto does. */
  const orLater = (draw) => (...given) => {
    const last = given.at(-1);
    if (typeof last !== "function") return draw(...given);
    const value = draw(...given.slice(0, -1));
    queueMicrotask(() => last(null, value));
  };
  const restore = [
    replaced(Math, { random: uniform }),
    replaced(crypto.webcrypto, { getRandomValues: fill, randomUUID: uuid }),
    replaced(crypto, {
      randomUUID: uuid,
      randomFillSync: fill,
      randomFill: orLater(fill),
      randomBytes: orLater((size) => fill(Buffer.alloc(size))),
      randomInt: orLater(integer),
    }),
  ];
  syncBuiltinESMExports();
  try {
    return await f();
  } finally {
    for (const each of restore) each();
    syncBuiltinESMExports();
  }
}

/** Gives an object other methods. Returns what undoes this. */
function replaced(object, methods) {
  const before = Object.keys(methods).map((
    name,
  ) => [name, Object.getOwnPropertyDescriptor(object, name)]);
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(object, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [name, own] of before) {
      if (own === undefined) delete object[name];
      else Object.defineProperty(object, name, own);
    }
  };
}

/** The 32-bit words of a seed: sfc32 of Chris Doty-Humphrey. */
function wordsOf(seed) {
  let a = seed | 0, b = Math.floor(seed / 2 ** 32) | 0, c = 0x9e3779b9 | 0, count = 1;
  const next = () => {
    const word = (a + b | 0) + count++ | 0;
    a = b ^ b >>> 9;
    b = c + (c << 3) | 0;
    c = (c << 21 | c >>> 11) + word | 0;
    return word >>> 0;
  };
  for (let i = 0; i < 15; i++) next();
  return next;
}

/** Ends the program. The message comes last: reports show the end of standard error. */
function endWith(error) {
  console.error(error);
  console.error(String(error));
  process.exit(1);
}

/** The bytes of `width` little-endian doubles an output. */
async function doubles(f, { datasets, order, width }) {
  const bytes = Buffer.alloc(8 * width * order.length);
  let at = 0;
  for (const side of order) {
    const output = await f(datasets[side]);
    const numbers = typeof output === "number" ? [output] : output;
    if (
      numbers?.length !== width ||
      !Array.prototype.every.call(numbers, (x) => typeof x === "number")
    ) {
      throw new RangeError(`serve: f must return ${width} numbers, as width says`);
    }
    for (const number of numbers) at = bytes.writeDoubleLE(number, at);
  }
  return bytes;
}

/** An output as JSON, with bare NaN, Infinity and -Infinity, which dpcheck reads, and with the sign of zero. */
function json(value) {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? String(value) : `"${value}"`;
  }
  if (typeof value?.toJSON === "function") return json(value.toJSON());
  if (Array.isArray(value)) return list(value);
  if (value instanceof Set || value instanceof Map) return list([...value]);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return list(Array.from(value));
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([key, field]) =>
      `${JSON.stringify(key)}:${json(field)}`
    );
    return `{${fields.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

function list(values) {
  return `[${Array.from(values, json).join(",")}]`;
}

/** Lines end at line feeds only: a text in JSON may hold every other separator. */
async function* lines(stream) {
  stream.setEncoding("utf8");
  let rest = "";
  for await (const chunk of stream) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop();
    yield* parts;
  }
}

/** A function that says once on standard error that random numbers may come from a fixed seed. */
function seedCheck() {
  const flags = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? "").split(" ")];
  const isSeeded = flags.some((flag) => /^--random[-_]seed/.test(flag));
  let isTold = false;
  return () => {
    if (isTold) return;
    const isReplaced = !Function.prototype.toString.call(Math.random).includes("[native code]");
    if (isReplaced) {
      console.error("dpcheck: Math.random was replaced: its numbers may come from a fixed seed");
    } else if (isSeeded) {
      console.error("dpcheck: Node was started with --random-seed: Math.random repeats");
    }
    isTold = isReplaced || isSeeded;
  };
}
