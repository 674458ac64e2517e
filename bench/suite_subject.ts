import { suite } from "../fixtures/mutants/all.ts";
import type { Subject } from "../lib/audit/kernel/subject.ts";
import { mechanismSubject } from "../lib/audit/subjects/mechanism_subject.ts";
import type { SubjectMaker } from "../lib/audit/subjects/thread/subject_worker.ts";
import type { Source } from "../lib/core/source.ts";

/** A mechanism of the suite as a subject. */
export function suiteSubject(name: string, { source }: { readonly source: Source }): Subject {
  const { mechanism } = suite.find((mutant) => mutant.mechanism.name === name)!;
  return mechanismSubject(mechanism, { source });
}

/** How a thread makes it. */
export function suiteMaker(name: string): SubjectMaker {
  return { module: import.meta.url, name: suiteSubject.name, argument: name };
}
