// The programs that publish tools, and how to start them.

import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Each program, with the environment that it needs. */
export const servers = {
  code_search: {},
  conformance: {},
  dynamic: { TOOLS_FILE: path.join(root, 'examples/dynamic/tools.json') },
  flights: {},
  hello: {},
  pipelines: { PIPELINES_DATA: path.join(root, 'examples/pipelines/data') },
  play_ttt: {},
  settings: { SHOP_CODE: 'spring', SHOP_PRICES: path.join(root, 'examples/settings/prices.csv') },
  signup: {},
  todo: { TODO_DB: ':memory:' },
  transfer: {},
  shapes: {},
};
