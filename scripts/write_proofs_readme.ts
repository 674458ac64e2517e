import { proofsReadme } from "../proofs/engine/readme.ts";

Deno.writeTextFileSync(new URL("../proofs/README.md", import.meta.url), proofsReadme());
