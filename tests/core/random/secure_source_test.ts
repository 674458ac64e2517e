import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { SecureSource } from "../../../lib/core/random/secure_source.ts";
import { FALSE_ALARM, twoSided } from "./goodness_of_fit.ts";
import { mutantSource } from "./mutant_source.ts";

/** What was asked of the platform while `act` ran. */
function requests(act: () => void): Uint32Array[] {
  const seen: Uint32Array[] = [];
  const original = crypto.getRandomValues;
  crypto.getRandomValues = <T extends ArrayBufferView | null>(array: T): T => {
    seen.push(array as unknown as Uint32Array);
    return original.call(crypto, array as Uint32Array<ArrayBuffer>) as unknown as T;
  };
  try {
    act();
  } finally {
    crypto.getRandomValues = original;
  }
  return seen;
}

/** Calls `act` while the platform gives 1, 2, 3, …, or the words of `given` before that. */
function withPlatform<T>(act: () => T, given: readonly number[] = []): T {
  const original = crypto.getRandomValues, left = [...given];
  let count = 0;
  crypto.getRandomValues = <V extends ArrayBufferView | null>(array: V): V => {
    const words = array as unknown as Uint32Array;
    // As the standard has it: no shared memory, no more than 65,536 bytes.
    assert(words.buffer instanceof ArrayBuffer && words.byteLength <= 65536);
    assert(words.length > 0);
    for (let i = 0; i < words.length; i++) words[i] = left.shift() ?? ++count;
    return array;
  };
  try {
    return act();
  } finally {
    crypto.getRandomValues = original;
  }
}

/** Whether no four zeros follow each other: four of one place have probability 2⁻¹²⁸. */
function isFilled(out: Uint32Array): boolean {
  for (let i = 0, run = 0; i < out.length; i++) {
    run = out[i] === 0 ? run + 1 : 0;
    if (run === 4) return false;
  }
  return true;
}

Deno.test("SecureSource.fillUint32() fills blocks of every length", () => {
  const source = new SecureSource();
  for (const length of [0, 1, 100, 2047, 2048, 2049, 16384, 16389, 50000]) {
    const out = new Uint32Array(length);
    source.fillUint32(out);
    assert(isFilled(out), `length ${length}`);
    if (length > 4) assertNotEquals(out.at(-1), 0);
  }
  assert(!isFilled(new Uint32Array(10)));
});

Deno.test("SecureSource.fillUint32() fills shared memory too", () => {
  const out = new Uint32Array(new SharedArrayBuffer(4 * 3000));
  new SecureSource().fillUint32(out);
  assert(isFilled(out));
});

Deno.test("SecureSource() overwrites the words that it has handed out", () => {
  const source = new SecureSource();
  const used = new Uint32Array(10);
  const [buffer] = requests(() => {
    for (let i = 0; i < 5; i++) source.uint32();
    source.fillUint32(used);
    source.uniform();
  });
  assertEquals([...buffer!.subarray(0, 17)], new Array(17).fill(0));
  assert(isFilled(buffer!.subarray(17)));
  assert(isFilled(used));
});

Deno.test("SecureSource.fillUint32() hands out each buffered word once", () => {
  const source = new SecureSource();
  const seen = new Set<number>();
  const out = new Uint32Array(700);
  for (let i = 0; i < 20; i++) {
    source.fillUint32(out);
    out.forEach((word) => seen.add(word));
  }
  // 14,000 words coincide 0.02 times on average; more than 10 times with probability below 1e-20.
  assert(seen.size > 14_000 - 10);
});

/** P-value of the number of ones among the bits. */
function balance(source: Source): number {
  const out = new Uint32Array(1 << 16);
  source.fillUint32(out);
  let ones = 0;
  for (const word of out) for (let x = word; x !== 0; x &= x - 1) ones++;
  return twoSided((2 * ones - 32 * out.length) / Math.sqrt(32 * out.length));
}

// False-alarm rate 1e-7 per run: the platform's generator cannot be seeded.
Deno.test("SecureSource() draws fair bits", () => {
  assert(balance(new SecureSource()) > FALSE_ALARM);
  // Mutant: the sign bit lost.
  const mutant = mutantSource(new SecureSource(), (block) => {
    for (let i = 0; i < block.length; i++) block[i]! &= 0x7fffffff;
  });
  assert(balance(mutant) < FALSE_ALARM);
});

Deno.test("SecureSource.uniform() stays in (0, 1) and split() gives another secure source", () => {
  const source = new SecureSource();
  for (let i = 0; i < 10_000; i++) {
    const x = source.uniform();
    assert(x > 0 && x < 1);
  }
  const child = source.split("label");
  assert(child !== source);
  assertEquals(child.kind, "secure");
});

Deno.test("SecureSource.fillUint32() gives the words of the platform in their order", () => {
  for (const length of [1, 700, 2047, 2048, 2049, 16384, 32768, 40000]) {
    const out = new Uint32Array(length);
    withPlatform(() => new SecureSource().fillUint32(out));
    assertEquals(out, Uint32Array.from({ length }, (_, i) => i + 1));
  }
  withPlatform(() => {
    const shared = new Uint32Array(new SharedArrayBuffer(4 * 3001));
    const source = new SecureSource();
    source.fillUint32(shared.subarray(0, 3000));
    assertEquals([...shared], [...Array.from({ length: 3000 }, (_, i) => i + 1), 0]);
    assertEquals(source.uint32(), 3001);
  });
});

Deno.test("SecureSource.uniform() makes its 53 bits of two words, and draws zeros again", () => {
  withPlatform(() => {
    const source = new SecureSource();
    assertEquals(source.uniform(), 1 - 2 ** -53);
    assertEquals(source.uniform(), (7 * 2 ** 21 + 3) / 2 ** 53);
    assertEquals(source.uniform(), 2 ** -53);
    assertEquals(source.uint32(), 99);
  }, [0xffffffff, 0xffffffff, 7, 3 * 2 ** 11 + 2047, 0, 2047, 0, 2048, 99]);
});
