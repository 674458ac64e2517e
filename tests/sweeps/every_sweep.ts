import * as mechanisms from "../../lib/dp/mechanisms/mod.ts";
import type { Sweep } from "./sweep.ts";

const families = new URL("families/", import.meta.url);
const names = [...Deno.readDirSync(families)].map(({ name }) => name);

/** What the files of `families/` export whose names end with `_sweeps.ts`. */
const sweeps: readonly Sweep[] = (await Promise.all(
  names.filter((name) => name.endsWith("_sweeps.ts")).sort().map(async (name) => {
    const module: Record<string, readonly Sweep[]> = await import(new URL(name, families).href);
    return Object.values(module).flat();
  }),
)).flat();

const isOfMechanisms = ({ covers }: Sweep): boolean =>
  covers.some((name) => Object.hasOwn(mechanisms, name));

/** The sweeps of lib/dp/mechanisms. */
export const mechanismSweeps: readonly Sweep[] = sweeps.filter(isOfMechanisms);

/** The sweeps of lib/dp/learners. */
export const learnerSweeps: readonly Sweep[] = sweeps.filter((sweep) => !isOfMechanisms(sweep));
