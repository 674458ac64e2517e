import {
  amplification as largest,
  breachFreeAmplification,
  rulesOutBreaches,
} from "../../../lib/papers/breaches/amplification.ts";
import {
  addUniformModulo,
  mixWithUniform,
} from "../../../lib/papers/breaches/randomisation_operator.ts";
import { short } from "../../engine/outcome.ts";
import { theorem } from "../../engine/theorem.ts";

/** R3 amplifies by less than 6, so that no property is breached from 14% to 50%. */
export const amplification = theorem<{ readonly keep: number }>({
  id: "input_perturbation/amplification",
  statement:
    "R3 is γ-amplifying for γ = 1 + 1001/201 < 6, so no straight or inverse breach occurs for " +
    "ρ₁ = 14%, ρ₂ = 50%.",
  citation: "Evfimievski, Gehrke, Srikant 2003, Statement 1 and its example",
  source: "Shmatikov’s slides, amplification example",
  remember: () =>
    `γ = ${short(1 + 1001 / 201)}, below the ${
      short(breachFreeAmplification({ rho1: 0.14, rho2: 0.5 }))
    } at which a breach begins.`,
  kind: "exhaustive",
  checked: "all pairs of entries and all outputs of R3",
  subject: { keep: 0.5 },
  check: ({ keep }) => {
    const operator = mixWithUniform(addUniformModulo({ size: 1001, reach: 100 }), { keep });
    const gamma = largest(operator);
    // As whole numbers: (1/201 + 1/1001)/(1/1001) = (1001 + 201)/201.
    const exact = 1 + 1001 * keep / (201 * (1 - keep));
    const holds = Math.abs(gamma - exact) < 1e-9 && gamma < 6 &&
      rulesOutBreaches(operator, { rho1: 0.14, rho2: 0.5 });
    return {
      holds,
      margin: gamma / 6,
      detail: `γ = ${short(gamma)}; breaches are ruled out below 6.143`,
      ...(holds ? {} : { witness: `γ = ${short(gamma)}` }),
    };
  },
  mutants: { "R2 with probability .6": { keep: 0.6 } },
});
