import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { realpathSync } from "node:fs";
import type { Outputs } from "../audit/kernel/outputs.ts";
import type { Subject } from "../audit/kernel/subject.ts";
import { loadExport } from "../audit/subjects/thread/load_export.ts";
import { functionRecorder } from "./function_recorder.ts";
import type { RecordRequest } from "./recording.ts";

/** What the thread of a module is asked for, in the place of a dataset. */
export type ModuleRequest =
  | { readonly kind: "record"; readonly request: RecordRequest }
  | { readonly kind: "replay"; readonly request: Pick<RecordRequest, "datasets" | "seed"> };

/** The recorder of what a module exports as a subject of its thread: what is drawn from it on a request is the answer. */
export async function recordedModule(
  specifier: string,
  { onOutput }: { readonly onOutput: () => void },
): Promise<Subject> {
  const exported = await loadExport(specifier);
  const folder = `${pathToFileURL(dirname(realpathSync(specifier.replace(/#[^#]*$/, "")))).href}/`;
  const recorder = exported.kind === "function"
    ? functionRecorder(exported.run, { name: specifier, folder, onOutput, isAlone: true })
    : functionRecorder(
      (data, source) => exported.mechanism.sample(data as readonly unknown[], source),
      { name: exported.mechanism.name, folder, onOutput, isAlone: true },
    );
  const { claim, domain } = exported.kind === "mechanism" ? exported.mechanism : {};
  return {
    name: recorder.name,
    ...(claim === undefined ? {} : { claim }),
    ...(domain === undefined ? {} : { domain }),
    async draw(data: unknown): Promise<Outputs> {
      const { kind, request } = data as ModuleRequest;
      const answer = kind === "record"
        ? await recorder.record(request)
        : await recorder.replay!(request);
      return { kind: "values", values: [answer] };
    },
    close: () => recorder.close(),
  };
}
