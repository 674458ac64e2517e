import { BINARY } from "./binary.ts";

/** The kernels, and the memory that they work on. An address is a number of bytes from the beginning of the memory. */
export interface Kernels {
  /** Of one size for good, so that views of it stay valid. */
  readonly memory: ArrayBuffer;
  /** As in xoshiro128.as. */
  writeJumpTable(table: number, steps: number): void;
  /** As in xoshiro128.as. */
  fillChunks(state: number, out: number, chunks: number, steps: number, table: number): void;
  /** As in ziggurat.as. */
  drawInside(
    words: number,
    values: number,
    count: number,
    table: number,
    scale: number,
    pending: number,
  ): number;
  /** As in uniform.as. */
  convertWords(words: number, values: number, count: number): number;
  /** As in bernoulli.as. */
  compareWords(words: number, bits: number, count: number, digits: number): number;
  /** As in block_inversion.as. */
  drawBlocks(
    words: number,
    draws: number,
    step: number,
    table: number,
    bits: number,
    values: number,
  ): number;
}

/** Addresses are multiples of a line of the cache. */
const LINE = 64;

let loaded: Kernels | null | undefined;
/** The next free byte. */
let next = 0;
let isOff = false;

/**
 * The kernels of this thread: WebAssembly with instructions on vectors (AssemblyScript sources beside this file). `undefined`
 * where the platform has no such thing, and inside {@linkcode withoutKernels}. Whoever calls one has the same loop in
 * TypeScript, which gives equal numbers to the last bit.
 */
export function kernels(): Kernels | undefined {
  if (isOff) return undefined;
  if (loaded === undefined) loaded = load();
  return loaded ?? undefined;
}

/** Runs `body`, which must not be asynchronous, as where there are no kernels. */
export function withoutKernels<T>(body: () => T): T {
  const before = isOff;
  isOff = true;
  try {
    return body();
  } finally {
    isOff = before;
  }
}

/** Runs `body`, which must not be asynchronous and keeps no address, and takes back the bytes that it took. */
export function withBytesBack<T>(body: () => T): T {
  const before = next;
  try {
    return body();
  } finally {
    next = before;
  }
}

/** The address of bytes of the kernels' memory that are the caller's for good; `undefined` when too few are left. */
export function takeBytes({ memory }: Kernels, bytes: number): number | undefined {
  const address = next, after = next + Math.ceil(bytes / LINE) * LINE;
  if (after > memory.byteLength) return undefined;
  next = after;
  return address;
}

/**
 * Something that has bytes of the kernels' memory, made when it is first asked for; `undefined` where there are no kernels, or
 * too few bytes are left.
 */
export function inKernelMemory<Buffers>(
  bytes: number,
  make: (own: Kernels, address: number) => Buffers,
): () => Buffers | undefined {
  let buffers: Buffers | null | undefined;
  return () => {
    const own = kernels();
    if (own === undefined) return undefined;
    if (buffers === undefined) {
      const address = takeBytes(own, bytes);
      buffers = address === undefined ? null : make(own, address);
    }
    return buffers ?? undefined;
  };
}

function load(): Kernels | null {
  try {
    const module = new WebAssembly.Module(Uint8Array.from(atob(BINARY), (c) => c.charCodeAt(0)));
    const { exports } = new WebAssembly.Instance(module);
    next = Math.ceil((exports.firstAddress as () => number)() / LINE) * LINE;
    return {
      ...exports as unknown as Omit<Kernels, "memory">,
      memory: (exports.memory as WebAssembly.Memory).buffer as ArrayBuffer,
    };
  } catch {
    // No WebAssembly, none with vectors, or a policy that forbids to compile.
    return null;
  }
}
