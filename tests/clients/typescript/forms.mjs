// What the official schemas say of a form, and of a question to a model.
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
  check(revision, kind, params);
}

/** Fails if these are not the `params` of a `sampling/createMessage` of this revision. */
export function checkPrompt(revision, params) {
  check(revision, 'CreateMessageRequestParams', params);
}

function check(revision, kind, params) {
  const key = `${revision} ${kind}`;
  if (!validators.has(key)) validators.set(key, validator(revision, kind));
  const validate = validators.get(key);
  assert.ok(validate(params), `${revision}: ${JSON.stringify({ params, mistakes: validate.errors }, null, 2)}`);
}

function validator(revision, kind) {
  const document = JSON.parse(fs.readFileSync(new URL(`${revision}.json`, schemas), 'utf8'));
  const keyword = document.$defs ? '$defs' : 'definitions';
  const definitions = document[keyword];
  for (const [name, definition] of Object.entries(definitions)) {
    if (/^ElicitRequest|^CreateMessageRequest|(String|Number|Boolean|Enum)Schema$/.test(name)) close(definition);
  }
  // The oldest of them writes the `params` down where they are used.
  const written = definitions[kind] ?? definitions[kind.replace(/(Form|URL)?Params$/, '')].properties.params;
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
