import { pythonFunction, pythonLine } from "./python_function.ts";
import { serveFunctions } from "./work.ts";

// The worker for functions in Python.

serveFunctions({ load: pythonFunction, lineOf: pythonLine, isTraced: false });
