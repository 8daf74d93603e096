// The hosts: their files, how they list servers, and their own commands. None of them is logged in.
//
// `list` returns the names of the servers that the host lists, each with `true` if the host is connected to the server,
// `false` if the host could not connect, and `undefined` if it waits for the user's approval. `env` are variables of the
// host's environment.

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
    // `mcp list` connects to none.
    list: (computer, env) =>
      computer.talk('codex', ['app-server'], env, async ({ request }) => {
        await request('initialize', { clientInfo: { name: 'tests', title: 'tests', version: '1' } });
        const { data } = await request('mcpServerStatus/list', { cwd: computer.path('project') });
        return Object.fromEntries(data.map(({ name, tools }) => [name, Object.keys(tools).length > 0]));
      }),
    async entry(computer) {
      const { output } = await computer.run('codex', ['mcp', 'get', 'greeter', '--json']);
      return JSON.parse(output);
    },
  },
  {
    name: 'gemini',
    files: { user: 'home/.gemini/settings.json', project: 'project/.gemini/settings.json' },
    before: '// Mine.\n{\n\t"ui": { "theme": "ANSI" },\n}\n'.replace('},\n}', '}\n}'),
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
      const { output, errors } = await computer.run('opencode', ['mcp', 'list'], env);
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
    files: { user: 'home/.copilot/mcp-config.json', project: 'project/.github/mcp.json' },
    before: '{\n  "mcpServers": {}\n}\n',
    names: namesOnly('copilot', /^ {2}(?<name>[\w-]+) \(/gm),
    // `mcp list` connects to none. A session needs no login if a model of the user's own is configured, which nothing here
    // asks.
    list(computer, env) {
      const ownModel = {
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_BASE_URL: 'http://127.0.0.1:9/v1',
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
];
