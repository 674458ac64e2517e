import { pure, type PureClaim } from "../../lib/core/claim.ts";
import { ACCOUNTING_OPTIONS } from "../checks/accounting_options.ts";
import { CONVERSION_OPTIONS } from "../checks/conversion_options.ts";
import { LEAST, requireRefusals, type Running, withoutSigns } from "../checks/refused_values.ts";
import { outcomeOf } from "../engine/requirement.ts";
import { theorem } from "../engine/theorem.ts";

const REFUSING = [...ACCOUNTING_OPTIONS, ...CONVERSION_OPTIONS];

/** What no rule of accounting covers is refused. */
export const refusedArguments = theorem<Running>({
  id: "composition/refused_arguments",
  statement:
    "Rules of composition and of conversion, filters, odometers and privacy losses take arguments up to the ends of their ranges, and refuse every one " +
    "that is no number or beyond, claims that no constructor made, and claims about other neighbours.",
  citation: "each rule names its own theorem",
  source: "lib/accounting",
  kind: "exhaustive",
  checked:
    `every argument of ${REFUSING.length} functions: three to nine values that it must not have, and the ends of those that it may`,
  subject: (run, options) => run(options as never),
  check: (attempt) =>
    outcomeOf(`${REFUSING.length} functions`, () => requireRefusals(REFUSING, attempt)),
  mutants: {
    "numbers below 0 are made positive": withoutSigns,
    "claims that anybody made": (run, options) => {
      const { claim } = options as { claim?: PureClaim };
      return run(
        { ...options, ...(claim?.kind === "pure" ? { claim: pure(claim) } : {}) } as never,
      );
    },
    "a rate above 1": (run, options) =>
      run(
        { ...options, ...(Number(options["rate"]) > 1 ? { rate: 1 } : {}) } as never,
      ),
    "the least slack refused": (run, options) => {
      if (options["slack"] === LEAST) throw new RangeError("slack must be above 0");
      return run(options as never);
    },
  },
});
