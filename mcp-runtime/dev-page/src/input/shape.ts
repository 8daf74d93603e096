// What a JSON schema asks for, as far as a form can show it.

import { type FieldSchema, words } from "../parts";

export type Schema = Record<string, unknown>;

export type Shape =
  /** One control. `decode` makes the value of what the control has. */
  | { kind: "leaf"; schema: FieldSchema; decode(value: unknown): unknown; encode(value: unknown): unknown }
  | { kind: "object"; properties: [string, Schema][]; required: string[] }
  | { kind: "list"; items: Schema; min: number; max: number }
  | { kind: "union"; options: { title: string; schema: Schema }[] }
  | { kind: "constant"; value: unknown }
  /** Anything else is written as JSON. */
  | { kind: "json" };

/** Deeper parts are written as JSON. */
const DEEPEST = 4;
/** Larger parts too. */
const MOST_PROPERTIES = 60;
const MOST_CHOICES = 200;

/** Returns the shape of a schema. Schemas come from the server: nothing about them is sure. */
export function shapeOf(given: unknown, root: Schema, depth: number): Shape {
  const schema = resolve(given, root);
  if (!schema || depth > DEEPEST) return { kind: "json" };
  if ("const" in schema) return { kind: "constant", value: schema.const };
  const several = oneOfSeveral(schema, root, depth);
  if (several) return several;
  const type = typeOf(schema);
  if (type === "object") return objectOf(schema);
  if (type === "array") return listOf(schema, root, depth);
  if (type === "string" || type === "number" || type === "integer" || type === "boolean") return leaf(schema, type);
  return { kind: "json" };
}

/** Follows references inside of the document. */
export function resolve(given: unknown, root: Schema): Schema | undefined {
  let schema = given;
  for (let step = 0; step < 8; step += 1) {
    if (!isObject(schema)) return undefined;
    if (typeof schema.$ref !== "string") return schema;
    const target = pointed(schema.$ref, root);
    if (!isObject(target)) return undefined;
    const { $ref: _, ...beside } = schema;
    schema = { ...target, ...beside };
  }
  return undefined;
}

/** Whether the value can be `null`. */
export function isNullable(given: unknown, root: Schema): boolean {
  const schema = resolve(given, root);
  if (!schema) return false;
  if (Array.isArray(schema.type)) return schema.type.includes("null");
  return alternatives(schema)?.some((other) => resolve(other, root)?.type === "null") ?? false;
}

export function titleOf(schema: Schema | undefined, name: string): string {
  return typeof schema?.title === "string" && schema.title !== "" ? schema.title : words(name);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function pointed(reference: string, root: Schema): unknown {
  if (!reference.startsWith("#")) return undefined;
  const parts = reference.slice(1).split("/").slice(1);
  return parts.reduce<unknown>((value, part) => {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, root);
}

function alternatives(schema: Schema): unknown[] | undefined {
  const found = schema.oneOf ?? schema.anyOf;
  return Array.isArray(found) ? found : undefined;
}

function typeOf(schema: Schema): unknown {
  const { type } = schema;
  if (Array.isArray(type)) {
    const others = type.filter((one) => one !== "null");
    return others.length === 1 ? others[0] : undefined;
  }
  return type ?? (isObject(schema.properties) ? "object" : undefined);
}

/** Choices: an `enum`, or schemas of which one must fit. */
function oneOfSeveral(schema: Schema, root: Schema, depth: number): Shape | undefined {
  if (Array.isArray(schema.enum))
    return choice(
      schema,
      schema.enum.map((value) => ({ value, title: undefined })),
    );
  const given = alternatives(schema)?.map((other) => resolve(other, root));
  if (!given || given.length > MOST_CHOICES) return undefined;
  const options = given.filter((option): option is Schema => option !== undefined && option.type !== "null");
  if (options.length === 0) return undefined;
  if (options.every((option) => "const" in option && !isObject(option.properties))) {
    return choice(
      schema,
      options.map((option) => ({ value: option.const, title: textOf(option.title) ?? textOf(option.description) })),
    );
  }
  const { oneOf: _, anyOf: __, ...beside } = schema;
  if (options.length === 1) return shapeOf({ ...options[0], ...beside }, root, depth + 1);
  return {
    kind: "union",
    options: options.map((option, index) => ({
      title: textOf(option.title) ?? tagOf(option, root) ?? `${String(option.type ?? "Variant")} ${index + 1}`,
      schema: option,
    })),
  };
}

/** The value of the property that tells a variant from the others. */
function tagOf(option: Schema, root: Schema): string | undefined {
  if (!isObject(option.properties)) return textOf(option.type);
  const entries = Object.entries(option.properties);
  for (const [, property] of entries) {
    const constant = resolve(property, root)?.const;
    if (typeof constant === "string") return constant;
  }
  return entries.length === 1 ? entries[0]![0] : undefined;
}

function choice(schema: Schema, values: { value: unknown; title: string | undefined }[]): Shape {
  const offered = values.filter(({ value }) => value !== null).slice(0, MOST_CHOICES);
  const name = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return {
    kind: "leaf",
    schema: {
      ...noted(schema),
      type: "string",
      oneOf: offered.map(({ value, title }) => ({ const: name(value), title: title ?? name(value) })),
    },
    decode: (given) => offered.find(({ value }) => name(value) === given)?.value,
    encode: (value) => (value === undefined || value === null ? undefined : name(value)),
  };
}

function objectOf(schema: Schema): Shape {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  // Other names than those of the schema cannot be fields.
  if (properties.length === 0 && schema.additionalProperties !== false && "additionalProperties" in schema)
    return { kind: "json" };
  if (properties.length > MOST_PROPERTIES) return { kind: "json" };
  const required = Array.isArray(schema.required)
    ? schema.required.filter((name): name is string => typeof name === "string")
    : [];
  return {
    kind: "object",
    properties: properties.map(([name, property]) => [name, isObject(property) ? property : {}]),
    required,
  };
}

function listOf(schema: Schema, root: Schema, depth: number): Shape {
  const items = resolve(schema.items, root);
  if (!items) return { kind: "json" };
  const limit = (value: unknown, otherwise: number) => (typeof value === "number" ? value : otherwise);
  const [min, max] = [limit(schema.minItems, 0), limit(schema.maxItems, Infinity)];
  const choices = oneOfSeveral(items, root, depth + 1);
  const isText =
    choices?.kind === "leaf" && choices.schema.oneOf?.every((one) => choices.decode(one.const) === one.const);
  if (schema.uniqueItems === true && choices?.kind === "leaf" && isText) {
    const group: FieldSchema = {
      ...noted(schema),
      type: "array",
      items: { anyOf: choices.schema.oneOf ?? [] },
      minItems: min,
      maxItems: max,
    };
    return { kind: "leaf", schema: group, decode: (value) => value, encode: (value) => value };
  }
  return { kind: "list", items, min, max };
}

function leaf(schema: Schema, type: "string" | "number" | "integer" | "boolean"): Shape {
  const given: FieldSchema = { ...noted(schema), type };
  for (const name of ["minimum", "maximum", "minLength", "maxLength"] as const) {
    const limit = schema[name];
    if (typeof limit === "number") given[name] = limit;
  }
  // A moment keeps the form in which it is written: only dates have a control of their own.
  if (type === "string" && typeof schema.format === "string" && schema.format !== "date-time")
    given.format = schema.format;
  return { kind: "leaf", schema: given, decode: (value) => value, encode: (value) => value };
}

/** The description, and the default if it is simple. */
function noted(schema: Schema): Pick<FieldSchema, "description" | "default"> {
  const value = schema.default;
  const isSimple = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  const isList = Array.isArray(value) && value.every((one) => typeof one === "string");
  const description = textOf(schema.description);
  return { ...(description !== undefined && { description }), ...((isSimple || isList) && { default: value }) };
}
