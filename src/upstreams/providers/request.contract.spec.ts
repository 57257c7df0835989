import { describe, expect, it } from '@jest/globals';
import { bodyAt, type Destination, faultsOf, TYPICAL_DESTINATIONS } from '../../../test/support/destinations.js';
import { bodyFaults, SCHEMAS } from '../../../test/support/provider-schema.js';
import { DIALECT_ROWS } from '../../../test/support/request-rows/dialect-rows.js';
import { DIALECT_TOOL_ROWS } from '../../../test/support/request-rows/dialect-tool-rows.js';
import { HISTORY_ROWS } from '../../../test/support/request-rows/history-rows.js';
import { NATIVE_ROWS } from '../../../test/support/request-rows/native-rows.js';
import { NATIVE_TOOL_ROWS } from '../../../test/support/request-rows/native-tool-rows.js';
import { OPTION_ROWS } from '../../../test/support/request-rows/option-rows.js';
import type { Outcome } from '../../../test/support/request-rows/request-row.js';
import { RESPONSES_ROWS } from '../../../test/support/request-rows/responses-rows.js';
import { GatewayError } from '../../common/gateway.error.js';
import { toChatRequest } from '../../completions/formats/chat-completion-request.js';
import type { ChatCompletionRequest } from '../contract/chat.types.js';

const ROWS = [
  NATIVE_ROWS,
  NATIVE_TOOL_ROWS,
  DIALECT_ROWS,
  DIALECT_TOOL_ROWS,
  RESPONSES_ROWS,
  HISTORY_ROWS,
  OPTION_ROWS,
].flat();

it('the gateway accepts the request of every row', () => {
  const refused = ROWS.flatMap(({ name, request }) => {
    try {
      toChatRequest({ model: 'public-model', ...structuredClone(request) });
      return [];
    } catch (error) {
      return [`${name}: ${error}`];
    }
  });
  expect(refused).toEqual([]);
});

it('every row has outcomes for known destinations only', () => {
  const known = TYPICAL_DESTINATIONS.map(({ name }) => name);
  const unknown = ROWS.flatMap(({ name, outcomes }) =>
    Object.keys(outcomes).flatMap((destination) => (known.includes(destination) ? [] : [`${name}: ${destination}`])),
  );
  expect(unknown).toEqual([]);
});

describe.each(ROWS.map((row) => [row.name, row] as const))('%s', (_name, row) => {
  const stated = TYPICAL_DESTINATIONS.filter(({ name }) => [row.outcomes[name] ?? []].flat().length > 0);

  it.each(stated.map((destination) => [destination.name, destination] as const))('%s', (name, destination) => {
    for (const outcome of [row.outcomes[name] ?? []].flat()) expectOutcome(destination, row.request, outcome);
  });

  it('every other destination gets a valid body, or the client a 400 that names a field', () => {
    const others = TYPICAL_DESTINATIONS.filter((destination) => !stated.includes(destination));
    const faults = others.map((destination) => [destination.name, faultsOfBody(destination, row.request)]);
    expect(faults.filter(([, found]) => found?.length !== 0)).toEqual([]);
  });
});

function expectOutcome(destination: Destination, request: Partial<ChatCompletionRequest>, outcome: Outcome): void {
  const { model = destination.model } = outcome;
  const body = bodyAt({ ...destination, model }, request);
  if ('refused' in outcome) {
    expect(body).toBeInstanceOf(GatewayError);
    expect(body).toMatchObject({ status: 400, body: { param: outcome.refused } });
    return;
  }
  if (body instanceof GatewayError) throw body;
  expect(faultsOf(destination, body)).toEqual([]);
  expect(body).toMatchObject(outcome.sent);
  for (const path of outcome.lacks ?? []) expect(body).not.toHaveProperty(path);
}

/** Each body must be valid, or the request must be refused with a 400 that names a field. */
function faultsOfBody(destination: Destination, request: Partial<ChatCompletionRequest>): string[] {
  const body = bodyAt(destination, request);
  if (body instanceof GatewayError) return body.status === 400 && body.body.param ? [] : [body.message];
  return faultsOf(destination, body);
}

it.each(SCHEMAS)('the types of %s refuse an unknown field', (schema) =>
  expect(bodyFaults(schema, { unheard_of: 1 }).join()).toContain('unheard_of'),
);
