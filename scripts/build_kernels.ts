import asc from "assemblyscript/asc";

// Writes the kernels of lib/core/random/kernels, from AssemblyScript, as a TypeScript module of one constant.

/** Folder of the sources. */
export const KERNELS: URL = new URL("../lib/core/random/kernels/", import.meta.url);

/** The options of the compiler. The memory has one size for good: views of it stay valid. */
const OPTIONS = [
  "--runtime=stub",
  "--optimizeLevel=3",
  "--shrinkLevel=0",
  "--converge",
  "--enable=simd",
  "--noAssert",
  "--stackSize=0",
  "--initialMemory=64",
  "--maximumMemory=64",
  "--outFile=kernels.wasm",
];

/** The module that the sources compile to. @throws {Error} with the compiler's messages when they do not. */
export async function compileKernels(): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(["index.ts", ...OPTIONS], {
    // The compiler asks for names that end in .ts, which its language is not.
    readFile: (name) => {
      try {
        return Deno.readTextFileSync(new URL(name.replace(/\.ts$/, ".as"), KERNELS));
      } catch {
        return null;
      }
    },
    writeFile: (_name, contents) => {
      binary = contents as Uint8Array;
    },
    listFiles: () => [],
  });
  if (error !== null || binary === undefined) {
    throw new Error(`Cannot compile the kernels: ${stderr.toString()}`);
  }
  return binary;
}

/** The text of the TypeScript module. */
export function moduleText(binary: Uint8Array): string {
  return `// Written by \`deno task build kernels\`: the WebAssembly module of the sources beside it, in base64.
/** The module of the kernels. */
export const BINARY: string =
  "${binary.toBase64()}";
`;
}

if (import.meta.main) {
  const binary = await compileKernels();
  Deno.writeTextFileSync(new URL("binary.ts", KERNELS), moduleText(binary));
  console.log(`lib/core/random/kernels/binary.ts: ${binary.length} bytes of WebAssembly`);
}
