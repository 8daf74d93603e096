// The ways from a client to a server that is started for it.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** At the standard input and output of a process. */
export function overStdio(Transport) {
  return {
    label: '',
    open: async (server) => ({ transport: new Transport(server), end: () => {} }),
  };
}

/** Over HTTP, to a process that says on standard error where it listens. */
export function overHttp(Transport) {
  return {
    label: ' over HTTP',
    /** `through`: what stands between, for a URL. */
    async open({ command, env }, through = async (url) => ({ url, end: () => {} })) {
      const program = spawn(command, ['http', '--addr', '127.0.0.1:0'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
      const url = await new Promise((resolve, reject) => {
        program.once('error', reject);
        program.once('exit', (code) => reject(new Error(`${command} ended with ${code}`)));
        createInterface({ input: program.stderr }).on('line', (line) => {
          const found = line.match(/http:\S+/);
          if (found) resolve(new URL(found[0]));
        });
      });
      const between = await through(url);
      const end = () => {
        between.end();
        program.kill();
      };
      return { transport: new Transport(between.url), end };
    },
  };
}
