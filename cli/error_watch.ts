import { type Outputs, type Subject, Thrown } from "../lib/audit/subject.ts";

/** A subject, and whether it ever gave anything but errors. */
export interface ErrorWatch {
  readonly subject: Subject;
  /** The last error when every output so far was one. */
  onlyErrors(): string | undefined;
}

/** Watches for a subject that only ever fails: runs of it would show nothing and look harmless. */
export function watchErrors(subject: Subject): ErrorWatch {
  let output = false;
  let message: string | undefined;
  const look = (outputs: Outputs): Outputs => {
    if (output) return outputs;
    if (outputs.kind === "block") output = outputs.values.length > 0;
    else {
      for (const value of outputs.values) {
        if (value instanceof Thrown) message = value.message;
        else output = true;
      }
    }
    return outputs;
  };
  return {
    subject: {
      ...subject,
      draw(data: unknown, count: number): Outputs | Promise<Outputs> {
        const outputs = subject.draw(data, count);
        return outputs instanceof Promise ? outputs.then(look) : look(outputs);
      },
    },
    onlyErrors: () => output ? undefined : message,
  };
}
