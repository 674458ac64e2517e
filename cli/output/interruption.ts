import process from "node:process";

/** Ctrl-C and other signals that end a process, while something runs. */
export interface Interruption {
  /** Aborted by the first signal; a second one ends the process at once. */
  readonly signal: AbortSignal;
  /** The exit status for the signal that came, 128 plus its number, or `undefined` without one. */
  status(): number | undefined;
  /** Removes the listeners. */
  release(): void;
}

const NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;

/** Listens for SIGINT and SIGTERM; `onSignal` is called once, with the exit status. */
export function listenForInterruption(onSignal: (status: number) => void): Interruption {
  const controller = new AbortController();
  let status: number | undefined;
  const names = process.platform === "win32" ? ["SIGINT"] as const : ["SIGINT", "SIGTERM"] as const;
  const listeners = names.map((name) => {
    const listener = (): void => {
      if (status !== undefined) process.exit(status);
      status = 128 + NUMBERS[name];
      controller.abort(new DOMException("interrupted", "AbortError"));
      onSignal(status);
    };
    process.on(name, listener);
    return { name, listener };
  });
  return {
    signal: controller.signal,
    status: () => status,
    release(): void {
      for (const { name, listener } of listeners) process.off(name, listener);
    },
  };
}
