import { mechanismSubject } from "../../lib/judge/audit/subjects/mechanism_subject.ts";
import type { Subject } from "../../lib/judge/audit/kernel/subject.ts";
import type { Source } from "../../lib/core/mechanism/source.ts";
import type { RegistryOptions } from "../../lib/dp/mechanisms/registry.ts";
import { shippedNamed } from "../../lib/dp/tables/registry.ts";

/** Makes the subject of a shipped mechanism in a thread, which loads this module by its name. */
export function makeMechanismSubject(
  { name, ...numbers }: RegistryOptions & { readonly name: string },
  { source }: { readonly source: Source },
): Subject {
  return mechanismSubject(shippedNamed(name, numbers), { source });
}
