// The client of a view: it talks with the host that shows the view, as MCP Apps 2026-01-26 says. It needs no package and
// no build step. A view names this file as the source of a script, and the server puts the text of the file there.
// `mcp-view.d.ts` has its types and its documentation.
"use strict";

(() => {
  const VERSION = "2026-01-26";

  /** An error that the host has answered. */
  class ViewError extends Error {
    constructor({ code, message, data }) {
      super(message);
      this.name = "ViewError";
      this.code = code;
      this.data = data;
    }
  }

  function connectView(options) {
    const { name, title, version = "1.0.0", displayModes = ["inline"], ...handlers } = options;
    // Only the frame around the view is a partner. Its origin is known when it has answered, unless it is opaque.
    const host = window.parent;
    let origin = "*";
    const waiting = new Map();
    const context = {};
    let lastId = 0;

    const post = (message) => host.postMessage({ jsonrpc: "2.0", ...message }, origin);
    const notify = (method, params = {}) => post({ method, params });
    const send = (method, params = {}) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        post({ id: lastId, method, params });
      });

    const requests = {
      ping: () => ({}),
      "ui/resource-teardown": async () => {
        await handlers.onTeardown?.();
        sizes.disconnect();
        return {};
      },
      // A question that this view can answer. The host checks the answer.
      "elicitation/create": handlers.onQuestion && ((params) => handlers.onQuestion(params)),
    };
    const notifications = {
      "ui/notifications/tool-input": (params) => handlers.onInput?.(params.arguments ?? {}),
      "ui/notifications/tool-input-partial": (params) => handlers.onPartialInput?.(params.arguments ?? {}),
      "ui/notifications/tool-result": (params) => handlers.onResult?.(params),
      "ui/notifications/tool-cancelled": (params) => handlers.onCancelled?.(params.reason),
      "ui/notifications/host-context-changed": (params) => show(params),
    };

    function receive({ source, origin: sender, data }) {
      if (source !== host || data?.jsonrpc !== "2.0" || (origin !== "*" && sender !== origin)) return;
      const { id, method, params = {}, result, error } = data;
      if (method === undefined) {
        const request = waiting.get(id);
        if (!request) return;
        waiting.delete(id);
        if (sender !== "null") origin = sender;
        if (error) request.reject(new ViewError(error));
        else request.resolve(result);
      } else if (id === undefined) {
        if (Object.hasOwn(notifications, method)) notifications[method](params);
      } else {
        void answer(id, method, params);
      }
    }

    async function answer(id, method, params) {
      const handler = Object.hasOwn(requests, method) ? requests[method] : undefined;
      if (!handler) return post({ id, error: { code: -32601, message: `the view has no method \`${method}\`` } });
      try {
        post({ id, result: await handler(params) });
      } catch (error) {
        post({ id, error: { code: -32603, message: String(error?.message ?? error) } });
      }
    }

    function show(changed) {
      Object.assign(context, changed);
      const { style, dataset } = document.documentElement;
      if (changed.theme) style.colorScheme = dataset.theme = changed.theme;
      for (const [variable, value] of Object.entries(changed.styles?.variables ?? {})) {
        if (value !== undefined && value !== null) style.setProperty(variable, value);
      }
      handlers.onContext?.(context);
    }

    let size = "";
    const sizes = new ResizeObserver(() => {
      const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
      const width = Math.ceil(window.innerWidth);
      if (size !== (size = `${width} ${height}`)) notify("ui/notifications/size-changed", { width, height });
    });

    // The input of the tool comes right after `initialized`, so everything is in place before it.
    window.addEventListener("message", receive);
    const ready = (async () => {
      const { hostInfo, hostCapabilities = {}, hostContext = {} } = await send("ui/initialize", {
        protocolVersion: VERSION,
        appInfo: { name, version, ...(title && { title }) },
        appCapabilities: { availableDisplayModes: displayModes, ...(handlers.onQuestion && { elicitation: {} }) },
      });
      show(hostContext);
      notify("ui/notifications/initialized");
      sizes.observe(document.documentElement);
      return { info: hostInfo, capabilities: hostCapabilities };
    })();
    ready.catch((error) => console.error(`the host does not show this view: ${error.message}`));

    const request = async (method, params) => {
      await ready;
      return send(method, params);
    };
    const accepted = async (method, params) => {
      const { isError } = await request(method, params);
      if (isError) throw new ViewError({ code: -32000, message: `the host refused \`${method}\`` });
    };
    return {
      ready,
      context,
      request,
      notify,
      callTool: (tool, args = {}) => request("tools/call", { name: tool, arguments: args }),
      readResource: async (uri) => (await request("resources/read", { uri })).contents,
      sendMessage: (text) => accepted("ui/message", { role: "user", content: [{ type: "text", text }] }),
      openLink: (url) => accepted("ui/open-link", { url }),
      requestDisplayMode: async (mode) => (await request("ui/request-display-mode", { mode })).mode,
    };
  }

  globalThis.connectView = connectView;
  globalThis.ViewError = ViewError;
})();
