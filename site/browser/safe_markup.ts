/** Elements that reports are made of. */
const ELEMENTS = new Set(
  ("b br circle code details div figcaption figure g h2 h3 h4 li line p path polyline pre rect section span strong summary svg table tbody " +
    "td text th thead title tr tspan ul").split(" "),
);
/** Their attributes: none loads, runs or leads anywhere. */
const ATTRIBUTES = new Set(
  ("aria-label class cx cy d dx dy fill fill-opacity font-size height id opacity points preserveAspectRatio r role rx ry scope stroke " +
    "stroke-dasharray stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width tabindex text-anchor transform viewBox " +
    "width x x1 x2 y y1 y2").split(" "),
);

/** Markup as nodes, without any element or attribute that a report does not need: what it says may come from code of others. */
export function safeMarkup(markup: string): DocumentFragment {
  // The policy of the page would refuse styles, and say so.
  const plain = markup.replaceAll(/ style="[^"]*"/g, "");
  const { body } = new DOMParser().parseFromString(plain, "text/html");
  const fragment = document.createDocumentFragment();
  for (const node of [...body.childNodes]) {
    const safe = safeNode(node);
    if (safe !== undefined) fragment.append(safe);
  }
  return fragment;
}

function safeNode(node: Node): Node | undefined {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.textContent ?? "");
  if (!(node instanceof Element) || !ELEMENTS.has(node.localName)) return undefined;
  const safe = document.createElementNS(node.namespaceURI, node.localName);
  for (const { name, value } of node.attributes) {
    if (ATTRIBUTES.has(name)) safe.setAttribute(name, value);
  }
  for (const child of [...node.childNodes]) {
    const own = safeNode(child);
    if (own !== undefined) safe.append(own);
  }
  return safe;
}
