// Fields that the server completes: the arguments of a prompt, and the variables of a template.

import type { CompletionRef } from "../client";
import { completingNode } from "../input/completing";
import type { InputNode } from "../input/node";
import { isObject, textOf, titleOf } from "../input/shape";
import { h } from "../parts";
import type { Session } from "../session";
import type { Entry } from "./entries";

export function isCompleted(kind: string): boolean {
  return kind === "prompt" || kind === "template";
}

export function completedFields(session: Session, { kind, name, schema }: Entry, value: unknown): InputNode {
  const ref: CompletionRef = kind === "prompt" ? { type: "ref/prompt", name } : { type: "ref/resource", uri: name };
  const given = isObject(value) ? value : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {});
  const nodes = properties.map(([property, inner]) => ({
    property,
    node: completingNode({
      name: property,
      title: titleOf(isObject(inner) ? inner : undefined, property),
      description: isObject(inner) ? textOf(inner.description) : undefined,
      required: required.includes(property),
      value: textOf(given[property]) ?? "",
      complete: async (value) => {
        if (!session.canCall) return [];
        const { values } = await session.client.complete(session.setup, ref, { name: property, value }, read());
        return values;
      },
    }),
  }));
  const read = () =>
    Object.fromEntries(
      nodes.map(({ property, node }) => [property, node.read()]).filter(([, value]) => value !== undefined),
    );
  return {
    element: h("div", { class: "fields" }, ...nodes.map(({ node }) => node.element)),
    read,
    check: () => nodes.map(({ node }) => node.check()).find((focus) => focus !== undefined),
    focus: () => nodes[0]?.node.focus(),
  };
}
