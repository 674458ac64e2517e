import { suite } from "../../fixtures/judge/mutants/all.ts";
import type { Subject } from "../../lib/judge/audit/kernel/subject.ts";
import { mechanismSubject } from "../../lib/judge/audit/subjects/mechanism_subject.ts";
import type { SubjectMaker } from "../../lib/judge/audit/subjects/thread/subject_worker.ts";
import type { Source } from "../../lib/core/mechanism/source.ts";

/** A mechanism of the suite as a subject. */
export function suiteSubject(name: string, { source }: { readonly source: Source }): Subject {
  const { mechanism } = suite.find((mutant) => mutant.mechanism.name === name)!;
  return mechanismSubject(mechanism, { source });
}

/** Returns how a thread makes a subject of the suite by its name. */
export function suiteMaker(name: string): SubjectMaker {
  return { module: import.meta.url, name: suiteSubject.name, argument: name };
}
