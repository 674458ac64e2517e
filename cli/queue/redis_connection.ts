import { Redis } from "ioredis";
import { BadInput } from "../bad_input.ts";

/** Milliseconds in which Redis must answer for the first time. */
const FIRST_ANSWER = 5000;
/** Milliseconds between two tries to connect again. */
const RETRY = 250;

/**
 * Connects to the Redis of `--queue`: `redis://` or, with TLS, `rediss://`, with user and password in the URL. A connection that breaks later is
 * made again, and what was asked meanwhile waits.
 *
 * @throws {BadInput} when the URL is none of Redis, or nobody answers there.
 */
export async function connectToRedis(url: string): Promise<Redis> {
  const shown = shownUrl(url);
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: () => RETRY,
    enableReadyCheck: true,
  });
  let reason = "nobody answers";
  // Without a listener a refused connection would end the process.
  redis.on("error", (error: Error) => reason = error.message);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(reason)), FIRST_ANSWER);
  });
  try {
    await Promise.race([redis.ping(), late]);
    return redis;
  } catch (error) {
    redis.disconnect();
    const message = error instanceof Error ? error.message : String(error);
    throw new BadInput(`--queue ${shown} cannot be used: ${message}`);
  } finally {
    clearTimeout(timer);
  }
}

/** The URL without its password. @throws {BadInput} when it is none of Redis. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol)) {
    throw new BadInput(
      "--queue must be a URL of Redis, as redis://host:6379 or rediss://user:password@host:6379",
    );
  }
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
