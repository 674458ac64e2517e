import { functionOf, lineOf } from "./function_of.ts";
import { serveRequests } from "./work.ts";

// The worker for functions in JavaScript.

serveRequests({ load: ({ code }) => functionOf(code), lineOf, isTraced: true });
