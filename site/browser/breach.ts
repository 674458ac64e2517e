import { amplification, breachFreeAmplification } from "../../lib/papers/breaches/amplification.ts";
import { beliefIn, breachIn } from "../../lib/papers/breaches/privacy_breach.ts";
import { replaceByAnother } from "../../lib/papers/breaches/randomisation_operator.ts";
import { drawChart } from "./charts.ts";
import { drawWithSliders, percent, say } from "./sliders.ts";

// A breach of input perturbation: what seeing a randomised value tells of the true one.

const LEVELS = { rho1: 0.14, rho2: 0.5 };
const POINTS = 60;

drawWithSliders(({ size = 0, keep = 0, prior = 0 }) => {
  const belief = (kept: number): number =>
    beliefIn((value) => value === 0, {
      prior: Array.from({ length: size }, (_, value) =>
        value === 0 ? prior : (1 - prior) / (size - 1)),
      operator: replaceByAnother({ size, keep: kept }),
      output: 0,
    })!.posterior;
  const posterior = belief(keep);
  const curve = Array.from({ length: POINTS }, (_, i): [number, number] => {
    const kept = (i + 0.5) / POINTS;
    return [kept, belief(kept)];
  });
  drawChart(document.getElementById("beliefs")!, {
    says: `Seeing the value raises the belief in it from ${percent(prior)} to ${
      percent(posterior)
    }.`,
    x: { label: "share of values that are kept", from: 0, to: 1 },
    y: { label: "belief that the value is 0, once 0 is seen", from: 0, to: 1 },
    marks: [
      { kind: "level", y: LEVELS.rho1, look: "dashed" },
      { kind: "level", y: LEVELS.rho2, look: "dashed" },
      { kind: "line", points: curve, look: "shown" },
      { kind: "dots", points: [[keep, posterior]], look: "right" },
    ],
  });
  const gamma = amplification(replaceByAnother({ size, keep })),
    limit = breachFreeAmplification(LEVELS);
  const kind = breachIn({ prior, posterior }, LEVELS);
  say(
    "found",
    `Before, the value is 0 with ${percent(prior)}; after 0 was seen, with ${percent(posterior)}: ${
      kind === undefined ? "no breach" : `a ${kind} breach`
    } at the levels 14% and 50%. One value is γ = ${
      gamma.toPrecision(3)
    } times likelier than another to be turned into what is seen` +
      ` (ε = ln γ = ${Math.log(gamma).toPrecision(3)}); below ${
        limit.toPrecision(3)
      } no property has a breach, whatever is believed before.`,
  );
});
