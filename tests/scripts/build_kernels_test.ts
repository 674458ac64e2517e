import { assertEquals } from "@std/assert";
import { BINARY } from "../../lib/core/random/kernels/binary.ts";
import { compileKernels } from "../../scripts/build_kernels.ts";

Deno.test("the kernels are what their sources compile to: deno task build kernels", async () => {
  assertEquals((await compileKernels()).toBase64(), BINARY);
});
