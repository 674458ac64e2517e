import type { Redis } from "ioredis";
import { WORKER_NAME } from "./messages.ts";

/** Number of connected workers; `undefined` if Redis does not tell. */
export async function workersOf(redis: Redis): Promise<number | undefined> {
  try {
    const clients = await redis.call("CLIENT", "LIST") as string;
    return clients.split("\n").filter((line) => line.includes(` name=${WORKER_NAME} `)).length;
  } catch {
    return undefined;
  }
}
