// Makes the table of what the suite found: `node table.mjs DIRECTORY [gateway]`, where each revision has its results in a
// directory of its name. Nothing in it changes from run to run.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;
const [, , results, gateway] = process.argv;
const { dependencies } = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'));

/** What each status of a check is in the table. */
const MARKS = { SUCCESS: '✓', FAILURE: '✗', WARNING: '!', SKIPPED: '–', INFO: undefined };

/** Why scenarios are expected to fail: the comments above them. */
function expected() {
  const reasons = new Map();
  let reason;
  let more = false;
  for (const line of readFileSync(path.join(here, gateway ? 'gateway-failures.yml' : 'expected-failures.yml'), 'utf8').split('\n')) {
    const [, comment, scenario] = line.match(/^\s+(?:# (.*)|- (\S+))$/) ?? [];
    if (comment) reason = more ? `${reason} ${comment}` : comment;
    if (scenario) reasons.set(scenario, reason);
    more = comment !== undefined;
  }
  return reasons;
}

/** How many checks of each status a scenario has, as `3 ✓ 1 ✗`. */
function cell(directory) {
  const counts = new Map();
  for (const { status } of JSON.parse(readFileSync(path.join(directory, 'checks.json'), 'utf8'))) {
    if (!(status in MARKS)) throw new Error(`${directory}: a check is ${status}`);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  const shown = Object.entries(MARKS).filter(([status, mark]) => mark && counts.has(status));
  return { text: shown.map(([status, mark]) => `${counts.get(status)} ${mark}`).join(' '), failed: counts.has('FAILURE') };
}

const revisions = readdirSync(results).sort();
const scenarios = new Map();
for (const revision of revisions) {
  for (const name of readdirSync(path.join(results, revision))) {
    const scenario = name.match(/^server-(.*)-\d{4}-\d\d-\d\dT/)[1];
    if (!scenarios.has(scenario)) scenarios.set(scenario, new Map());
    scenarios.get(scenario).set(revision, cell(path.join(results, revision, name)));
  }
}

const AT = `\`examples/conformance\` over HTTP: a server of tools, prompts, resources and skills. Made by \`.ci/conformance\``;
const BEHIND = `\`examples/conformance\` behind \`examples/gather\`, both over HTTP. Made by \`GATEWAY=1 .ci/conformance\``;
const LEFT_OUT = '\nThe files of skills pass through a gateway, but no requests about skills. The scenarios of skills are left out.\n';
const reasons = expected();
const rows = [...scenarios].sort(([a], [b]) => (a < b ? -1 : 1));
const cellsOf = (revision) => rows.flatMap(([, cells]) => cells.get(revision) ?? []);
const passed = (revision) => {
  const cells = cellsOf(revision);
  return `**${cells.filter(({ failed }) => !failed).length} of ${cells.length}**`;
};
const write = (...columns) => console.log(`| ${columns.join(' | ')} |`);

console.log(`# Conformance${gateway ? ' through a gateway' : ''}

What the official suite, \`@modelcontextprotocol/conformance\` ${dependencies['@modelcontextprotocol/conformance']}, finds at
${gateway ? BEHIND : AT}, which
fails where this is not what it finds; with \`BLESS=1\` it writes it anew.
${gateway ? LEFT_OUT : ''}
So many checks of a scenario passed (✓), failed (✗), warned (!), did not apply (–). An empty field: the suite has no such
scenario for that revision. The last column says ${gateway ? 'what does not pass through a gateway' : 'what the server does not have yet'}.
`);
write('scenario', ...revisions, 'why not');
write(...Array(revisions.length + 2).fill('---'));
write('**passed**', ...revisions.map(passed), '');
for (const [scenario, cells] of rows) {
  write(`\`${scenario}\``, ...revisions.map((revision) => cells.get(revision)?.text ?? ''), reasons.get(scenario) ?? '');
}
