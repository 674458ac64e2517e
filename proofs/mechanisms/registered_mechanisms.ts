import { mechanismNamed } from "../../lib/mechanisms/registry.ts";
import { requireRegistered } from "../checks/registered_mechanisms.ts";
import { outcomeOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

/** What is registered under a name is the mechanism of that name. */
export const registeredMechanisms = theorem<typeof mechanismNamed>({
  id: "mechanisms/registered_mechanisms",
  statement:
    "A registered mechanism claims the ε, and the δ, that it is asked for, or a ρ from which they follow; takes the datasets that it states; and releases what its name says where noise is next to none. Other names, other ε and a missing δ are refused.",
  citation: "Bun, Steinke 2016, Proposition 1.3, for ε of ρ",
  source: "lib/mechanisms/registry.ts",
  kind: "sampled",
  checked:
    "38 names at three ε and δ; the answers of 33 on one dataset each, at ε = 5000 (the classical Gaussian: a mean of 4,000 at .999); 2,000 draws each of two perturbations",
  subject: mechanismNamed,
  check: (named) => outcomeOf("38 names", () => requireRegistered(named)),
  mutants: {
    "twice the ε": (name, { epsilon, ...rest }) =>
      mechanismNamed(name, { epsilon: 2 * epsilon, ...rest }),
    "a mean of twice its rows": (name, options) => {
      const mechanism = mechanismNamed(name, options);
      if (name !== "mean") return mechanism;
      return { ...mechanism, sample: (data, source) => 2 * Number(mechanism.sample(data, source)) };
    },
    "datasets of one row more": (name, options) => {
      const mechanism = mechanismNamed(name, options), { rows, size } = mechanism.domain;
      return { ...mechanism, domain: { rows, size: { ...size, max: size.max + 1 } } };
    },
    "a δ where none is given": (name, options) => mechanismNamed(name, { delta: 0.1, ...options }),
  },
});
