// What the address of the page says behind `#`, so that a link opens the same page again.

export const ITEM_KINDS = ["tool", "prompt", "resource", "template", "skill", "view"] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];
export type PanelName = "calls" | "messages" | "server" | "check";

export interface ItemAddress {
  kind: ItemKind;
  /** The name of a tool, prompt or skill, the URI of a resource or view, or a template. */
  name: string;
  input?: unknown;
  /** The answers that are prepared for the call. */
  answers?: unknown[];
}

export interface Address {
  panel: PanelName;
  item?: ItemAddress;
  /** The call whose messages are shown. */
  call?: string;
  /** The message that is shown. */
  message?: number;
}

/** A longer input is not part of the address. */
const LONGEST = 16_000;

/** Reads the part behind `#`. What it does not understand is the first page. */
export function parse(hash: string): Address {
  const [path = "", query = ""] = split(hash.replace(/^#/, ""), "?");
  const [head = "", rest = ""] = split(path, "/");
  const options = new URLSearchParams(query);
  if (head === "server" || head === "check") return { panel: head };
  if (head === "messages") {
    const message = Number(options.get("message") ?? NaN);
    const call = options.get("call");
    return { panel: "messages", ...(call !== null && { call }), ...(Number.isSafeInteger(message) && { message }) };
  }
  const kind = ITEM_KINDS.find((kind) => kind === head);
  const name = decode(rest);
  if (kind === undefined || name === undefined || name === "") return { panel: "calls" };
  const input = parseJson(options.get("input"));
  const answers = parseJson(options.get("answers"));
  const given = { ...(input !== undefined && { input }), ...(Array.isArray(answers) && { answers }) };
  return { panel: "calls", item: { kind, name, ...given } };
}

export function write(address: Address): string {
  if (address.panel === "messages") {
    const options = new URLSearchParams();
    if (address.call !== undefined) options.set("call", address.call);
    if (address.message !== undefined) options.set("message", String(address.message));
    return options.size > 0 ? `#messages?${options}` : "#messages";
  }
  if (address.panel !== "calls") return `#${address.panel}`;
  return address.item ? writeItem(address.item) : "#calls";
}

export function writeItem({ kind, name, input, answers = [] }: ItemAddress): string {
  const place = `#${kind}/${encodeURIComponent(name)}`;
  const query = new URLSearchParams();
  if (input !== undefined) query.set("input", JSON.stringify(input));
  if (answers.length > 0) query.set("answers", JSON.stringify(answers));
  return query.size === 0 || query.toString().length > LONGEST ? place : `${place}?${query}`;
}

function split(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
