// What the browser remembers for each program: recent inputs and the client.

/** The most inputs of one item, and of all. */
const MOST = 10;
const MOST_ITEMS = 50;
/** A longer input is not kept. */
const LONGEST = 32_768;

export class Stored {
  constructor(private readonly program: string) {}

  /** Returns the recent inputs of an item, the latest first. */
  recent(item: string): unknown[] {
    const all = this.read<Record<string, unknown[]>>("recent");
    const inputs = all?.[item];
    return Array.isArray(inputs) ? inputs : [];
  }

  remember(item: string, input: unknown): void {
    const text = JSON.stringify(input);
    if (text === undefined || text.length > LONGEST) return;
    const { [item]: before = [], ...others } = this.read<Record<string, unknown[]>>("recent") ?? {};
    const inputs = [input, ...before.filter((other) => JSON.stringify(other) !== text)].slice(0, MOST);
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
