import { writeFileSync } from "node:fs";
import { suiteSchemaText } from "./suite_schema.ts";

writeFileSync(new URL("../../docs/dpcheck.schema.json", import.meta.url), suiteSchemaText());
