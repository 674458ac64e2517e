import { spawnSync } from "node:child_process";

/** The commit of the current folder, marked where files differ from it; `undefined` outside a repository or without git. */
export function commitHere(): string | undefined {
  try {
    const { status, stdout } = spawnSync(
      "git",
      ["describe", "--always", "--dirty", "--abbrev=12"],
      {
        encoding: "utf8",
        timeout: 2000,
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    const commit = status === 0 ? stdout.trim() : "";
    return commit === "" ? undefined : commit;
  } catch {
    // Without permission to run git nothing is known.
    return undefined;
  }
}
