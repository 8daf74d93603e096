// The log of messages of the mock. Messages are made when they are asked for, so that there can be 100,000 of them.

export class Log {
  /** Real messages, behind those that are made up. */
  messages = [];
  dropped = 0;

  constructor(madeUp = 0) {
    this.madeUp = madeUp;
  }

  get total() {
    return this.madeUp + this.messages.length;
  }

  add(message) {
    const text = JSON.stringify(message.body);
    const summary = {
      n: this.dropped + this.total + 1,
      at: Date.now(),
      transport: "http",
      instance: "first",
      length: text.length,
      preview: text.slice(0, 200),
      ...message,
    };
    delete summary.body;
    this.messages.push({
      ...summary,
      text,
      headers: [
        ["content-type", "application/json"],
        ["mcp-protocol-version", "2026-07-28"],
      ],
      url: "http://127.0.0.1:41234/mcp",
    });
    return summary.n;
  }

  at(index) {
    if (index >= this.madeUp) return this.messages[index - this.madeUp];
    const n = this.dropped + index + 1;
    const isRequest = n % 2 === 1;
    const kind = n % 1000 === 0 ? "error" : isRequest ? "tools/call" : "result";
    const text = JSON.stringify({
      jsonrpc: "2.0",
      id: Math.ceil(n / 2),
      ...(isRequest
        ? { method: "tools/call", params: { name: "transfer_money", arguments: { n } } }
        : { result: { content: [{ type: "text", text: `reply ${n}` }] } }),
    });
    return {
      n,
      at: 1_790_000_000_000 + n * 10,
      direction: isRequest ? "sent" : "received",
      transport: "http",
      instance: "first",
      kind,
      request: String(Math.ceil(n / 2)),
      call: `old-${Math.ceil(n / 10)}`,
      round: 1,
      length: text.length,
      preview: text.slice(0, 200),
      text,
      headers: [],
      status: isRequest ? undefined : 200,
    };
  }

  query(options) {
    const { text, direction, method, call } = options;
    const fits = (message) =>
      (!text || message.text.includes(text)) &&
      (!direction || message.direction === direction) &&
      (!method || message.kind === method) &&
      (!call || message.call === call);
    const isFiltered = Boolean(text || direction || method || call);
    const found = isFiltered
      ? Array.from({ length: this.total }, (_, index) => index).filter((index) => fits(this.at(index)))
      : undefined;
    const matching = found?.length ?? this.total;
    const count = Math.min(Number(options.count ?? 100), 500);
    let from = options.from === undefined ? Math.max(0, matching - count) : Number(options.from);
    if (options.around !== undefined) {
      const index = Number(options.around) - this.dropped - 1;
      const position = found ? found.indexOf(index) : index;
      if (position >= 0) from = Math.max(0, position - Math.floor(count / 2));
    }
    const indices = found
      ? found.slice(from, from + count)
      : Array.from({ length: Math.max(0, Math.min(count, matching - from)) }, (_, index) => from + index);
    const messages = indices.map((index) => {
      const { text: _, headers: __, url: ___, ...summary } = this.at(index);
      return summary;
    });
    return { total: this.total, dropped: this.dropped, matching, from, messages };
  }

  message(n) {
    const index = n - this.dropped - 1;
    return index >= 0 && index < this.total ? this.at(index) : undefined;
  }
}
