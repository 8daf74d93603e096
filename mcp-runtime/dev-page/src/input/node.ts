// Controls for a value, drawn from its schema.

import { field, h, problemOf, uniqueId } from "../parts";
import { jsonNode } from "./json";
import { isNullable, isObject, resolve, type Schema, shapeOf, textOf, titleOf } from "./shape";

/** Controls for one value. */
export interface InputNode {
  element: HTMLElement;
  /** Returns the value, or undefined if it is left out. */
  read(): unknown;
  /** Shows what is wrong. Returns what moves the keyboard there. */
  check(): (() => void) | undefined;
  focus(): void;
}

export interface NodeOptions {
  name: string;
  schema: Schema;
  /** The document of the schema, for references. */
  root: Schema;
  required: boolean;
  value: unknown;
  depth: number;
}

export function node(options: NodeOptions): InputNode {
  const { name, schema, root, depth } = options;
  const shape = shapeOf(schema, root, depth);
  switch (shape.kind) {
    case "leaf":
      return leafNode(options, shape);
    case "object":
      return depth === 0 ? objectNode(options, shape) : optionalPart(options, (inner) => objectNode(inner, shape));
    case "list":
      return optionalPart(options, (inner) => listNode(inner, shape));
    case "union":
      return optionalPart(options, (inner) => unionNode(inner, shape));
    case "constant":
      return constantNode(name, shape.value);
    case "json":
      return jsonNode(options);
  }
}

type Of<K> = Extract<ReturnType<typeof shapeOf>, { kind: K }>;

function leafNode({ name, schema, root, required, value }: NodeOptions, shape: Of<"leaf">): InputNode {
  const resolved = resolve(schema, root);
  const isNull = isNullable(schema, root);
  // A choice that may be left out can also be taken back.
  const given = { ...shape.schema, title: titleOf(resolved, name) };
  if (given.oneOf && !required) given.oneOf = [{ const: "", title: "Not given" }, ...given.oneOf];
  const isRequired = required && !isNull;
  const drawn = field(
    name,
    given,
    isRequired,
    shape.encode(value) ?? (given.oneOf && !required ? (given.default ?? "") : undefined),
  );
  const read = () => {
    const raw = drawn.read();
    const decoded = raw === undefined || (raw === "" && given.oneOf) ? undefined : shape.decode(raw);
    if (decoded === false && !required && given.default === undefined) return undefined;
    return decoded === undefined && required && isNull ? null : decoded;
  };
  return {
    element: drawn.element,
    read,
    check() {
      const raw = drawn.read();
      const problem = raw === "" && given.oneOf ? undefined : problemOf(given, isRequired, raw);
      drawn.show(problem);
      return problem === undefined ? undefined : () => drawn.focus();
    },
    focus: () => drawn.focus(),
  };
}

function objectNode({ name, schema, root, value, depth }: NodeOptions, shape: Of<"object">): InputNode {
  const given = isObject(value) ? value : {};
  const nodes = shape.properties.map(([property, inner]) => ({
    property,
    node: node({
      name: property,
      schema: inner,
      root,
      required: shape.required.includes(property),
      value: given[property],
      depth: depth + 1,
    }),
  }));
  const fields = h("div", { class: "fields" }, ...nodes.map(({ node }) => node.element));
  const title = depth === 0 ? undefined : titleOf(resolve(schema, root), name);
  const element = title === undefined ? fields : part(title, textOf(resolve(schema, root)?.description), fields);
  return {
    element,
    read: () =>
      Object.fromEntries(
        nodes.map(({ property, node }) => [property, node.read()]).filter(([, value]) => value !== undefined),
      ),
    check: () => firstOf(nodes.map(({ node }) => node.check())),
    focus: () => nodes[0]?.node.focus(),
  };
}

function listNode({ name, schema, root, value, depth }: NodeOptions, shape: Of<"list">): InputNode {
  const rows = h("ol", { class: "rows" });
  const nodes: { node: InputNode; row: HTMLElement }[] = [];
  const title = titleOf(resolve(schema, root), name);
  const wrong = h("p", { class: "problem" });
  const add = (value: unknown) => {
    const inner = node({
      name: `${title} ${nodes.length + 1}`,
      schema: withoutTitle(shape.items),
      root,
      required: true,
      value,
      depth: depth + 1,
    });
    const remove = h(
      "button",
      { type: "button", class: "quiet small", onclick: () => drop() },
      `Remove`,
      h("span", { class: "visually-hidden" }, ` ${title} ${nodes.length + 1}`),
    );
    const row = h("li", {}, inner.element, remove);
    const entry = { node: inner, row };
    const drop = () => {
      nodes.splice(nodes.indexOf(entry), 1);
      row.remove();
      more.focus();
      row.dispatchEvent(new Event("input", { bubbles: true }));
    };
    nodes.push(entry);
    rows.append(row);
    return inner;
  };
  const more = h(
    "button",
    {
      type: "button",
      class: "small",
      onclick: () => (add(undefined).focus(), more.dispatchEvent(new Event("input", { bubbles: true }))),
    },
    `Add to ${title}`,
  );
  const initial = value ?? resolve(schema, root)?.default;
  for (const one of Array.isArray(initial) ? initial.slice(0, 100) : Array.from({ length: Math.min(shape.min, 10) }))
    add(one);
  return {
    element: part(title, textOf(resolve(schema, root)?.description), h("div", {}, rows, more, wrong)),
    read: () => nodes.map(({ node }) => node.read() ?? null),
    check() {
      const { min, max } = shape;
      wrong.textContent = nodes.length < min ? `Add at least ${min}.` : nodes.length > max ? `Add at most ${max}.` : "";
      return firstOf([
        ...nodes.map(({ node }) => node.check()),
        wrong.textContent === "" ? undefined : () => more.focus(),
      ]);
    },
    focus: () => (nodes[0]?.node ?? more).focus(),
  };
}

function unionNode({ name, schema, root, value, depth }: NodeOptions, shape: Of<"union">): InputNode {
  const title = titleOf(resolve(schema, root), name);
  const select = h(
    "select",
    { id: uniqueId("variant") },
    ...shape.options.map((option, index) => h("option", { value: index }, option.title)),
  );
  const place = h("div");
  let inner: InputNode;
  const show = (value: unknown) => {
    const option = shape.options[Number(select.value)] ?? shape.options[0]!;
    inner = node({ name: option.title, schema: option.schema, root, required: true, value, depth: depth + 1 });
    place.replaceChildren(inner.element);
  };
  const initial = value ?? resolve(schema, root)?.default;
  // The variant whose form shows the most of the value.
  const fits = shape.options.findIndex((option) => initial !== undefined && seemsToFit(initial, option.schema, root));
  select.value = String(Math.max(fits, 0));
  show(initial);
  select.addEventListener("change", () => show(undefined));
  const body = h(
    "div",
    { class: "fields" },
    h("div", { class: "field" }, h("label", { for: select.id }, `Kind of ${title}`), select),
    place,
  );
  return {
    element: part(title, textOf(resolve(schema, root)?.description), body),
    read: () => inner.read(),
    check: () => inner.check(),
    focus: () => select.focus(),
  };
}

function constantNode(name: string, value: unknown): InputNode {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return {
    element: h("p", { class: "description" }, `${name} is always `, h("code", {}, text)),
    read: () => value,
    check: () => undefined,
    focus: () => {},
  };
}

/** A part of several controls. If it may be left out, a box says whether it is given. */
function optionalPart(options: NodeOptions, build: (options: NodeOptions) => InputNode): InputNode {
  const { name, schema, root, required, value } = options;
  const inner = build(options);
  if (required) return inner;
  const box = h("input", { type: "checkbox", id: uniqueId("given") });
  box.checked = value !== undefined && value !== null;
  const show = () => (inner.element.hidden = !box.checked);
  box.addEventListener("change", () => (show(), box.checked && inner.focus()));
  show();
  const label = h(
    "label",
    { class: "choice", for: box.id },
    box,
    h("span", {}, `Give ${titleOf(resolve(schema, root), name)}`),
  );
  return {
    element: h("div", { class: "field" }, label, inner.element),
    read: () => (box.checked ? inner.read() : undefined),
    check: () => (box.checked ? inner.check() : undefined),
    focus: () => box.focus(),
  };
}

function part(title: string, description: string | undefined, body: HTMLElement): HTMLElement {
  return h(
    "fieldset",
    { class: "part" },
    h("legend", {}, title),
    description !== undefined && h("p", { class: "description" }, description),
    body,
  );
}

function firstOf(wrong: ((() => void) | undefined)[]): (() => void) | undefined {
  return wrong.find((focus) => focus !== undefined);
}

function withoutTitle({ title: _, ...schema }: Schema): Schema {
  return schema;
}

function seemsToFit(value: unknown, schema: Schema, root: Schema): boolean {
  const shape = shapeOf(schema, root, 1);
  switch (shape.kind) {
    case "object":
      return (
        isObject(value) &&
        shape.required.every((name) => name in value) &&
        shape.properties.every(([name, inner]) => {
          const constant = resolve(inner, root);
          return !constant || !("const" in constant) || value[name] === constant.const;
        })
      );
    case "list":
      return Array.isArray(value);
    case "constant":
      return JSON.stringify(value) === JSON.stringify(shape.value);
    case "leaf":
      return shape.schema.oneOf
        ? shape.decode(shape.encode(value)) === value
        : typeof value === (shape.schema.type === "integer" ? "number" : shape.schema.type);
    default:
      return true;
  }
}
