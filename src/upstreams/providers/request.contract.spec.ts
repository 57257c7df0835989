import { describe, expect, it } from '@jest/globals';
import { schemaFaults } from '../../../test/support/openai-schema.js';
import { providerCall } from '../../../test/support/provider-call.js';
import { bodyFaults, type PublishedSchema } from '../../../test/support/provider-schema.js';
import { DIALECT_ROWS } from '../../../test/support/request-rows/dialect-rows.js';
import { DIALECT_TOOL_ROWS } from '../../../test/support/request-rows/dialect-tool-rows.js';
import { NATIVE_ROWS } from '../../../test/support/request-rows/native-rows.js';
import { NATIVE_TOOL_ROWS } from '../../../test/support/request-rows/native-tool-rows.js';
import type { Outcome } from '../../../test/support/request-rows/request-row.js';
import { RESPONSES_ROWS } from '../../../test/support/request-rows/responses-rows.js';
import { GatewayError } from '../../common/gateway.error.js';
import { toChatRequest } from '../../completions/dto/chat-completion-request.js';
import { unsupportedFeatureError, unsupportedFeatures } from '../../completions/model-capabilities.js';
import type { ChatCompletionRequest } from '../contract/chat.types.js';
import { type ListedAdapter, PROVIDERS } from './providers.js';

/** Where a body goes, and how its validity is judged. */
interface Destination {
  name: string;
  adapter: ListedAdapter;
  settings: Record<string, string>;
  /** Of a typical model; an outcome may name another. */
  model: string;
  schema: PublishedSchema | 'openai';
}

const NATIVE_MODELS: Readonly<Partial<Record<PublishedSchema, string>>> = {
  anthropic: 'claude-sonnet-5',
  bedrock: 'anthropic.claude-haiku-4-5-20251001-v1:0',
  cohere: 'command-a-plus-05-2026',
  gemini: 'gemini-3.6-flash',
  mistral: 'mistral-medium-2604',
  'openai-responses': 'gpt-5.6-sol',
};

const DESTINATIONS: readonly Destination[] = PROVIDERS.flatMap((adapter): Destination[] => {
  const name = adapter.protocol;
  const model = NATIVE_MODELS[name as PublishedSchema];
  if (model === undefined) return [{ name, adapter, settings: {}, model: 'upstream-model', schema: 'openai' }];
  const destination = { name, adapter, settings: {}, model, schema: name as PublishedSchema };
  if (name !== 'gemini') return [destination];
  return [destination, { ...destination, name: 'vertex', settings: { project: 'p', location: 'l' }, schema: 'vertex' }];
});

describe.each(
  [...NATIVE_ROWS, ...NATIVE_TOOL_ROWS, ...DIALECT_ROWS, ...DIALECT_TOOL_ROWS, ...RESPONSES_ROWS].map(
    (row) => [row.name, row] as const,
  ),
)('%s', (_name, row) => {
  it('is a request that the gateway takes', () => {
    expect(toChatRequest({ model: 'public-model', ...structuredClone(row.request) })).toBeTruthy();
  });

  it('has outcomes of known destinations alone', () => {
    const names = DESTINATIONS.map(({ name }) => name);
    expect(Object.keys(row.outcomes).filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(DESTINATIONS.map((destination) => [destination.name, destination] as const))('%s', (name, destination) => {
    const given = row.outcomes[name] ?? [];
    const outcomes = Array.isArray(given) ? given : [given];
    if (outcomes.length === 0) expect(faultsOfBody(destination, row.request)).toEqual([]);
    for (const outcome of outcomes) expectOutcome(destination, row.request, outcome);
  });
});

function expectOutcome(destination: Destination, request: Partial<ChatCompletionRequest>, outcome: Outcome): void {
  const { model = destination.model } = outcome;
  const body = bodyOf({ ...destination, model }, request);
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

/** Every body is valid; a request that the API cannot express is refused by a 400 that names a field. */
function faultsOfBody(destination: Destination, request: Partial<ChatCompletionRequest>): string[] {
  const body = bodyOf(destination, request);
  if (body instanceof GatewayError) return body.status === 400 && body.body.param ? [] : [body.message];
  return faultsOf(destination, body);
}

function faultsOf({ schema }: Destination, body: unknown): string[] {
  if (schema !== 'openai') return bodyFaults(schema, body);
  // Some calls of OpenAI's upstreams go to the Responses API.
  return Object(body).input ? bodyFaults('openai-responses', body) : schemaFaults('request', body);
}

/** What goes upstream, as JSON; or why nothing does. */
function bodyOf({ adapter, model, settings }: Destination, fields: Partial<ChatCompletionRequest>): unknown {
  const call = providerCall(toChatRequest({ model: 'public-model', ...structuredClone(fields) }));
  try {
    const [unsupported] = unsupportedFeatures(call.request, { capabilities: null }, adapter.capabilities);
    if (unsupported) throw unsupportedFeatureError(call.model, unsupported);
    const { body } = adapter.toRequest({ ...call, upstreamModel: model, settings });
    return JSON.parse(JSON.stringify(body));
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

it.each(['anthropic', 'bedrock', 'cohere', 'gemini', 'mistral', 'openai-responses', 'vertex'] as const)(
  'the types of %s know no field that does not exist',
  (schema) => expect(bodyFaults(schema, { unheard_of: 1 }).join()).toContain('unheard_of'),
);
