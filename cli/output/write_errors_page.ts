import { errorsPage } from "./errors_page.ts";

// Writes docs/errors.md: deno task build errors.

Deno.writeTextFileSync(new URL("../../docs/errors.md", import.meta.url), errorsPage());
