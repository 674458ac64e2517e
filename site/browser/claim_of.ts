import { approximate, type Claim, pure } from "../../lib/core/claims/claim.ts";
import { relationNamed } from "../../lib/core/relations/relation_named.ts";
import type { Claimed } from "./worker_messages.ts";

/** The claim that a request makes. @throws {RangeError} when a parameter is out of its bounds. */
export function claimOf({ epsilon, delta, relation: name }: Claimed): Claim {
  const relation = relationNamed(name);
  if (relation === undefined) throw new RangeError(`No relation is named ${name}.`);
  return delta === 0 ? pure({ epsilon, relation }) : approximate({ epsilon, delta, relation });
}
