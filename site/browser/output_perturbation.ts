import { ermMechanism, type LabelledRow } from "../../lib/dp/learners/erm/mechanism.ts";
import { SeededSource } from "../../lib/core/random/seeded_source.ts";
import { drawChart } from "./charts.ts";
import { Bins } from "./bins.ts";
import { drawWithSliders, percent, say } from "./sliders.ts";

// Output perturbation on one feature: what is released on two neighbouring datasets.

const RELEASES = 500;
/** One label in so many is wrong. */
const WRONG = 10;

/** Numbers in [-1, 1] that are labelled by their sign, but for some. */
function people(count: number): LabelledRow[] {
  const source = new SeededSource(1);
  return Array.from({ length: count }, (_, i) => {
    const feature = 2 * source.uniform() - 1;
    return { features: [feature], label: (feature > 0) === (i % WRONG !== 0) ? 1 : -1 };
  });
}

drawWithSliders(({ lambda = 0, epsilon = 0, n = 0 }) => {
  const others = people(n - 1);
  const [left, right] = [1, -1].map((label) => [{ features: [1], label }, ...others]);
  const mechanism = ermMechanism({
    perturbation: "output",
    epsilon,
    lambda,
    normBound: 1,
    columnCount: 1,
  });
  // The same noise on both, so that what is between them is what the row moved.
  const [own, other] = [left!, right!].map((data) =>
    mechanism.sampleMany!(data, RELEASES, new SeededSource(2)) as Float64Array
  ) as [Float64Array, Float64Array];
  const moved = Math.abs(own[0]! - other[0]!), most = 2 / (n * lambda);
  const bins = new Bins([...own, ...other]);
  const areas = [own, other].map((releases) =>
    bins.count(releases).map((count, i) => [bins.places[i]!, count / RELEASES] as const)
  );
  drawChart(document.getElementById("releases")!, {
    says: "The weights that are released on the two datasets.",
    x: { label: "released weight", from: bins.places[0]!, to: bins.places.at(-1)! },
    y: {
      label: "share of releases",
      from: 0,
      to: Math.max(...areas.flat().map(([, share]) => share)),
    },
    marks: [
      { kind: "area", points: areas[0]!, look: "left" },
      { kind: "area", points: areas[1]!, look: "right" },
    ],
  });
  const isRight = own.filter((weight) => weight > 0).length / RELEASES;
  say(
    "found",
    `The row moved the minimiser by ${
      moved.toPrecision(2)
    }; by Theorem 6 no row moves it by more than 2/(nΛ) = ` +
      `${most.toPrecision(2)}. Noise of scale 2/(nΛε) = ${
        (most / epsilon).toPrecision(2)
      } covers that: on no set of weights ` +
      `do the two datasets differ by more than e^ε = ${Math.exp(epsilon).toPrecision(3)} times. ` +
      `${percent(isRight)} of the releases say correctly that the label goes with the sign.`,
  );
});
