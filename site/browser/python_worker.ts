import { pythonFunction, pythonLine } from "./python_function.ts";
import { serveRequests } from "./work.ts";

// The worker for functions in Python.

serveRequests({ load: pythonFunction, lineOf: pythonLine, isTraced: false });
