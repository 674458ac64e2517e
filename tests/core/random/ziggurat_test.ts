import { assert, assertAlmostEquals } from "@std/assert";
import { pexp, pnorm } from "lib-r-math.js";
import { exponentialZiggurat } from "../../../lib/core/random/exponential_ziggurat.ts";
import { normalZiggurat } from "../../../lib/core/random/normal_ziggurat.ts";
import { LAYERS } from "../../../lib/core/random/ziggurat.ts";

const CASES = [
  {
    name: "exponential",
    ziggurat: exponentialZiggurat(),
    density: (x: number) => Math.exp(-x),
    tailArea: (x: number) => pexp(x, 1, false),
    area: 1,
  },
  {
    name: "half-normal",
    ziggurat: normalZiggurat(),
    density: (x: number) => Math.exp(-0.5 * x * x),
    tailArea: (x: number) => Math.sqrt(2 * Math.PI) * pnorm(x, 0, 1, false),
    area: Math.sqrt(Math.PI / 2),
  },
];

for (const { name, ziggurat, density, tailArea, area } of CASES) {
  Deno.test(`buildZiggurat() cuts the ${name} density into layers of one area`, () => {
    const { tail, step, inside, height } = ziggurat;
    const width = step.map((s) => s * 2 ** 53);
    const bottom = tail * density(tail) + tailArea(tail);
    // The layers cover the density and little more.
    assert(LAYERS * bottom > area && LAYERS * bottom < 1.01 * area);
    assertAlmostEquals(width[0]! * density(tail), bottom, 1e-12 * bottom);
    for (let i = 1; i < LAYERS; i++) {
      assertAlmostEquals(width[i]! * (height[i + 1]! - height[i]!), bottom, 1e-9 * bottom);
      assertAlmostEquals(height[i]!, density(width[i]!), 1e-14);
    }
    for (let i = 0; i < LAYERS; i++) {
      // What is called inside is inside: the right end of the next layer up is where the density is.
      const end = inside[i]! * step[i]!;
      assert(density(end) >= height[i + 1]! * (1 - 1e-14));
    }
  });
}
