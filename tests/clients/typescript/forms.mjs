// What the official schemas say of a form, and of what a model is asked.
//
// They allow members of any name. Here they are closed, so that a member of a later revision counts as a mistake.

import assert from 'node:assert/strict';
import fs from 'node:fs';

import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';

const schemas = new URL('../../schemas/', import.meta.url);
const validators = new Map();

/** Fails if these are not the `params` of an `elicitation/create` of this revision: for a form, or for a page. */
export function checkForm(revision, params) {
  const kind = params.mode === 'url' ? 'ElicitRequestURLParams' : 'ElicitRequestFormParams';
  check(revision, kind, 'ElicitRequest', /^ElicitRequest|(String|Number|Boolean|Enum)Schema$/, params);
}

/** Fails if these are not the `params` of a `sampling/createMessage` of this revision. */
export function checkSampling(revision, params) {
  const closed = /^CreateMessageRequest|^Sampling|^Model(Hint|Preferences)|^Tool(Choice|UseContent|ResultContent)?$|^(Text|Image|Audio)Content$/;
  check(revision, 'CreateMessageRequestParams', 'CreateMessageRequest', closed, params);
}

function check(revision, kind, request, closed, params) {
  const key = `${revision} ${kind}`;
  if (!validators.has(key)) validators.set(key, validator(revision, kind, request, closed));
  const validate = validators.get(key);
  assert.ok(validate(params), `${revision}: ${JSON.stringify({ params, mistakes: validate.errors }, null, 2)}`);
}

function validator(revision, kind, request, closed) {
  const document = JSON.parse(fs.readFileSync(new URL(`${revision}.json`, schemas), 'utf8'));
  const keyword = document.$defs ? '$defs' : 'definitions';
  const definitions = document[keyword];
  for (const [name, definition] of Object.entries(definitions)) {
    if (closed.test(name)) close(definition);
  }
  // The oldest of them writes the `params` down where they are used.
  const written = definitions[kind] ?? definitions[request].properties.params;
  const options = { strict: false, validateFormats: false, allErrors: true };
  const ajv = keyword === '$defs' ? new Ajv2020(options) : new Ajv(options);
  return ajv.compile({ $schema: document.$schema, ...written, [keyword]: definitions });
}

function close(definition) {
  // Some are only a choice between others; in the form itself any property may stand.
  if (!definition.properties) return;
  definition.additionalProperties = false;
  for (const inner of [definition.properties.params, definition.properties.requestedSchema]) {
    if (inner) close(inner);
  }
}

/** The choices of a field and their titles, as any revision writes them. */
export function choices(field) {
  if (field.oneOf) return field.oneOf.map((choice) => [choice.const, choice.title]);
  return field.enum.map((value, index) => [value, field.enumNames?.[index]]);
}
