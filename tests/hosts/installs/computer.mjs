// A computer with an empty home and an empty project, and the programs that run on it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The longest time that a program gets, in milliseconds: far more than it needs. */
const PATIENCE = 120_000;

export class Computer {
  #root;

  /** `folder` gets the home. `bin` is the folder of the hosts' programs. */
  constructor(folder, programs, bin) {
    mkdirSync(folder, { recursive: true });
    this.#root = mkdtempSync(path.join(folder, 'computer-'));
    this.programs = programs;
    this.env = {
      PATH: `${bin}:/usr/bin:/bin`,
      HOME: this.path('home'),
      // Copilot CLI unpacks itself there, once for all computers.
      XDG_CACHE_HOME: path.join(folder, 'cache'),
      // There is no keychain for the Inspector.
      MCP_INSPECTOR_SECRET_STORE: 'file',
      NO_COLOR: '1',
      TERM: 'dumb',
    };
    for (const name of ['home', 'project']) mkdirSync(this.path(name));
  }

  path(file) {
    return path.join(this.#root, file);
  }

  read(file) {
    return existsSync(this.path(file)) ? readFileSync(this.path(file), 'utf8') : undefined;
  }

  write(file, text) {
    mkdirSync(path.dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), text);
  }

  remove() {
    rmSync(this.#root, { recursive: true, maxRetries: 20, retryDelay: 100 });
  }

  /** Runs a program in the project, and returns what it prints. */
  async run(program, args, env = {}) {
    const { child, ended } = this.#start(program, args, env);
    child.stdin.end();
    return ended;
  }

  /** Runs a command in a shell. */
  shell(command) {
    return this.run('/bin/sh', ['-c', command]);
  }

  /** Runs the command line of a server of ours, and returns its standard output. */
  async server(name, args) {
    const { code, output, errors } = await this.run(path.join(this.programs, name), args);
    assert.equal(code, 0, `${name} ${args.join(' ')}: ${errors}`);
    return output;
  }

  /**
   * Starts a program that speaks JSON-RPC on standard input and output. Calls `talk` with a function that sends a request
   * and returns its result, and with an object whose member `notice` may be set.
   */
  async talk(program, args, env, talk) {
    const { child, ended } = this.#start(program, args, env);
    const waiting = new Map();
    const peer = { notice: () => {} };
    let rest = '';
    child.stdout.on('data', (data) => {
      const lines = (rest + data).split('\n');
      rest = lines.pop();
      for (const line of lines.filter((line) => line.startsWith('{'))) {
        const message = JSON.parse(line);
        const { resolve, reject } = waiting.get(message.id) ?? {};
        if (message.method) peer.notice(message);
        else if (message.error) reject?.(new Error(`${program}: ${JSON.stringify(message.error)}`));
        else resolve?.(message.result);
      }
    });
    ended.then(({ errors }) => {
      for (const { reject } of waiting.values()) reject(new Error(`${program} has ended: ${errors}`));
    });
    let last = 0;
    peer.request = (method, params) => {
      const id = (last += 1);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    };
    try {
      return await talk(peer);
    } finally {
      child.kill();
      await ended;
    }
  }

  #start(program, args, env) {
    const options = { cwd: this.path('project'), env: { ...this.env, ...env }, stdio: 'pipe', timeout: PATIENCE };
    const child = spawn(program, args, options);
    let output = '';
    let errors = '';
    child.stdin.on('error', () => {});
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (errors += data));
    const ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        resolve({ code, output: stripVTControlCharacters(output), errors: stripVTControlCharacters(errors) });
      });
    });
    return { child, ended };
  }
}
