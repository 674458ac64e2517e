import { functionOf, lineOf, type Mechanism } from "./function_of.ts";
import { serveRequests } from "./work.ts";

// The worker for functions in JavaScript.

serveRequests({
  load({ code }): Mechanism {
    // The time of the function begins: its text may loop, too.
    globalThis.postMessage({ kind: "alive" });
    return functionOf(code);
  },
  lineOf,
  isTraced: true,
});
