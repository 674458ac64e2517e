/** A direction of a chart, from one number to another. */
export interface Axis {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  /** Texts at the places 0, 1, … in place of numbers. */
  readonly names?: readonly string[];
  /** True if the numbers are powers of ten. */
  readonly powers?: boolean;
}

/** Mark of a chart; its class has its colour. */
export type Mark =
  | {
    readonly kind: "line" | "area" | "dots";
    readonly points: readonly (readonly [x: number, y: number])[];
    readonly look: string;
  }
  | { readonly kind: "level"; readonly y: number; readonly look: string }
  | {
    readonly kind: "bar";
    readonly x: number;
    readonly width: number;
    readonly y: number;
    readonly look: string;
  };

const WIDTH = 400, HEIGHT = 230;
const LEFT = 54, RIGHT = 12, TOP = 22, BOTTOM = 40;
/** About so many ticks on an axis. */
const TICKS = 5;
const MOST_LETTERS = 9;

/**
 * Draws a chart into an element, in the place of an earlier one.
 *
 * @param chart.says what it shows, in a sentence for those who do not see it.
 */
export function drawChart(
  target: Element,
  { says, x, y, marks }: {
    readonly says: string;
    readonly x: Axis;
    readonly y: Axis;
    readonly marks: readonly Mark[];
  },
): void {
  const acrossOf = (at: number): number =>
    LEFT + (at - x.from) / (x.to - x.from || 1) * (WIDTH - LEFT - RIGHT);
  const upOf = (at: number): number =>
    HEIGHT - BOTTOM -
    (Math.min(y.to, Math.max(y.from, at)) - y.from) / (y.to - y.from || 1) *
      (HEIGHT - TOP - BOTTOM);
  const place = (at: number): string => at.toFixed(1);
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: "img",
    "aria-label": says,
    class: "chart",
  });
  for (const at of ticksOf(x)) {
    picture.append(
      svg(
        "text",
        { x: place(acrossOf(at)), y: HEIGHT - BOTTOM + 16, class: "tick" },
        nameOf(at, x),
      ),
    );
  }
  for (const at of ticksOf(y)) {
    const up = place(upOf(at));
    picture.append(
      svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: up, y2: up, class: "grid" }),
      svg("text", { x: LEFT - 5, y: upOf(at) + 4, class: "tick up" }, nameOf(at, y)),
    );
  }
  picture.append(
    svg("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 5, class: "tick" }, x.label),
    svg("text", { x: 4, y: 13 }, y.label),
  );
  const floor = place(upOf(Math.max(y.from, Math.min(0, y.to))));
  for (const mark of marks) {
    const look = { class: mark.look };
    switch (mark.kind) {
      case "level": {
        const up = place(upOf(mark.y));
        picture.append(svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: up, y2: up, ...look }));
        break;
      }
      case "bar": {
        const top = upOf(mark.y), from = acrossOf(mark.x - mark.width / 2);
        picture.append(svg("rect", {
          x: place(from),
          width: place(acrossOf(mark.x + mark.width / 2) - from),
          y: place(top),
          height: place(Math.max(0, Number(floor) - top)),
          ...look,
        }));
        break;
      }
      case "dots":
        for (const [across, up] of mark.points) {
          picture.append(
            svg("circle", { cx: place(acrossOf(across)), cy: place(upOf(up)), r: 4, ...look }),
          );
        }
        break;
      default: {
        const path = mark.points.map(([across, up]) =>
          `${place(acrossOf(across))} ${place(upOf(up))}`
        );
        const ends = mark.kind === "line" || mark.points.length === 0 ? "" : [
          `L${place(acrossOf(mark.points.at(-1)![0]))} ${floor}`,
          `L${place(acrossOf(mark.points[0]![0]))} ${floor}Z`,
        ].join("");
        if (path.length > 0) {
          picture.append(svg("path", { d: `M${path.join("L")}${ends}`, ...look }));
        }
      }
    }
  }
  target.replaceChildren(picture);
}

function svg(name: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(text);
  return element;
}

function ticksOf({ from, to, names }: Axis): number[] {
  if (names !== undefined) return [...names.keys()];
  if (!(to > from)) return [from];
  const rough = (to - from) / TICKS, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((times) => times * power >= rough)!;
  const first = Math.ceil(from / step);
  return Array.from(
    { length: Math.floor(to / step + 1e-9) - first + 1 },
    (_, i) => (first + i) * step,
  );
}

function nameOf(at: number, { names, powers }: Axis): string {
  const text = names?.[at] ??
    (powers ? `10^${Number(at.toPrecision(3))}` : Number(at.toPrecision(3)).toLocaleString("en"));
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;
}
