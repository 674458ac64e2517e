import { InvalidArgumentError } from "commander";
import { type Deployment, deployment } from "../../lib/core/claims/deployment.ts";

/** The value of `--preset`: a name, and parameters behind a colon. */
export function presetValue(text: string): Deployment {
  const [name, ...rest] = text.split(":"), numbers: Record<string, number> = {};
  for (const part of rest.join(":").split(",").filter((part) => part !== "")) {
    const [key, value, ...more] = part.split("=");
    if (value === undefined || value.trim() === "" || more.length > 0) {
      throw new InvalidArgumentError(`Its parameters must be as in KEY=NUMBER: ${part}.`);
    }
    numbers[key!.trim()] = Number(value);
  }
  try {
    return deployment(name!, numbers);
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}
