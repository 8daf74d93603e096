// The items of a server in one shape, so that one list and one form serve all of them.

import type { ItemKind } from "../address";
import type { Items, ListedItem } from "../dev-api";
import { isObject, type Schema, textOf } from "../input/shape";
import { variablesOf } from "../input/template";

export interface Entry {
  kind: ItemKind;
  /** What the address of the page names. */
  name: string;
  title: string;
  description: string | undefined;
  /** What its input must be. */
  schema: Schema;
  example?: unknown;
  /** As it came in the list. */
  listed: unknown;
}

export const GROUPS: Record<ItemKind, string> = {
  tool: "Tools",
  prompt: "Prompts",
  resource: "Resources",
  template: "Resource templates",
  skill: "Skills",
  view: "Views",
};

const NOTHING: Schema = { type: "object", properties: {} };

export function entriesOf(items: Items): Entry[] {
  const named = ({ title, name, description }: ListedItem) => ({
    title: textOf(title) ?? name,
    description: textOf(description),
  });
  const isView = ({ uri }: { uri: string }) => uri.startsWith("ui://");
  return [
    ...items.tools.map((tool): Entry => ({
      kind: "tool",
      name: tool.name,
      ...named(tool),
      schema: isObject(tool.inputSchema) ? tool.inputSchema : NOTHING,
      example: tool.example,
      listed: tool,
    })),
    ...items.prompts.map((prompt): Entry => ({
      kind: "prompt",
      name: prompt.name,
      ...named(prompt),
      schema: texts(prompt.arguments ?? []),
      listed: prompt,
    })),
    ...items.resources
      .filter((resource) => !isView(resource))
      .map((resource): Entry => ({
        kind: "resource",
        ...named(resource),
        name: resource.uri,
        schema: NOTHING,
        listed: resource,
      })),
    ...items.resourceTemplates.map((template): Entry => ({
      kind: "template",
      ...named(template),
      name: template.uriTemplate,
      schema: texts(variablesOf(template.uriTemplate).map((name) => ({ name, required: true }))),
      listed: template,
    })),
    ...items.skills.map((skill): Entry => ({
      kind: "skill",
      name: skill.frontmatter.name,
      title: skill.frontmatter.name,
      description: skill.frontmatter.description,
      schema: NOTHING,
      listed: skill,
    })),
    ...items.resources
      .filter(isView)
      .map((view): Entry => ({ kind: "view", ...named(view), name: view.uri, schema: NOTHING, listed: view })),
  ];
}

/** The view that shows the calls of a tool. */
export function viewUri(listed: unknown): string | undefined {
  const meta = isObject(listed) ? listed._meta : undefined;
  const ui = isObject(meta) ? meta.ui : undefined;
  return isObject(ui) ? textOf(ui.resourceUri) : undefined;
}

function texts(names: { name: string; title?: string; description?: string; required?: boolean }[]): Schema {
  return {
    type: "object",
    properties: Object.fromEntries(
      names.map(({ name, title, description }) => [name, { type: "string", title, description }]),
    ),
    required: names.filter(({ required }) => required).map(({ name }) => name),
  };
}
