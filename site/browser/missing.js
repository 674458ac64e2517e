// A server shows this page for any address below the site, so that its links lead astray: the folder of the site is the next one
// above that has the icon.
for (let folder = new URL(".", location.href);; folder = new URL("..", folder)) {
  const { ok } = await fetch(new URL("assets/icon.svg", folder));
  if (!ok && folder.pathname !== "/") continue;
  for (const name of ["href", "src"]) {
    for (const element of document.querySelectorAll(`[${name}]:not([href^="#"])`)) {
      const address = element.getAttribute(name), script = document.createElement("script");
      if (element.localName !== "script") {
        element.setAttribute(name, new URL(address, folder).href);
      } else if (address !== null) {
        script.type = element.type;
        script.src = new URL(address, folder).href;
        element.replaceWith(script);
      }
    }
  }
  break;
}
