// What the browser remembers for each program: recent inputs and the client.

import { isObject } from "./input/shape";

/** The most inputs of one item, and of all. */
const MOST = 10;
const MOST_ITEMS = 50;
/** A longer input is not kept. */
const LONGEST = 32_768;

/** An input, with the answers that were prepared for its call. */
export interface RecentInput {
  input: unknown;
  answers?: unknown[];
}

export class Stored {
  constructor(private readonly program: string) {}

  /** Returns the recent inputs of an item, the latest first. */
  recent(item: string): RecentInput[] {
    const inputs = this.read<Record<string, unknown>>("recent")?.[item];
    return Array.isArray(inputs) ? inputs.filter((one) => isObject(one) && "input" in one) : [];
  }

  remember(item: string, input: RecentInput): void {
    const text = JSON.stringify(input);
    if (text.length > LONGEST) return;
    const { [item]: _, ...others } = this.read<Record<string, unknown>>("recent") ?? {};
    const before = this.recent(item).filter((other) => JSON.stringify(other) !== text);
    const inputs = [input, ...before].slice(0, MOST);
    const rest = Object.entries(others).slice(0, MOST_ITEMS - 1);
    this.write("recent", Object.fromEntries([[item, inputs], ...rest]));
  }

  read<T>(name: string): T | undefined {
    try {
      const value: unknown = JSON.parse(localStorage.getItem(this.key(name)) ?? "null");
      return typeof value === "object" && value !== null ? (value as T) : undefined;
    } catch {
      return undefined;
    }
  }

  write(name: string, value: unknown): void {
    try {
      localStorage.setItem(this.key(name), JSON.stringify(value));
    } catch {
      // Storage is full or forbidden: the page works without it.
    }
  }

  private key(name: string): string {
    return `mcp-dev:${this.program}:${name}`;
  }
}
