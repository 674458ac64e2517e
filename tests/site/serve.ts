const TYPES: Readonly<Record<string, string>> = {
  css: "text/css",
  html: "text/html; charset=utf-8",
  js: "text/javascript",
  json: "application/json",
  svg: "image/svg+xml",
  txt: "text/plain",
};

/** Serves the files of a site below some folder of this machine, as GitHub Pages does. `paths` are those that were asked for. */
export function serve(
  files: ReadonlyMap<string, string | Uint8Array<ArrayBuffer>>,
): { readonly address: string; readonly paths: string[]; stop(): Promise<void> } {
  const paths: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen(): void {} }, ({ url }) => {
    const path = new URL(url).pathname.replace("/below/", "");
    paths.push(path);
    const text = files.get(path);
    const type = TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "text/plain";
    return text === undefined
      ? new Response(files.get("404.html"), {
        status: 404,
        headers: { "content-type": TYPES.html! },
      })
      : new Response(text, { headers: { "content-type": type } });
  });
  return {
    address: `http://127.0.0.1:${server.addr.port}/below/`,
    paths,
    stop: () => server.shutdown(),
  };
}
