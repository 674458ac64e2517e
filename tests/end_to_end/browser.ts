import { quoteWord } from "../../lib/judge/audit/subjects/process/split_command.ts";
import { firstProgram } from "../has_program.ts";

/** Where a page is looked at: the width in pixels, and the theme that the reader prefers. */
export interface Look {
  readonly width: number;
  readonly theme: "light" | "dark";
}

const PROGRAMS = ["chromium", "chromium-browser", "google-chrome"];

/** The name of a Chromium on this machine, if there is one. */
export async function chromiumHere(): Promise<string | undefined> {
  return await firstProgram(PROGRAMS, "pages in a browser");
}

/** A browser without a window, spoken to by the Chrome DevTools Protocol through its pipes: no network is needed. */
export class Browser {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #events = new Map<string, () => void>();
  #next = 1;
  #session = "";
  /** What pages did not do well: errors of scripts, and what their policies or the server refused. */
  readonly problems: string[] = [];

  /** Starts the browser, which keeps its files in `folder`. */
  constructor(program: string, folder: string) {
    const words = [
      program,
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--remote-debugging-pipe",
      `--user-data-dir=${folder}`,
      "about:blank",
    ].map(quoteWord).join(" ");
    this.#child = new Deno.Command("sh", {
      args: ["-c", `exec ${words} 3<&0 4>&1 </dev/null >/dev/null 2>&1`],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    void this.#listen();
  }

  async #listen(): Promise<void> {
    let text = "";
    for await (const chunk of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const parts = (text + chunk).split("\0");
      text = parts.pop()!;
      for (const part of parts) {
        const message = JSON.parse(part) as Answer;
        if (message.id === undefined) this.#note(message);
        else this.#waiting.get(message.id)?.(message);
      }
    }
  }

  #note({ method, params }: Answer): void {
    this.#events.get(method!)?.();
    if (method === "Runtime.exceptionThrown" || method === "Log.entryAdded") {
      this.problems.push(JSON.stringify(params));
    }
  }

  async #ask(method: string, params: unknown = {}): Promise<Record<string, unknown>> {
    const id = this.#next++;
    const session = this.#session === "" ? {} : { sessionId: this.#session };
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    await this.#writer.write(
      new TextEncoder().encode(JSON.stringify({ id, method, params, ...session }) + "\0"),
    );
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result!;
  }

  /** Opens a page by the path of its file or by its address. Its own policy on scripts holds for its own scripts alone. */
  async open(page: string, { width, theme }: Look): Promise<void> {
    if (this.#session === "") {
      const { targetId } = await this.#ask("Target.createTarget", { url: "about:blank" });
      const { sessionId } = await this.#ask("Target.attachToTarget", { targetId, flatten: true });
      this.#session = String(sessionId);
      for (const domain of ["Page", "Runtime", "Log"]) await this.#ask(`${domain}.enable`);
    }
    await this.#ask("Emulation.setDeviceMetricsOverride", {
      width,
      height: 900,
      deviceScaleFactor: 1,
      mobile: false,
    });
    await this.#ask("Emulation.setEmulatedMedia", {
      features: [{ name: "prefers-color-scheme", value: theme }],
    });
    const loaded = new Promise<void>((resolve) => this.#events.set("Page.loadEventFired", resolve));
    await this.#ask("Page.navigate", { url: new URL(page, "file:///").href });
    await loaded;
  }

  /** The value of an expression on the page, as JSON carries it. */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#ask("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value?: unknown }).value;
  }

  /** The whole page as a PNG. */
  async screenshot(): Promise<Uint8Array> {
    const { data } = await this.#ask("Page.captureScreenshot", { captureBeyondViewport: true });
    return Uint8Array.from(atob(String(data)), (char) => char.charCodeAt(0));
  }

  /** Ends the browser. */
  async close(): Promise<void> {
    this.#session = "";
    await this.#ask("Browser.close").catch(() => {});
    await this.#writer.close().catch(() => {});
    await this.#child.status;
  }
}

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: unknown;
}
