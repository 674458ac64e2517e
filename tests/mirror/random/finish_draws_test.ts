import { assertAlmostEquals, assertEquals } from "@std/assert";
import {
  exponentialZiggurat,
  finishExponential,
} from "../../../lib/random/exponential_ziggurat.ts";
import { finishNormal, normalZiggurat } from "../../../lib/random/normal_ziggurat.ts";
import type { Ziggurat } from "../../../lib/random/ziggurat.ts";
import { withExactly } from "./exact_words.ts";

type Finish = typeof finishNormal;

/** The last position of a layer that is inside: one step less than the first that is not. */
const last = ({ inside }: Ziggurat, layer: number): number => Math.ceil(inside[layer]!) - 1;

/** Words whose uniform double is `high`·2⁻³². */
const uniform = (high: number): [number, number] => [high, 0];

/** Words of a new draw: the layer and the lower bits of the position, then its upper bits. */
const words = (layer: number, position: number): [number, number] => [
  (position % 2 ** 21) * 2 ** 11 + layer,
  Math.floor(position / 2 ** 21),
];

for (
  const { name, finish, ziggurat } of [
    {
      name: "finishExponential",
      finish: finishExponential as Finish,
      ziggurat: exponentialZiggurat,
    },
    { name: "finishNormal", finish: finishNormal, ziggurat: normalZiggurat },
  ]
) {
  Deno.test(`${name}() takes what is inside as it is, without a further word`, () => {
    for (const layer of [0, 1, 200, 510]) {
      const position = last(ziggurat, layer);
      const x = withExactly([], (source) => finish(source, layer, position));
      assertEquals(x, position * ziggurat.step[layer]!);
    }
  });

  Deno.test(`${name}() takes a point of a wedge when it is under the density`, () => {
    const layer = 300, position = last(ziggurat, layer) + 2 ** 40;
    const x = position * ziggurat.step[layer]!;
    assertEquals(withExactly(uniform(1), (source) => finish(source, layer, position)), x);
    // The highest point of the layer is not: a new layer and place are drawn, all of their bits.
    const next = last(ziggurat, 511 - 128) - 12345;
    const drawn = withExactly(
      [...uniform(2 ** 32 - 1), ...words(511 - 128, next)],
      (source) => finish(source, layer, position),
    );
    assertEquals(drawn, next * ziggurat.step[511 - 128]!);
  });
}

Deno.test("finishExponential() adds the tail's beginning each time that a draw is beyond it", () => {
  const { tail, step } = exponentialZiggurat;
  const beyond = last(exponentialZiggurat, 0) + 1, position = last(exponentialZiggurat, 7);
  const once = withExactly(
    words(7, position),
    (source) => finishExponential(source, 0, beyond),
  );
  assertEquals(once, tail + position * step[7]!);
  // Through a wedge, too.
  const outside = last(exponentialZiggurat, 300) + 2 ** 40;
  const twice = withExactly(
    [...words(0, beyond), ...words(300, outside), ...uniform(1)],
    (source) => finishExponential(source, 0, beyond),
  );
  assertEquals(twice, 2 * tail + outside * step[300]!);
});

Deno.test("finishNormal() draws the tail as an exponential that is thinned", () => {
  const { tail } = normalZiggurat, beyond = last(normalZiggurat, 0) + 1;
  const half = uniform(2 ** 31);
  // Both uniforms are 1/2: x = ln 2/tail, and 2·ln 2 > x².
  const x = withExactly([...half, ...half], (source) => finishNormal(source, 0, beyond));
  assertAlmostEquals(x, tail + Math.LN2 / tail, 1e-15);
  // A second uniform near 1 refuses the first.
  const refused = [...uniform(2 ** 20), ...uniform(2 ** 32 - 1)];
  const again = withExactly(
    [...refused, ...half, ...half],
    (source) => finishNormal(source, 0, beyond),
  );
  assertEquals(again, x);
});
