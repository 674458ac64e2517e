import { readFileSync } from "node:fs";
import process from "node:process";
import { connect } from "node:net";
import { connect as connectWithTls, rootCertificates } from "node:tls";
import { Redis } from "ioredis";
import { BadInput } from "../options/bad_input.ts";
import { reasonOf } from "../options/reason_of.ts";
import { pause } from "./pause.ts";
import { refusedByRedis } from "./refused_by_redis.ts";

/** Milliseconds in which Redis must answer for the first time, and between two looks why it does not. */
const FIRST_ANSWER = 5000, LOOK_EVERY = 1000;
/** Milliseconds between two tries to connect again. */
const RETRY = 250;
/** Milliseconds in which a Redis must answer that is asked without, or with, TLS. */
const PROBE = 1000;

/** Names a file of certificates to trust besides the well-known ones, as Node reads it. */
const OWN_CERTIFICATES = "NODE_EXTRA_CA_CERTS";

/**
 * Connects to the Redis of `--queue`: `redis://` or, with TLS, `rediss://`, with user and password in the URL. A connection that breaks later is
 * made again, and what was asked meanwhile waits. A Redis that refuses for a while, as one that is still reading its file, is waited for. With TLS its certificate must be one of a well-known authority, or of the file
 * that the environment names by `NODE_EXTRA_CA_CERTS`.
 *
 * @param options `connectionName` tells others who is connected (`CLIENT LIST`); `say` is told, once, what is waited for; the signal ends the wait.
 * @throws {BadInput} when the URL is not a Redis URL, nothing answers there, or that file cannot be read.
 * @throws the reason of the signal when it is aborted.
 */
export async function connectToRedis(
  url: string,
  { connectionName, say, signal }: {
    readonly connectionName?: string;
    readonly say: (sentence: string) => void;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Redis> {
  const shown = shownUrl(url);
  const tls = url.startsWith("rediss:") ? { tls: { ca: trustedCertificates() } } : {};
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    ...(connectionName === undefined ? {} : { connectionName }),
    retryStrategy: () => RETRY,
    enableReadyCheck: true,
    maxLoadingRetryTime: LOOK_EVERY,
    // The master became a replica: its name may now lead to the new master.
    reconnectOnError: ({ message }) => message.startsWith("READONLY"),
    ...tls,
  });
  let reason = "nothing answers";
  const distrusted = new Promise<never>((_, reject) => {
    // Without a listener a refused connection would end the process.
    redis.on("error", (error: Error) => {
      reason = error.message;
      // No further try makes a certificate trusted.
      if (reason.includes("certificate")) reject(error);
    });
  });
  distrusted.catch(() => {});
  /** Asks Redis for an answer; gives the reason if it refuses for a while. */
  const ask = (): Promise<true | string> =>
    redis.ping().then(() => true, (error) => {
      const refused = refusedByRedis(error);
      if (refused === undefined) throw error;
      return refused;
    });
  let answered = ask(), begun = performance.now(), said = "", isProbed = false;
  try {
    for (;;) {
      const answer = await Promise.race([answered, distrusted, pause(LOOK_EVERY)]);
      if (answer === true) break;
      signal?.throwIfAborted();
      if (answer === undefined && !isProbed) {
        isProbed = true;
        if (await otherProtocol(url) !== undefined) throw new Error(reason);
      }
      // Commands on this connection wait until Redis is ready. So another connection asks.
      const refused = answer ?? await refusalAt(url, tls);
      if (refused !== undefined) {
        if (refused !== said) say(`waiting: ${refused}`);
        said = refused;
        begun = performance.now();
      } else if (performance.now() - begun >= FIRST_ANSWER) throw new Error(reason);
      if (answer === undefined) continue;
      await pause(LOOK_EVERY);
      answered = ask();
    }
    return redis;
  } catch (error) {
    answered.catch(() => {});
    redis.disconnect();
    signal?.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    const other = /WRONGPASS|NOAUTH|NOPERM/.test(message) ? undefined : await otherProtocol(url);
    throw new BadInput(`--queue ${shown} cannot be used: ${other ?? message}`);
  }
}

/** The reason of a Redis that refuses for a while, such as one that is still loading its file. Asks over a connection that does not wait until Redis is ready. */
async function refusalAt(
  url: string,
  tls: { readonly tls?: { readonly ca: string[] } },
): Promise<string | undefined> {
  const asking = new Redis(url, {
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: FIRST_ANSWER,
    ...tls,
  });
  asking.on("error", () => {});
  try {
    await Promise.race([asking.ping(), pause(FIRST_ANSWER)]);
    return undefined;
  } catch (error) {
    return refusedByRedis(error);
  } finally {
    asking.disconnect();
  }
}

/** Says so where the Redis of the URL answers without TLS, and the URL is one with TLS, or the other way round. */
async function otherProtocol(url: string): Promise<string | undefined> {
  let closing = (): void => {};
  const { protocol, hostname, port } = new URL(url), isTls = protocol === "rediss:";
  const place = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 6379) };
  const answers = await new Promise<boolean>((resolve) => {
    // Only the protocol is tested, without password or certificate.
    const socket = isTls
      ? connect(place, () => socket.write("PING\r\n"))
      : connectWithTls({ ...place, rejectUnauthorized: false }, () => resolve(true));
    socket.on("data", (data: Uint8Array) => resolve(/^[+-]/.test(new TextDecoder().decode(data))));
    socket.on("error", () => resolve(false));
    const timer = setTimeout(() => resolve(false), PROBE);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(false);
    });
    socket.setTimeout(PROBE, () => socket.destroy());
    closing = () => socket.destroy();
  }).finally(() => closing());
  if (!answers) return undefined;
  return isTls
    ? "the Redis there speaks without TLS: redis:// in place of rediss://"
    : "the Redis there speaks with TLS: rediss:// in place of redis://";
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

/** The URL without its password. @throws {BadInput} when it is not a Redis URL. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol)) {
    throw new BadInput(
      "--queue must be a URL of Redis, as redis://host:6379 or rediss://user:password@host:6379",
    );
  }
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
