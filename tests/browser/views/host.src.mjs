// A host of views: the official client and the official `AppBridge`. `servers.mjs` bundles it into one classic script.

import {
  AppBridge,
  PostMessageTransport,
  RESOURCE_MIME_TYPE,
  getToolUiResourceUri,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ElicitResultSchema } from '@modelcontextprotocol/core';

const EXTENSION = 'io.modelcontextprotocol/ui';

/** The messages between the host and the view. */
window.wire = [];
/** The params of the questions. */
window.questions = [];
window.sizes = [];

class RecordedTransport extends PostMessageTransport {
  async start() {
    const inward = this.onmessage;
    this.onmessage = (message, extra) => {
      window.wire.push({ from: 'view', ...message });
      inward?.(message, extra);
    };
    await super.start();
  }

  async send(message, options) {
    window.wire.push({ from: 'host', ...message });
    await super.send(message, options);
  }
}

/** Connects to the server. `answer` replaces the view in questions. */
window.connect = async ({ views = true, answer, mode = 'auto' } = {}) => {
  const ui = { mimeTypes: [RESOURCE_MIME_TYPE], elicitation: {} };
  const capabilities = { elicitation: { form: {} }, ...(views && { extensions: { [EXTENSION]: ui } }) };
  const client = new Client({ name: 'views', version: '1' }, { versionNegotiation: { mode }, capabilities });
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    window.questions.push(params);
    const uri = params._meta?.ui?.resourceUri;
    if (answer || !uri) return answer;
    await openView(client, { uri, elicitation: true });
    const result = await window.bridge.request({ method: 'elicitation/create', params }, ElicitResultSchema, { timeout: 600_000 });
    await window.closeView();
    return result;
  });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', location.href)));
  window.client = client;
};

/** Calls a tool, and shows its view. */
window.showTool = async ({ name, args, html, csp }) => {
  const tool = (await window.client.listTools()).tools.find((tool) => tool.name === name);
  const app = await openView(window.client, { uri: getToolUiResourceUri(tool), html, csp });
  await window.bridge.sendToolInput({ arguments: args });
  await window.bridge.sendToolResult(await window.callTool(name, args));
  return app;
};

/** A call can wait for its user. */
window.callTool = (name, args) => window.client.callTool({ name, arguments: args }, { timeout: 600_000 });

window.closeView = async () => {
  await window.bridge.teardownResource({});
  document.getElementById('view').remove();
};

async function openView(client, { uri, html, csp, elicitation = false }) {
  const [content] = (await client.readResource({ uri })).contents;
  if (content.mimeType !== RESOURCE_MIME_TYPE) throw new Error(`the MIME type is ${content.mimeType}`);
  const { csp: declared = {}, permissions } = content._meta?.ui ?? {};
  const policy = JSON.stringify(csp ?? declared);
  const sandbox = new URL(new URLSearchParams(location.search).get('sandbox'));
  sandbox.search = new URLSearchParams({ host: location.origin, csp: policy });
  const frame = document.createElement('iframe');
  frame.id = 'view';
  frame.title = 'View';
  frame.src = sandbox.href;
  const bridge = new AppBridge(
    client,
    { name: 'views', version: '1' },
    { serverTools: {}, serverResources: {}, message: { text: {} }, ...(elicitation && { elicitation: {} }) },
    { hostContext: { theme: 'dark', displayMode: 'inline', availableDisplayModes: ['inline'] } },
  );
  window.bridge = bridge;
  bridge.addEventListener('sizechange', (size) => {
    window.sizes.push(size);
    if (size.height) frame.style.height = `${size.height}px`;
  });
  const initialized = new Promise((resolve) => bridge.addEventListener('initialized', resolve));
  bridge.addEventListener('sandboxready', () =>
    bridge.sendSandboxResourceReady({ html: (html ?? '<!-- view -->').replace('<!-- view -->', () => content.text), csp: declared, permissions }),
  );
  document.body.append(frame);
  await bridge.connect(new RecordedTransport(frame.contentWindow, frame.contentWindow));
  await initialized;
  return bridge.getAppVersion();
}
