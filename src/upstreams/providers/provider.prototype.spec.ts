import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { type Exchange, readExchange } from '../../../test/support/exchanges.js';
import {
  hostileVariants,
  prototypeKeys,
  SPECIAL_NAMES,
  strangePrototypes,
  withSpecialKeys,
} from '../../../test/support/hostile-values.js';
import { schemaFaults } from '../../../test/support/openai-schema.js';
import { providerCall } from '../../../test/support/provider-call.js';
import { GatewayError } from '../../common/gateway.error.js';
import type { ChatCompletionRequest } from '../contract/chat.types.js';
import type { UpstreamEvent } from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';
import { framed } from '../framing/framing.js';
import { type ListedAdapter, PROVIDERS } from './providers.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const call = providerCall({ stream: true });
const END_EVENTS = 10;

const TOOL_SCHEMA = '{"type":"object","properties":{"__proto__":{"type":"object","polluted":true}},"required":["a"]}';

/** Requests with special names and keys in every place that a caller controls. */
const REQUESTS = SPECIAL_NAMES.flatMap((name): Partial<ChatCompletionRequest>[] => [
  { tools: [{ type: 'function', function: { name, parameters: JSON.parse(TOOL_SCHEMA) } }] },
  {
    tools: [{ type: 'function', function: { name } }],
    tool_choice: { type: 'function', function: { name } },
    messages: [
      { role: 'user', content: name, name },
      {
        role: 'assistant',
        tool_calls: [
          { id: name, type: 'function', function: { name, arguments: '{"__proto__":{"polluted":true},"a":1}' } },
        ],
      },
      { role: 'tool', tool_call_id: name, content: '{"__proto__":{"polluted":true}}' },
    ],
  },
  { response_format: { type: 'json_schema', json_schema: { name, schema: JSON.parse(TOOL_SCHEMA) } } },
  { response_format: { type: 'json_schema', json_schema: { name, schema: JSON.parse(`{"${name}":{"type":"x"}}`) } } },
  { reasoning_effort: name },
  { metadata: JSON.parse(`{"${name}":"x"}`), user: name },
  JSON.parse(`{"${name}":{"polluted":true},"extra_body":{"${name}":{"polluted":true}}}`),
]);

describe.each(PROVIDERS.map((adapter) => [adapter.protocol, adapter] as const))('%s', (protocol, adapter) => {
  const exchanges = exchangesOf(protocol);
  let before: string[] = [];
  beforeEach(() => {
    before = prototypeKeys();
  });
  afterEach(() => {
    const added = prototypeKeys().filter((key) => !before.includes(key));
    expect(added).toEqual([]);
  });

  it('treats special names in an answer like any other', () => {
    const seen = new Set<string>();
    for (const { body, stream, status } of exchanges) {
      if (stream !== null || status >= 400) continue;
      for (const variant of variantsOf(JSON.stringify(body), seen)) {
        expectValid(
          'completion',
          resultOf(() => [adapter.fromResponse(JSON.parse(variant), call)]),
        );
      }
    }
  });

  it('treats special names in a stream like any other', async () => {
    const seen = new Set<string>();
    for (const exchange of exchanges) {
      const events = await eventsOf(adapter, exchange);
      const strewn = events.map(({ event, data }) => ({ event, data: isJson(data) ? withSpecialKeys(data) : data }));
      expectValid('chunk', chunksOf(adapter, strewn));
      for (const [position, { event, data }] of events.entries()) {
        if (!isJson(data)) continue;
        for (const variant of hostileVariants(data, seen)) {
          expectValid('chunk', chunksOf(adapter, strewn.with(position, { event, data: variant })));
        }
      }
    }
  });

  it('treats special names in an error like any other', () => {
    const seen = new Set<string>();
    for (const { body, status, headers } of exchanges) {
      if (status < 400) continue;
      for (const variant of variantsOf(JSON.stringify(body), seen)) {
        const error = adapter.toError(status, headers, JSON.parse(variant), call);
        expect(error).toBeInstanceOf(UpstreamError);
        expect(error.status).toEqual(expect.any(Number));
        expect(schemaFaults('error', { error: error.body })).toEqual([]);
      }
    }
  });

  it('treats special names in a request like any other', () => {
    for (const fields of REQUESTS) {
      const request = providerCall({ messages: [{ role: 'user', content: 'x' }], ...fields });
      for (const sent of resultOf(() => [adapter.toRequest(request)])) {
        expect(strangePrototypes(sent)).toEqual([]);
        expect(JSON.parse(JSON.stringify(sent.body))).toEqual(sent.body);
      }
    }
  });
});

function exchangesOf(protocol: string): Exchange[] {
  const folder = join(here, protocol, 'fixtures');
  const index: Record<string, string[] | object> = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
  const files = new Set(Object.values(index).flatMap((entry) => (Array.isArray(entry) ? entry : [])));
  return [...files].map((file) => readExchange(folder, file));
}

function* variantsOf(json: string, seen: Set<string>): Generator<string> {
  const strewn = withSpecialKeys(json);
  yield strewn;
  for (const variant of hostileVariants(json, seen)) yield variant;
}

/** All events, or the first and last events of a long stream. */
async function eventsOf(adapter: ListedAdapter, { stream, encoding }: Exchange): Promise<UpstreamEvent[]> {
  if (stream === null) return [];
  const bytes = Buffer.from(stream, encoding);
  const events = await lastValueFrom(from([bytes]).pipe(framed(adapter.framing), toArray()));
  return events.length > 2 * END_EVENTS ? [...events.slice(0, END_EVENTS), ...events.slice(-END_EVENTS)] : events;
}

function chunksOf(adapter: ListedAdapter, events: readonly UpstreamEvent[]): unknown[] {
  const chunks: unknown[] = [];
  from(events)
    .pipe(adapter.fromStream(call))
    .subscribe({ next: (chunk) => chunks.push(chunk), error: expectRefusal });
  return chunks;
}

/** An empty list if the function refuses the input, which is allowed. */
function resultOf<Result>(act: () => Result[]): Result[] {
  try {
    return act();
  } catch (error) {
    expectRefusal(error);
    return [];
  }
}

/** Expects an error with a status, which was thrown on purpose. */
function expectRefusal(error: unknown): void {
  if (!(error instanceof GatewayError) || typeof error.status !== 'number') throw error;
}

const valid = new Set<string>();

function expectValid(kind: 'completion' | 'chunk', values: readonly unknown[]): void {
  for (const value of values) {
    expect(strangePrototypes(value)).toEqual([]);
    // Passed on unchanged.
    const { moderation: _, ...own } = value as Record<string, unknown>;
    const text = JSON.stringify(own);
    if (valid.has(text)) continue;
    expect(schemaFaults(kind, own)).toEqual([]);
    valid.add(text);
  }
}

function isJson(data: string): boolean {
  return data.startsWith('{');
}
