import { functionOf, lineOf, type Mechanism } from "./function_of.ts";
import { lockLanguage } from "./lock_language.ts";
import { serveFunctions } from "./work.ts";

// The worker for functions in JavaScript.

serveFunctions({
  load({ code }, begins): Mechanism {
    begins();
    lockLanguage();
    return functionOf(code);
  },
  lineOf,
  isTraced: true,
});
