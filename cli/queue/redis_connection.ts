import { readFileSync } from "node:fs";
import process from "node:process";
import { rootCertificates } from "node:tls";
import { Redis } from "ioredis";
import { BadInput } from "../bad_input.ts";
import { reasonOf } from "../reason_of.ts";

/** Milliseconds in which Redis must answer for the first time. */
const FIRST_ANSWER = 5000;
/** Milliseconds between two tries to connect again. */
const RETRY = 250;

/** Names a file of certificates to trust besides the well-known ones, as Node reads it. */
const OWN_CERTIFICATES = "NODE_EXTRA_CA_CERTS";

/**
 * Connects to the Redis of `--queue`: `redis://` or, with TLS, `rediss://`, with user and password in the URL. A connection that breaks later is
 * made again, and what was asked meanwhile waits. With TLS its certificate must be one of a well-known authority, or of the file
 * that the environment names by `NODE_EXTRA_CA_CERTS`.
 *
 * @throws {BadInput} when the URL is none of Redis, or nobody answers there, or that file cannot be read.
 */
export async function connectToRedis(url: string): Promise<Redis> {
  const shown = shownUrl(url);
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: () => RETRY,
    enableReadyCheck: true,
    ...(url.startsWith("rediss:") ? { tls: { ca: trustedCertificates() } } : {}),
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

/** Deno does not read that file by itself, so it is read here under Node too. */
function trustedCertificates(): string[] {
  const file = process.env[OWN_CERTIFICATES];
  if (file === undefined || file === "") return [...rootCertificates];
  try {
    return [...rootCertificates, readFileSync(file, "utf8")];
  } catch (error) {
    throw new BadInput(`${OWN_CERTIFICATES} ${file} cannot be read: ${reasonOf(error)}`);
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
