/** Answers with which Redis refuses for a while, by the word that they begin with. */
const REASONS: Readonly<Record<string, string>> = {
  OOM: "Redis is full",
  MISCONF: "Redis cannot write to its disk",
  READONLY: "Redis is a replica, which only reads",
  LOADING: "Redis is still reading its file",
  MASTERDOWN: "Redis has lost its master",
  NOREPLICAS: "Redis has too few replicas",
  CLUSTERDOWN: "a part of the Redis cluster is down",
  BUSY: "Redis is busy with a script",
};

/** The reason of a refusal by Redis that passes, by itself or through an administrator; `undefined` for other errors. */
export function refusedByRedis(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : String(error);
  for (const [word, reason] of Object.entries(REASONS)) {
    if (new RegExp(`\\b${word}\\b`).test(message)) return reason;
  }
  return undefined;
}
