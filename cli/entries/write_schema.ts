import { writeFileSync } from "node:fs";
import { suiteSchemaText, tableSchemaText } from "./suite_schema.ts";

const docs = new URL("../../docs/", import.meta.url);
writeFileSync(new URL("dpcheck.schema.json", docs), suiteSchemaText());
writeFileSync(new URL("table.schema.json", docs), tableSchemaText());
