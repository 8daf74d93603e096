// What a result can hold beside text: images, sound, links, resources, messages of a prompt.

import { isObject, type Schema, textOf } from "../input/shape";
import { folded, h } from "../parts";
import { bytes, code, disclosure, pretty } from "../ui";

/** More blocks are shown as JSON. */
const MOST = 50;
/** Data of more characters is not shown. */
const LARGEST = 16 * 1024 * 1024;
const IMAGES = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;
const SOUNDS = /^audio\/[a-z0-9.+-]+$/i;

/** Draws a block of content. Text is a text, whatever it holds. */
export function block(given: unknown): HTMLElement {
  const content = isObject(given) ? given : {};
  switch (content.type) {
    case "text":
      return folded(textOf(content.text) ?? "", "text");
    case "image":
      return media(content.mimeType, content.data, "Image of the result");
    case "audio":
      return media(content.mimeType, content.data, "Sound of the result");
    case "resource_link":
      return h(
        "div",
        { class: "link-block" },
        h("span", { class: "label" }, "Link to a resource"),
        link(textOf(content.uri) ?? "", textOf(content.title) ?? textOf(content.name)),
      );
    case "resource":
      return resource(isObject(content.resource) ? content.resource : {});
    default:
      return disclosure(`Content of the type ${String(content.type)}`, () => code(pretty(given), "Content"), true);
  }
}

/** Draws the contents of a resource. */
export function resource(contents: Schema): HTMLElement {
  const uri = textOf(contents.uri) ?? "";
  const mime = textOf(contents.mimeType) ?? "";
  const text = textOf(contents.text);
  const body =
    text !== undefined
      ? mime.includes("json") || mime.startsWith("text/html")
        ? code(text, uri)
        : folded(text, "text")
      : media(mime, contents.blob, uri);
  return h("figure", { class: "resource" }, h("figcaption", {}, h("code", {}, uri), mime !== "" && ` ${mime}`), body);
}

/** Draws the messages of a prompt. */
export function messages(given: unknown[]): HTMLElement {
  const rows = given.slice(0, MOST).map((message) => {
    const { role, content } = isObject(message) ? message : {};
    return h(
      "li",
      { class: role === "user" ? "turn user-turn" : "turn" },
      h("span", { class: "label" }, String(role)),
      h("div", {}, ...[content].flat().map(block)),
    );
  });
  return h("ol", { class: "turns", tabindex: 0, "aria-label": "Messages of the prompt" }, ...rows);
}

/** Draws blocks, of which the first ones are enough. */
export function blocks(given: unknown[]): HTMLElement {
  const rest = given.slice(MOST);
  return h(
    "div",
    { class: "blocks" },
    ...given.slice(0, MOST).map(block),
    rest.length > 0 && disclosure(`${rest.length} more blocks`, () => code(pretty(rest), "More content")),
  );
}

/** Images and sound whose kind is known. Others, such as SVG, are only named. */
function media(mime: unknown, data: unknown, name: string): HTMLElement {
  const base64 = textOf(data) ?? "";
  const kind = textOf(mime) ?? "of an unknown kind";
  const size = `${kind}, ${bytes(Math.floor((base64.length * 3) / 4))}`;
  const isShown = base64.length <= LARGEST && /^[A-Za-z0-9+/]*={0,2}$/.test(base64);
  const source = `data:${kind};base64,${base64}`;
  if (isShown && IMAGES.test(kind))
    return h("figure", {}, h("img", { src: source, alt: `${name} (${size})` }), h("figcaption", {}, size));
  if (isShown && SOUNDS.test(kind))
    return h("figure", {}, h("audio", { controls: true, src: source, "aria-label": name }), h("figcaption", {}, size));
  return h("p", { class: "note" }, `Data that is not shown: ${size}`);
}

/** A link that can be followed if it leads to a page. */
function link(uri: string, title: string | undefined): HTMLElement {
  const text = title === undefined || title === uri ? uri : `${title} (${uri})`;
  if (!/^https?:\/\//.test(uri)) return h("code", {}, text);
  return h("a", { href: uri, target: "_blank", rel: "noopener noreferrer" }, text);
}
