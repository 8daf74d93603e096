// The official TypeScript clients, old and new, behind one shape.

import assert from 'node:assert/strict';

import { Client, LOG_LEVEL_META_KEY, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as sdk2024_11_05 from 'sdk-2024-11-05/client/index.js';
import * as stdio2024_11_05 from 'sdk-2024-11-05/client/stdio.js';
import * as types2024_11_05 from 'sdk-2024-11-05/types.js';
import * as sdk2025_03_26 from 'sdk-2025-03-26/client/index.js';
import * as stdio2025_03_26 from 'sdk-2025-03-26/client/stdio.js';
import * as http2025_03_26 from 'sdk-2025-03-26/client/streamableHttp.js';
import * as types2025_03_26 from 'sdk-2025-03-26/types.js';
import * as sdk2025_06_18 from 'sdk-2025-06-18/client/index.js';
import * as stdio2025_06_18 from 'sdk-2025-06-18/client/stdio.js';
import * as http2025_06_18 from 'sdk-2025-06-18/client/streamableHttp.js';
import * as types2025_06_18 from 'sdk-2025-06-18/types.js';
import * as sdk2025_11_25 from 'sdk-2025-11-25/client/index.js';
import * as stdio2025_11_25 from 'sdk-2025-11-25/client/stdio.js';
import * as http2025_11_25 from 'sdk-2025-11-25/client/streamableHttp.js';
import * as types2025_11_25 from 'sdk-2025-11-25/types.js';

import { overBroken } from './resuming.mjs';
import { overHttp, overStdio } from './ways.mjs';

const me = { name: 'mcp-runtime-tests', version: '1.0.0' };

/** What a client can do: fill in forms and ask a model where the test does. */
const capabilities = ({ answer, elicitation = {}, sample, sampling = {} }) => ({
  ...(answer && { elicitation }),
  ...(sample && { sampling }),
});

/** Keeps what the client sends and receives. */
function tapped(transport, sent, received) {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    sent.push(message);
    return send(message, options);
  };
  let receive;
  Object.defineProperty(transport, 'onmessage', {
    get: () => receive,
    set: (handler) => {
      // Clients wrap the handler that is there, and remove it at their end.
      receive = handler && ((message, extra) => {
        if (!received.includes(message)) received.push(message);
        return handler(message, extra);
      });
    },
  });
  return transport;
}

/** Reads one page of a list: the names of its items, and the cursor of the next page. */
const pages = (client) => async (list, cursor) => {
  const lists = {
    tools: ['listTools', 'tools'],
    prompts: ['listPrompts', 'prompts'],
    resources: ['listResources', 'resources'],
    templates: ['listResourceTemplates', 'resourceTemplates'],
  };
  const [method, member] = lists[list];
  const page = await client[method](cursor === undefined ? {} : { cursor });
  return { names: page[member].map(({ name }) => name), next: page.nextCursor };
};

/** An empty `_meta` would displace what the clients put there themselves. */
const params = (name, args, meta) => ({ name, arguments: args, ...(Object.keys(meta).length > 0 && { _meta: meta }) });

/** `@modelcontextprotocol/client` 2.x, which speaks both eras. */
export function version2(label, mode, revision, way = overStdio(StdioClientTransport)) {
  return {
    label: `client 2.4.0 ${label}${way.label}`,
    way,
    revision,
    hasForms: true,
    fillsInDefaults: true,
    async connect(server, { onLog, ...can }) {
      const { answer, sample } = can;
      const options = { versionNegotiation: { mode }, capabilities: capabilities(can) };
      const client = new Client(me, options);
      client.setNotificationHandler('notifications/message', (message) => onLog(message.params));
      if (answer) client.setRequestHandler('elicitation/create', (request) => answer(request.params));
      if (sample) client.setRequestHandler('sampling/createMessage', (request) => sample(request.params));
      const [sent, received] = [[], []];
      const { transport, end } = await way.open(server);
      await client.connect(tapped(transport, sent, received));
      const modern = client.getProtocolEra() === 'modern';
      return {
        sent,
        received,
        revision: client.getNegotiatedProtocolVersion(),
        server: client.getServerVersion(),
        instructions: client.getInstructions(),
        tools: async () => (await client.listTools()).tools,
        // In the modern era each request says which messages it wants.
        logs: async (level, call) => {
          if (!modern) await client.setLoggingLevel(level);
          return call(modern ? { [LOG_LEVEL_META_KEY]: level } : {});
        },
        call: (name, args, options = {}, meta = {}) =>
          client.callTool(params(name, args, meta), options),
        // What a server has besides tools.
        prompts: async () => (await client.listPrompts()).prompts,
        prompt: (name, args) => client.getPrompt({ name, arguments: args }),
        complete: async (ref, name, value) => (await client.complete({ ref, argument: { name, value } })).completion,
        resources: (cursor) => client.listResources(cursor === undefined ? {} : { cursor }),
        templates: async () => (await client.listResourceTemplates()).resourceTemplates,
        read: (uri, options = {}) => client.readResource({ uri }, options),
        page: pages(client),
        capabilities: client.getServerCapabilities(),
        // Returns what ends the subscription.
        async subscribe(uri, onNotice) {
          for (const list of ['tools', 'prompts', 'resources']) {
            client.setNotificationHandler(`notifications/${list}/list_changed`, () => onNotice(list));
          }
          client.setNotificationHandler('notifications/resources/updated', ({ params }) => onNotice(params.uri));
          if (modern) {
            const lists = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
            const subscription = await client.listen({ ...lists, resourceSubscriptions: [uri] });
            return () => subscription.close();
          }
          await client.subscribeResource({ uri });
          return () => client.unsubscribeResource({ uri });
        },
        close: () => client.close().finally(end),
      };
    },
    isProtocolError: (error) => error instanceof ProtocolError,
  };
}

/** `@modelcontextprotocol/sdk` 1.x: each release speaks the revision of its day. */
function version1(label, { Client }, way, types, revision) {
  assert.equal(types.LATEST_PROTOCOL_VERSION, revision);
  return {
    label: `${label}${way.label}`,
    way,
    revision,
    hasForms: types.ElicitRequestSchema !== undefined,
    fillsInDefaults: revision >= '2025-11-25',
    async connect(server, { onLog, ...can }) {
      const { answer, sample } = can;
      const client = new Client(me, { capabilities: capabilities(can) });
      client.setNotificationHandler(types.LoggingMessageNotificationSchema, (message) => onLog(message.params));
      if (answer) client.setRequestHandler(types.ElicitRequestSchema, (request) => answer(request.params));
      if (sample) client.setRequestHandler(types.CreateMessageRequestSchema, (request) => sample(request.params));
      const [sent, received] = [[], []];
      const { transport, end } = await way.open(server);
      let negotiated = revision;
      // The newer of them tell the transport what was agreed on.
      const tell = transport.setProtocolVersion?.bind(transport);
      transport.setProtocolVersion = (version) => {
        negotiated = version;
        tell?.(version);
      };
      await client.connect(tapped(transport, sent, received));
      return {
        sent,
        received,
        revision: negotiated,
        server: client.getServerVersion(),
        instructions: client.getInstructions(),
        tools: async () => (await client.listTools()).tools,
        logs: async (level, call) => {
          await client.setLoggingLevel(level);
          return call({});
        },
        call: (name, args, options = {}, meta = {}) =>
          client.callTool(params(name, args, meta), undefined, options),
        // What a server has besides tools.
        prompts: async () => (await client.listPrompts()).prompts,
        prompt: (name, args) => client.getPrompt({ name, arguments: args }),
        complete: async (ref, name, value) => (await client.complete({ ref, argument: { name, value } })).completion,
        resources: (cursor) => client.listResources(cursor === undefined ? {} : { cursor }),
        templates: async () => (await client.listResourceTemplates()).resourceTemplates,
        read: (uri, options = {}) => client.readResource({ uri }, options),
        page: pages(client),
        capabilities: client.getServerCapabilities(),
        async subscribe(uri, onNotice) {
          for (const list of ['Tool', 'Prompt', 'Resource']) {
            const schema = types[`${list}ListChangedNotificationSchema`];
            client.setNotificationHandler(schema, () => onNotice(`${list.toLowerCase()}s`));
          }
          client.setNotificationHandler(types.ResourceUpdatedNotificationSchema, ({ params }) => onNotice(params.uri));
          await client.subscribeResource({ uri });
          return () => client.unsubscribeResource({ uri });
        },
        close: () => client.close().finally(end),
      };
    },
    isProtocolError: (error) => error instanceof types.McpError,
  };
}

const stdio = ({ StdioClientTransport }) => overStdio(StdioClientTransport);
const http = ({ StreamableHTTPClientTransport }) => overHttp(StreamableHTTPClientTransport);
const http2 = overHttp(StreamableHTTPClientTransport);

export const clients = [
  version2('pinned to 2026-07-28', { pin: '2026-07-28' }, '2026-07-28'),
  version2('left to negotiate', 'auto', '2026-07-28'),
  version2('shaking hands', 'legacy', '2025-11-25'),
  version1('sdk 1.32.2', sdk2025_11_25, stdio(stdio2025_11_25), types2025_11_25, '2025-11-25'),
  version1('sdk 1.20.0', sdk2025_06_18, stdio(stdio2025_06_18), types2025_06_18, '2025-06-18'),
  version1('sdk 1.12.3', sdk2025_03_26, stdio(stdio2025_03_26), types2025_03_26, '2025-03-26'),
  version1('sdk 1.9.0', sdk2024_11_05, stdio(stdio2024_11_05), types2024_11_05, '2024-11-05'),
  version2('pinned to 2026-07-28', { pin: '2026-07-28' }, '2026-07-28', http2),
  version2('left to negotiate', 'auto', '2026-07-28', http2),
  version2('shaking hands', 'legacy', '2025-11-25', http2),
  version1('sdk 1.32.2', sdk2025_11_25, http(http2025_11_25), types2025_11_25, '2025-11-25'),
  version1('sdk 1.20.0', sdk2025_06_18, http(http2025_06_18), types2025_06_18, '2025-06-18'),
  version1('sdk 1.12.3', sdk2025_03_26, http(http2025_03_26), types2025_03_26, '2025-03-26'),
];

/** Those that come again when a connection breaks. */
export const resumingClients = [
  version2('shaking hands', 'legacy', '2025-11-25', overBroken(http2, 2)),
  version1('sdk 1.32.2', sdk2025_11_25, overBroken(http(http2025_11_25), 2), types2025_11_25, '2025-11-25'),
];
