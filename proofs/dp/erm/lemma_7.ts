import { SeededSource } from "../../../lib/core/random/seeded_source.ts";
import { floatNormal } from "../../../lib/core/random/float_normal.ts";
import { atMost, short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** A differentiable function of two numbers: its gradient and Hessian (upper triangle). */
interface Smooth {
  readonly gradient: (f: readonly [number, number]) => readonly [number, number];
  readonly hessian: (f: readonly [number, number]) => readonly [number, number, number];
}

/** scale·h(a·f + b), h with slope and curvature in [−1, 1]. */
function ridge(
  [a0, a1]: readonly [number, number],
  { scale, shift, slope, curvature }: {
    readonly scale: number;
    readonly shift: number;
    readonly slope: (z: number) => number;
    readonly curvature: (z: number) => number;
  },
): Smooth {
  const at = (f: readonly [number, number]): number => a0 * f[0] + a1 * f[1] + shift;
  return {
    gradient: (f) => [scale * a0 * slope(at(f)), scale * a1 * slope(at(f))],
    hessian: (f) => {
      const c = scale * curvature(at(f));
      return [c * a0 * a0, c * a0 * a1, c * a1 * a1];
    },
  };
}

/** ln cosh z, which is convex; sin z, which is not; z, which is linear. */
const SHAPES = [
  { slope: Math.tanh, curvature: (z: number) => 1 - Math.tanh(z) ** 2, convex: true },
  { slope: Math.cos, curvature: (z: number) => -Math.sin(z), convex: false },
  { slope: () => 1, curvature: () => 0, convex: true },
] as const;

/** Where the gradients sum to 0, by damped Newton steps. */
function minimiser(parts: readonly Smooth[]): readonly [number, number] {
  let f: readonly [number, number] = [0, 0];
  const gradientAt = (at: readonly [number, number]): readonly [number, number] =>
    parts.reduce(([x, y], { gradient }) => {
      const [gx, gy] = gradient(at);
      return [x + gx, y + gy];
    }, [0, 0] as readonly [number, number]);
  for (let step = 0; step < 200; step++) {
    const g = gradientAt(f), size = Math.hypot(...g);
    if (size < 1e-13) break;
    const [p, q, r] = parts.reduce(([x, y, z], { hessian }) => {
      const [hx, hy, hz] = hessian(f);
      return [x + hx, y + hy, z + hz];
    }, [0, 0, 0] as readonly [number, number, number]);
    const det = p * r - q * q;
    const move = [(r * g[0] - q * g[1]) / det, (p * g[1] - q * g[0]) / det] as const;
    for (let length = 1; length > 1e-6; length /= 2) {
      const next = [f[0] - length * move[0], f[1] - length * move[1]] as const;
      if (Math.hypot(...gradientAt(next)) < size || length < 1e-5) {
        f = next;
        break;
      }
    }
  }
  return f;
}

/** Two strongly convex functions whose gradients differ. */
export const lemma7 = theorem<{ readonly factor: number; readonly convexity: number }>({
  id: "erm/lemma_7",
  statement:
    "If G and G + g are λ-strongly convex and differentiable, their minimisers are at most " +
    "max‖∇g‖/λ apart.",
  citation: "Chaudhuri, Monteleoni, Sarwate 2011, Lemma 7; NIPS 2008, Lemma 1",
  source: "JMLR preprint, Lemma 1; Chaudhuri’s slides, Lemma 1: |b|/(λn)",
  remember: () =>
    `Gradients .1 apart and λ = .01: the minima are at most ${short(0.1 / 0.01)} apart.`,
  assumptions: ["max‖∇g‖ is known in closed form; minimisers are found to a gradient of 1e-13"],
  kind: "sampled",
  checked:
    "2,000 generated pairs in two dimensions: G a quadratic with up to three terms ln cosh; g linear, ln cosh or a sine, which is not convex, along the flattest direction of the quadratic or any other",
  subject: { factor: 1, convexity: 1 },
  check: ({ factor, convexity }, { seed }) => {
    const source = new SeededSource(seed).split("strongly convex functions");
    let worst = 0;
    for (let k = 0; k < 2000; k++) {
      const draw = (): readonly [number, number] =>
        [...floatNormal(source, new Float64Array(2), { scale: 1 })] as [number, number];
      const a = draw(), lambda = 10 ** (2 * source.uniform() - 1), center = draw();
      const shape = SHAPES[k % 3]!;
      // Every other g lies along the flattest direction, where a linear one attains the bound.
      const b = k % 2 === 0 ? draw() : [-a[1], a[0]] as const, scale = source.uniform();
      // What a sine may take away is added to the quadratic.
      const own = convexity * lambda +
        (shape.convex ? 0 : scale * (b[0] * b[0] + b[1] * b[1]));
      const quadratic: Smooth = {
        gradient: ([x, y]) => {
          const along = a[0] * x + a[1] * y;
          return [own * (x - center[0]) + along * a[0], own * (y - center[1]) + along * a[1]];
        },
        hessian: () => [own + a[0] * a[0], a[0] * a[1], own + a[1] * a[1]],
      };
      const terms = Array.from(
        { length: k % 4 },
        () => ridge(draw(), { scale: source.uniform(), shift: source.uniform(), ...SHAPES[0] }),
      );
      const g = ridge(b, { scale, shift: 2 * source.uniform(), ...shape });
      const one = minimiser([quadratic, ...terms]), other = minimiser([quadratic, ...terms, g]);
      const distance = Math.hypot(one[0] - other[0], one[1] - other[1]);
      worst = Math.max(worst, (distance - 1e-10) * lambda / (factor * scale * Math.hypot(...b)));
    }
    return atMost(1, {
      value: worst,
      detail: "2000 generated functions in two dimensions",
      witness: `minimisers ${short(worst)} times as far apart as allowed`,
    });
  },
  mutants: {
    "max‖∇g‖/(2λ)": { factor: 0.5, convexity: 1 },
    "G with .9λ": { factor: 1, convexity: 0.9 },
  },
});
