import type { Outputs } from "../audit/kernel/outputs.ts";
import type { Subject } from "../audit/kernel/subject.ts";
import { recorderOfModule } from "./recorder_of_module.ts";
import type { RecordRequest } from "./recording.ts";

/** Request to the thread of a module, in the place of a dataset. */
export type ModuleRequest =
  /** Whether `meet` makes no difference. */
  | { readonly kind: "policies" }
  | { readonly kind: "record"; readonly request: RecordRequest }
  | { readonly kind: "replay"; readonly request: Pick<RecordRequest, "datasets" | "seed"> };

/** Returns the recorder of what a module exports as a subject of its thread: what is drawn from it on a request is the answer. */
export async function recordedModule(
  specifier: string,
  { onOutput }: { readonly onOutput: () => void },
): Promise<Subject> {
  const recorder = await recorderOfModule(specifier, { onOutput }), { claim, domain } = recorder;
  return {
    name: recorder.name,
    ...(claim === undefined ? {} : { claim }),
    ...(domain === undefined ? {} : { domain }),
    async draw(data: unknown): Promise<Outputs> {
      const asked = data as ModuleRequest;
      const answer = asked.kind === "policies"
        ? recorder.onePolicy === true
        : asked.kind === "record"
        ? await recorder.record(asked.request)
        : await recorder.replay!(asked.request);
      return { kind: "values", values: [answer] };
    },
    close: () => recorder.close(),
  };
}
