// The hosts: their files, how they list servers, and their own commands. None of them is logged in.
//
// `list` returns the names of the servers that the host lists, each with `true` if the host is connected to the server,
// `false` if the host could not connect, and `undefined` if it waits for the user's approval. `env` are variables of the
// host's environment.

import assert from 'node:assert/strict';

/** An address that nothing answers. */
const NOWHERE = 'http://127.0.0.1:9/v1';

/** Returns what the lines of an output say: `name` and `state` are the groups of the pattern. */
function listed(output, pattern, states) {
  const found = [...output.matchAll(pattern)].map(({ groups: { name, state } }) => [name, states[state]]);
  return Object.fromEntries(found);
}

/** Lists the servers without a connection, with the command that users have for it. */
const namesOnly = (command, pattern) => async (computer) => {
  const { output } = await computer.run(command, ['mcp', 'list']);
  return [...output.matchAll(pattern)].map(({ groups: { name } }) => name);
};

export const hosts = [
  {
    name: 'claude-code',
    files: { user: 'home/.claude.json', project: 'project/.mcp.json' },
    before: '{\n  "autoUpdates": false\n}\n',
    // It keeps its own state in the file of the user, when it starts.
    writes: 'user',
    ownScopes: ['user', 'project'],
    // It stays so until a user approves the servers of the project in a session.
    states: { project: undefined },
    async list(computer, env) {
      const { output } = await computer.run('claude', ['mcp', 'list'], env);
      return listed(output, /^(?<name>[\w-]+): .* - (?<state>✔ Connected|✘ Failed|⏸ Pending)/gm, {
        '✔ Connected': true,
        '✘ Failed': false,
      });
    },
    entry: (computer, file) => JSON.parse(computer.read(file)).mcpServers?.greeter,
  },
  {
    name: 'codex',
    files: { user: 'home/.codex/config.toml', project: 'project/.codex/config.toml' },
    before: '# The model.\nmodel = "x" # mine\n',
    /** The file of a project counts if the user trusts the project. */
    trust(computer) {
      computer.write('home/.codex/config.toml', `[projects."${computer.path('project')}"]\ntrust_level = "trusted"\n`);
    },
    names: namesOnly('codex', /^(?<name>(?!Name)[\w-]+) .* enabled /gm),
    // `mcp list` connects to none. A thread needs no login, and its model is not asked.
    list(computer, env) {
      const noModel = `model_providers.none = { name = "none", base_url = "${NOWHERE}", wire_api = "responses" }`;
      const options = ['-c', noModel.replace(' = ', '='), '-c', 'model_provider="none"'];
      return computer.talk('codex', [...options, 'app-server'], env, async ({ request }) => {
        await request('initialize', { clientInfo: { name: 'tests', title: 'tests', version: '1' } });
        const { thread } = await request('thread/start', { cwd: computer.path('project') });
        const { data } = await request('mcpServerStatus/list', { threadId: thread.id });
        return Object.fromEntries(data.map(({ name, tools }) => [name, Object.keys(tools).length > 0]));
      });
    },
    async entry(computer) {
      const { output } = await computer.run('codex', ['mcp', 'get', 'greeter', '--json']);
      return JSON.parse(output);
    },
  },
  {
    name: 'gemini',
    files: { user: 'home/.gemini/settings.json', project: 'project/.gemini/settings.json' },
    before: '// Mine.\n{\n\t"ui": { "theme": "ANSI" }\n}\n',
    ownScopes: ['user', 'project'],
    // Its command cuts the value of a variable at `=`, so `install` does not show it then.
    cutsValues: true,
    async list(computer, env) {
      // A folder that the user does not trust has no servers, not even those of the user.
      const { output, errors } = await computer.run('gemini', ['mcp', 'list'], { ...env, GEMINI_CLI_TRUST_WORKSPACE: 'true' });
      return listed(output + errors, /^(?<state>[✓✗]) (?<name>[\w-]+): /gm, { '✓': true, '✗': false });
    },
    entry: (computer, file) => JSON.parse(computer.read(file)).mcpServers?.greeter,
  },
  {
    name: 'opencode',
    files: { user: 'home/.config/opencode/opencode.json', project: 'project/opencode.json' },
    before: '{\n  // Mine.\n  "autoupdate": false,\n}\n',
    async list(computer, env) {
      const offline = { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' };
      const { output, errors } = await computer.run('opencode', ['mcp', 'list'], { ...env, ...offline });
      return listed(output + errors, /^● +(?<state>[✓✗]) (?<name>[\w-]+) /gm, { '✓': true, '✗': false });
    },
    // `install` does not show it, because it asks which file it shall write.
    ownCommand: ({ program, args, env, url }) =>
      url ? ['opencode', 'mcp', 'add', 'greeter', '--url', url]
        : ['opencode', 'mcp', 'add', 'greeter', ...env.flatMap((variable) => ['--env', variable]), '--', program, ...args],
    entry(computer, file) {
      const text = computer.read(file) ?? computer.read(`${file}c`);
      const { mcp } = JSON.parse(text);
      return (mcp.servers ?? mcp).greeter;
    },
  },
  {
    name: 'copilot',
    files: { user: 'home/.copilot/mcp-config.json', project: 'project/.mcp.json' },
    before: '{\n  "mcpServers": {}\n}\n',
    /** In a project, it reads the file of Claude Code. */
    installedAs: { project: 'claude-code' },
    trust(computer) {
      computer.write('home/.copilot/config.json', JSON.stringify({ trustedFolders: [computer.path('project')] }));
    },
    names: namesOnly('copilot', /^ {2}(?<name>[\w-]+) \(/gm),
    // `mcp list` connects to none. A session needs no login if a model of the user's own is configured, which nothing here
    // asks.
    list(computer, env) {
      const ownModel = {
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_BASE_URL: NOWHERE,
        COPILOT_PROVIDER_API_KEY: 'none',
        COPILOT_MODEL: 'none',
      };
      return computer.talk('copilot', ['--acp'], { ...env, ...ownModel }, async (peer) => {
        let told = '';
        peer.notice = ({ params }) => (told += params.update?.content?.text ?? '');
        await peer.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
        const { sessionId } = await peer.request('session/new', { cwd: computer.path('project'), mcpServers: [] });
        for (let tries = 0; tries < 60; tries += 1) {
          told = '';
          await peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: '/mcp show' }] });
          if (!/\((pending|connecting|starting|not started)\)/.test(told)) break;
          await new Promise((resolve) => setTimeout(resolve, 500));
        }
        return listed(told, /^- (?<name>[\w-]+) \((?<state>\w+)/gm, { connected: true, failed: false });
      });
    },
    entry: (computer, file) => JSON.parse(computer.read(file)).mcpServers?.greeter,
  },
  {
    name: 'inspector',
    files: { user: 'home/.mcp-inspector/mcp.json' },
    before: '{\n  "mcpServers": {}\n}\n',
    async names(computer) {
      return (await inspector(computer, {}, ['--method', 'servers/list'])).servers.map(({ name }) => name);
    },
    // A secret is in its file, so a value in its environment changes nothing.
    keepsSecrets: true,
    async list(computer, env) {
      const states = (await this.names(computer)).map(async (name) => {
        const found = await inspector(computer, env, ['--server', name, '--method', 'tools/list']);
        return [name, found?.tools.length > 0];
      });
      return Object.fromEntries(await Promise.all(states));
    },
    ownCommand: ({ program, args, env, url }) => {
      const target = url ? ['--transport', 'http', '--server-url', url] : [program, '--', ...args];
      const variables = env?.flatMap((variable) => ['-e', variable]) ?? [];
      return ['inspector', '--method', 'servers/add', '--server', 'greeter', ...variables, ...target];
    },
    entry(computer, file) {
      const entry = JSON.parse(computer.read(file)).mcpServers.greeter;
      // It keeps the values of variables elsewhere.
      for (const name in entry.env) entry.env[name] = '';
      return entry;
    },
  },
];

async function inspector(computer, env, args) {
  const { output, errors } = await computer.run('inspector', [...args, '--format', 'json'], env);
  const { result, error } = JSON.parse(output || errors.match(/^\{"error".*/m)?.[0] || assert.fail(errors));
  return error ? undefined : result;
}
