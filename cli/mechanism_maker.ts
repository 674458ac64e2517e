import { mechanismSubject } from "../lib/audit/subjects/mechanism_subject.ts";
import type { Subject } from "../lib/audit/kernel/subject.ts";
import type { Source } from "../lib/core/source.ts";
import type { RegistryOptions } from "../lib/mechanisms/registry.ts";
import { shippedNamed } from "../lib/tables/registry.ts";

/** Makes the subject of a shipped mechanism in a thread, which loads this module by its name. */
export function makeMechanismSubject(
  { name, ...numbers }: RegistryOptions & { readonly name: string },
  { source }: { readonly source: Source },
): Subject {
  return mechanismSubject(shippedNamed(name, numbers), { source });
}
