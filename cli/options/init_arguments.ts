import type { Domain } from "../../lib/core/relations/dataset.ts";
import type { Deployment } from "../../lib/core/claims/deployment.ts";
import type { Relation } from "../../lib/core/relations/relation.ts";
import type { jsonValue } from "./option_values.ts";

/** Languages that a first test is written in. */
export const LANGUAGES = ["python", "node", "deno", "r"] as const;

/** A language of {@linkcode LANGUAGES}. */
export type Language = typeof LANGUAGES[number];

/** The options of `dpcheck init` as commander gives them. */
export interface InitArguments {
  readonly language?: Language;
  readonly function?: string;
  readonly preset?: Deployment;
  readonly epsilon?: number;
  readonly rows?: ReturnType<typeof jsonValue>;
  readonly size?: Domain["size"];
  readonly relation?: Relation;
  readonly yes?: true;
  readonly audit: boolean;
}
