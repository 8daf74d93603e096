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
    run(program, ['http', '--addr', `127.0.0.1:${port}`, '--retire', '1'], { ...shared, RUST_BACKTRACE: '0' })));
  await Promise.all(instances.map((instance) => instance.start()));

  const [one, two, three] = ports.map((port) => `127.0.0.1:${port}`);
  const places = { MCP_BIND: `127.0.0.1:${bind}`, MCP_ONE: one, MCP_TWO: two, MCP_THREE: three };
  run('haproxy', ['-q', '-f', config], places);
  await accepts({ port: bind, host: '127.0.0.1' });

  return {
    url: new URL(`http://127.0.0.1:${bind}/mcp`),
    instances,
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

  /** As a supervisor does: what ends by itself, such as one that stalled while it connected to Redis, is started again. */
  async start() {
    for (let up = false; !up; ) {
      this.#process = this.#spawn();
      const place = { port: this.port, host: '127.0.0.1' };
      up = await Promise.race([accepts(place).then(() => true), once(this.#process, 'exit').then(() => false)]);
    }
  }

  /** Without a word. */
  async kill() {
    await ended(this.#process);
  }

  /** Lets the load balancer notice, and what it has begun finish. */
  async replace() {
    const exit = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    const [code] = await exit;
    if (code !== 0) throw new Error(`an instance ended with ${code}`);
    await this.start();
    // The load balancer notices that as well.
    await sleep(700);
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

/** Ports that are free now, and that no connection to elsewhere is given while an instance is away. */
async function freePorts(count) {
  const ports = [];
  while (ports.length < count) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer().listen(port, '127.0.0.1');
    const free = await once(server, 'listening').then(() => true, () => false);
    if (free && !ports.includes(port)) ports.push(port);
    if (free) await new Promise((resolve) => server.close(resolve));
  }
  return ports;
}
