// Three instances of `flights` that share a Redis, keys and tickets, behind the load balancer of `examples/deploy`.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE = 20_000;

/** Starts all of it. */
export async function startFleet({ program, config }) {
  const directory = await mkdtemp(path.join(tmpdir(), 'instances-'));
  const socket = path.join(directory, 'redis');
  const started = [];
  // Whatever happens to the tests, nothing outlives them.
  process.once('exit', () => started.forEach((child) => child.kill('SIGKILL')));
  const log = openSync(path.join(directory, 'log'), 'a');
  const run = (command, args, env = {}) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', log, log] });
    started.push(child);
    child.once('error', (error) => {
      throw error;
    });
    return child;
  };

  run('redis-server', ['--port', '0', '--unixsocket', socket, '--dir', directory, '--save', '']);
  await accepts({ path: socket });

  const [bind, ...ports] = await freePorts(4);
  const shared = {
    MCP_LEDGER: `unix://${socket}`,
    MCP_STATE_KEY: randomBytes(32).toString('base64'),
    FLIGHTS_TICKETS: path.join(directory, 'tickets'),
  };
  const instances = ports.map((port) => new Instance(port, () =>
    run(program, ['http', '--addr', `127.0.0.1:${port}`], { ...shared, RUST_BACKTRACE: '0' })));
  await Promise.all(instances.map((instance) => instance.start()));

  const [one, two, three] = ports.map((port) => `127.0.0.1:${port}`);
  const admin = path.join(directory, 'admin');
  const places = { MCP_BIND: `127.0.0.1:${bind}`, MCP_ADMIN: admin, MCP_ONE: one, MCP_TWO: two, MCP_THREE: three };
  run('haproxy', ['-q', '-f', config], places);
  await accepts({ port: bind, host: '127.0.0.1' });

  return {
    url: new URL(`http://127.0.0.1:${bind}/mcp`),
    instances,
    /** Replaces an instance, of which the load balancer is told. */
    async replace(index) {
      const server = `instances/${['one', 'two', 'three'][index]}`;
      await tell(admin, `set server ${server} state drain`);
      // What was on its way arrives.
      await sleep(300);
      await instances[index].stop();
      await instances[index].start();
      await tell(admin, `set server ${server} state ready`);
      while (!(await isUp(admin, server))) await sleep(20);
    },
    /** Every ticket that was sold: its flight, and the key of its call. */
    async tickets() {
      const text = await readFile(shared.FLIGHTS_TICKETS, 'utf8');
      return text.split('\n').filter(Boolean).map((line) => {
        const [flight, key] = line.split(' ');
        return { flight, key };
      });
    },
    /** What they said. */
    log: () => readFile(path.join(directory, 'log'), 'utf8'),
    async end() {
      await Promise.all(started.map(ended));
      await rm(directory, { recursive: true });
    },
  };
}

/** A process that may be killed and started again at its port. */
class Instance {
  #spawn;
  #process;

  constructor(port, spawn) {
    this.port = port;
    this.#spawn = spawn;
  }

  async start() {
    this.#process = this.#spawn();
    await accepts({ port: this.port, host: '127.0.0.1' });
  }

  /** Without a word. */
  async kill() {
    await ended(this.#process);
  }

  /** Lets it finish what it has begun. */
  async stop() {
    const exit = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    const [code] = await exit;
    if (code !== 0) throw new Error(`an instance ended with ${code}`);
  }

  /** Gives what lets it go on. */
  stall() {
    const stalled = this.#process;
    stalled.kill('SIGSTOP');
    return () => stalled.kill('SIGCONT');
  }
}

async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** Asks the load balancer. */
async function ask(path, command) {
  const connection = connect({ path });
  connection.end(`${command}\n`);
  return Buffer.concat(await connection.toArray()).toString().trim();
}

/** Tells it something, to which it says nothing. */
async function tell(path, command) {
  const said = await ask(path, command);
  if (said) throw new Error(`${command}: ${said}`);
}

/** Whether it sends requests there. */
async function isUp(path, server) {
  const [header, ...lines] = (await ask(path, 'show stat')).split('\n').map((line) => line.split(','));
  const [backend, name] = server.split('/');
  return lines.find((line) => line[0] === backend && line[1] === name)[header.indexOf('status')] === 'UP';
}

/** Waits until somebody listens there. */
async function accepts(place) {
  const until = Date.now() + PATIENCE;
  for (;;) {
    try {
      const connection = connect(place);
      await once(connection, 'connect');
      connection.destroy();
      return;
    } catch (error) {
      if (Date.now() > until) throw new Error(`nobody listens at ${JSON.stringify(place)}`, { cause: error });
      await sleep(10);
    }
  }
}

/** Ports that are free now, all of them held at once so that they differ. */
async function freePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
