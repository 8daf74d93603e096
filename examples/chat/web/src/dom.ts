// Creates elements.

type Child = Node | string | undefined | false;
type Props = Record<string, string | number | boolean | undefined | ((event: never) => void)>;

/** Creates an element. A function is a listener (`onclick`), `true` sets an attribute, `false` and `undefined` leave it out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== undefined && value !== false) element.setAttribute(key, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return element;
}

let count = 0;

/** Returns an id that no other element has. */
export function uniqueId(name: string): string {
  count += 1;
  return `${name}-${count}`;
}

const SHAPES = {
  check: "M5 12.5l4.5 4.5L19 7.5",
  cross: "M6 6l12 12M18 6L6 18",
  stop: "M7.5 6h9A1.5 1.5 0 0 1 18 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 6 16.5v-9A1.5 1.5 0 0 1 7.5 6z",
  send: "M12 19V5M6 11l6-6 6 6",
  plus: "M12 5v14M5 12h14",
  plane: "M3 13l18-8-7 16-3-6z",
  grid: "M9 4v16M15 4v16M4 9h16M4 15h16",
  search: "M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15.5 15.5L20 20",
  tool: "M14 6a4 4 0 0 0 4 5l-8 8-3-3 8-8a4 4 0 0 0-1-2z",
} as const;

export type Shape = keyof typeof SHAPES;

/** Returns a symbol. It says nothing to a screen reader: the text beside it does. */
export function icon(shape: Shape): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const attributes = { viewBox: "0 0 24 24", class: `icon ${shape}`, "aria-hidden": "true", fill: "none", stroke: "currentColor" };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SHAPES[shape]);
  svg.append(path);
  return svg;
}
