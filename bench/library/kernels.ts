/**
 * Nanoseconds a number with the WebAssembly kernels and with the loops of TypeScript that they are compared with, medians of
 * rounds that take turns. Run as `deno task bench kernels`.
 *
 * @module
 */
import { withoutKernels } from "../../lib/core/random/kernels/kernels.ts";
import { rational } from "../../lib/core/numeric/rational.ts";
import { bernoulli } from "../../lib/core/random/bernoulli.ts";
import { fillByBlockInversion } from "../../lib/core/random/block_inversion.ts";
import { blockTable } from "../../lib/core/random/block_table.ts";
import { floatLaplace } from "../../lib/core/random/float_laplace.ts";
import { floatUniform } from "../../lib/core/random/float_uniform.ts";
import { laplaceBlockLaw } from "../../lib/core/random/laplace_block_law.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { median } from "../median.ts";

const ROUNDS = 101, WARM_UP = 60, NUMBERS = 65_536;

const source = new SeededSource(1);
const words = new Uint32Array(NUMBERS), bits = new Uint8Array(NUMBERS);
const out = new Float64Array(NUMBERS);

const laplace = blockTable(laplaceBlockLaw(rational(2n ** 30n)));

/** A kernel by what uses it, with what bounds it. */
const KERNELS: readonly {
  readonly name: string;
  readonly bound: string;
  readonly run: () => unknown;
}[] = [
  { name: "xoshiro128", bound: "arithmetic", run: () => source.fillUint32(words) },
  { name: "uniform", bound: "the words", run: () => floatUniform(source, out) },
  { name: "ziggurat", bound: "loads", run: () => floatLaplace(source, out) },
  {
    name: "bernoulli",
    bound: "the words",
    run: () => bernoulli(source, bits, { probability: 0.3 }),
  },
  {
    name: "block_inversion",
    bound: "loads",
    run: () => fillByBlockInversion(source, out, laplace),
  },
];

function nanoseconds(run: () => unknown): number {
  const start = performance.now();
  run();
  return (performance.now() - start) * 1e6 / NUMBERS;
}

console.log("| kernel | bounded by | TypeScript, ns | kernel, ns | times as fast |");
console.log("| --- | --- | ---: | ---: | ---: |");
for (const { name, bound, run } of KERNELS) {
  // Blocks of words that are lent again are in the kernels' memory from the first call on.
  run();
  const reference: number[] = [], kernel: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const times = [withoutKernels(() => nanoseconds(run)), nanoseconds(run)] as const;
    if (round < WARM_UP) continue;
    reference.push(times[0]);
    kernel.push(times[1]);
  }
  const [before, after] = [median(reference), median(kernel)];
  console.log(
    `| ${name} | ${bound} | ${before.toFixed(2)} | ${after.toFixed(2)} | ${
      (before / after).toFixed(2)
    } |`,
  );
}
