import { functionOf, lineOf, type Mechanism } from "./function_of.ts";
import { serveFunctions } from "./work.ts";

// The worker for functions in JavaScript.

serveFunctions({
  load({ code }, begins): Mechanism {
    begins();
    return functionOf(code);
  },
  lineOf,
  isTraced: true,
});
