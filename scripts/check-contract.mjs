import { readFileSync, writeFileSync } from 'node:fs';
import { apiDocument } from './lib/api-types.mjs';
import { Failure, projectPath, runScript, say } from './lib/project.mjs';

// The API of the console is a contract: routes, parameters and fields are only added. This compares the OpenAPI document
// with that of the last release, docs/api-contract.txt. --write stores the present one: only for a release. A line that
// ends with "deprecated" may go; it must have been there for two minor versions.

const [file = projectPath('docs/api-contract.txt')] = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

await runScript(async () => {
  const document = await apiDocument();
  const present = linesOf(document);
  if (process.argv.includes('--write')) {
    writeFileSync(file, `${present.join('\n')}\n`);
    return;
  }
  const released = readFileSync(file, 'utf8').trim().split('\n');
  const faults = [...removed(released, present), ...newlyRequired(released, present)];
  for (const fault of faults) say(fault);
  if (faults.length > 0) throw new Failure('The API breaks the contract of the last release.');
});

function linesOf({ paths, components }) {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => ofOperation(path, method, item[method])),
  );
  const fields = Object.entries(components.schemas).flatMap(([name, schema]) => ofSchema(name, schema));
  return [...new Set([...operations, ...fields])].sort();
}

function ofOperation(path, method, operation) {
  if (!operation) return [];
  const name = `${method.toUpperCase()} ${path}`;
  const body = operation.requestBody?.content?.['application/json']?.schema?.$ref;
  return [
    line(name, operation),
    ...(operation.parameters ?? []).map((one) =>
      line(`${name} ${one.in}:${one.name}${one.required ? ' required' : ''}`, one),
    ),
    ...(body ? [`${name} takes ${body.split('/').at(-1)}`] : []),
    ...Object.keys(operation.responses).map((status) => `${name} answers ${status}`),
  ];
}

function ofSchema(name, { properties = {}, required = [] }) {
  return Object.entries(properties).flatMap(([field, schema]) => [
    line(`${name}.${field}: ${typeOf(schema)}`, schema),
    ...(required.includes(field) ? [`${name}.${field} required`] : []),
  ]);
}

function typeOf({ $ref, type, items, anyOf, oneOf, allOf }) {
  if ($ref) return $ref.split('/').at(-1);
  if (items) return `${typeOf(items)}[]`;
  const some = anyOf ?? oneOf ?? allOf;
  return some ? some.map(typeOf).join('|') : [type ?? 'any'].flat().join('|');
}

function line(text, { deprecated }) {
  return deprecated ? `${text} deprecated` : text;
}

function removed(released, present) {
  const known = new Set(present.map((one) => one.replace(/ deprecated$/, '')));
  // A field that was always sent must still be; a parameter that was required may become optional.
  const required = released.filter(
    (one) => !one.endsWith(' deprecated') && !/ (query|path|header):\S+ required$/.test(one),
  );
  const inputs = inputsOf(released);
  return required
    .filter((one) => !known.has(one) && !(one.endsWith(' required') && inputs.has(one.split('.')[0])))
    .map((one) => `removed or changed: ${one}`);
}

/** Existing callers do not send a new required field or parameter. */
function newlyRequired(released, present) {
  const before = new Set(released);
  const [inputs, had] = [
    inputsOf(released),
    new Set(released.map((one) => one.split(/ (?:query|header):| takes | answers /)[0])),
  ];
  return present
    .filter((one) => one.endsWith(' required') && !before.has(one))
    .filter(
      (one) =>
        inputs.has(one.split('.')[0]) || (/ (query|header):/.test(one) && had.has(one.split(/ (?:query|header):/)[0])),
    )
    .map((one) => `newly required: ${one}`);
}

/** The schemas of bodies. */
function inputsOf(lines) {
  return new Set(lines.flatMap((one) => / takes (\S+)$/.exec(one)?.[1] ?? []));
}
