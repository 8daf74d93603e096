// What an input asks of the server.

import type { CallRequest } from "../dev-api";
import { isObject, textOf } from "../input/shape";
import { expand } from "../input/template";
import type { Entry } from "./entries";

/** Returns what is wrong if there is no request for the input. */
export function requestOf({ kind, name, listed }: Entry, input: unknown): CallRequest | string {
  if (!isObject(input)) return "The input must be an object.";
  const texts = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
  switch (kind) {
    case "tool":
      return { kind: "tool", name, arguments: input };
    case "prompt":
      return { kind: "prompt", name, arguments: texts };
    case "template":
      return { kind: "resource", uri: expand(name, texts) };
    case "skill": {
      const uri = isObject(listed) ? textOf(listed.uri) : undefined;
      return uri === undefined ? "This skill has no URI to read." : { kind: "resource", uri };
    }
    default:
      return { kind: "resource", uri: name };
  }
}
