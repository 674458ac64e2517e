import { createHash } from "node:crypto";

/** Starts the worker, and passes on what it says through a port that code of others in it does not have. */
const SCRIPT =
  `addEventListener("message", ({ source, data: { script, request }, ports: [port] }) => {
  if (source !== parent) return;
  const blob = new Blob([script], { type: "text/javascript" });
  const worker = new Worker(URL.createObjectURL(blob)), { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => port.postMessage(data);
  worker.onerror = ({ message }) => port.postMessage({ kind: "failed", message });
  worker.postMessage(request, [port2]);
});`;

/** The page of the frame in which code of others is run. Its policy is that of the worker too, which is made of a text: nothing may be loaded. */
export function sandboxPage(): string {
  const hash = createHash("sha256").update(SCRIPT).digest("base64");
  const policy = `default-src 'none'; script-src 'sha256-${hash}' 'unsafe-eval'; worker-src blob:`;
  return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>The sandbox of the playground</title>
<script>${SCRIPT}</script>
</html>
`;
}
