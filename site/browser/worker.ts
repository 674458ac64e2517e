import { functionOf, lineOf, type Mechanism } from "./function_of.ts";
import { serveRequests } from "./work.ts";

// The worker for functions in JavaScript.

serveRequests({
  load({ code }, begins): Mechanism {
    begins();
    return functionOf(code);
  },
  lineOf,
  isTraced: true,
});
