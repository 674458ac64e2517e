/**
 * Runs a script in a worker that has no network and no origin: in a frame whose policy forbids both, so that code of others can be run.
 * Returns what ends it, whatever it does.
 *
 * @param script the text of the script; its `onmessage` gets the request and a port, and what it posts there goes to `answered`.
 */
export function runInSandbox<Answer>(
  script: string,
  request: unknown,
  answered: (answer: Answer) => void,
): () => void {
  const frame = document.createElement("iframe");
  frame.sandbox.add("allow-scripts");
  frame.hidden = true;
  frame.title = "The sandbox of the function";
  frame.src = new URL("sandbox.html", import.meta.url).href;
  frame.addEventListener("load", () => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }): void => answered(data);
    frame.contentWindow!.postMessage({ script, request }, "*", [port2]);
  });
  document.body.append(frame);
  return () => frame.remove();
}
