import { assertAlmostEquals, assertEquals } from "@std/assert";
import type { Source } from "../../../lib/core/mechanism/source.ts";
import { floatGamma } from "../../../lib/core/random/float_gamma.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { floatUniform } from "../../../lib/core/random/float_uniform.ts";
import { SeededSource } from "../../../lib/core/random/seeded_source.ts";

/** Gamma draws by the definition: proposals d·(1 + c·x)³, refused by the logarithm of their density. */
function gammaByDefinition(
  source: Source,
  { length, shape }: { length: number; shape: number },
): number[] {
  const size = Math.min(512, length), d = Math.max(shape, shape + Number(shape < 1)) - 1 / 3;
  const drawn: number[] = [];
  while (drawn.length < length) {
    const normals = floatNormal(source, new Float64Array(size));
    const uniforms = floatUniform(source, new Float64Array(size));
    normals.forEach((x, i) => {
      const v = (1 + x / Math.sqrt(9 * d)) ** 3;
      const isTaken = v > 0 && Math.log(uniforms[i]!) < x * x / 2 + d - d * v + d * Math.log(v);
      if (isTaken && drawn.length < length) drawn.push(d * v);
    });
  }
  if (shape >= 1) return drawn;
  const uniforms = Array.from(
    { length: Math.ceil(length / size) },
    () => [...floatUniform(source, new Float64Array(size))],
  ).flat();
  return drawn.map((x, i) => x * uniforms[i]! ** (1 / shape));
}

Deno.test("floatGamma() draws what its definition says, and leaves the stream where that ends", () => {
  for (const shape of [0.05, 0.3, 1, 4.5, 200]) {
    for (const length of [0, 1, 3, 511, 512, 513, 3000]) {
      const source = new SeededSource(`gamma ${shape}`), same = new SeededSource(`gamma ${shape}`);
      const drawn = floatGamma(source, new Float64Array(length), { shape });
      const expected = gammaByDefinition(same, { length, shape });
      drawn.forEach((x, i) => assertAlmostEquals(x, expected[i]!, 1e-12 * expected[i]!));
      assertEquals(source.uint32(), same.uint32());
      const wide = floatGamma(new SeededSource(`gamma ${shape}`), new Float64Array(length), {
        shape,
        scale: 3,
      });
      wide.forEach((x, i) => assertAlmostEquals(x, 3 * expected[i]!, 4e-12 * expected[i]!));
    }
  }
});
