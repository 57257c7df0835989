import { describe, expect, it } from '@jest/globals';
import { coreMsOf } from '../../test/support/core-time.js';
import { toPrice } from '../billing/price.js';
import type { ReservationFactors } from '../ledger/call-record.types.js';
import type { Model } from '../models/model.types.js';
import type { ChatCompletionRequest } from '../upstreams/contract/chat.types.js';
import type { JsonObject } from '../upstreams/contract/json.js';
import { withNativeForm } from '../upstreams/tokens/native-walk.js';
import { unpricedOptionError } from './paid-options.js';
import { worstCase } from './worst-case.js';

const SEARCH = 10_000_000n;
const INPUT = 1000n;
const price = toPrice({
  inputUsdPerMTok: 1,
  outputUsdPerMTok: 10,
  hostedTools: { web_search: 0.01, code: 0.02 },
  serviceTiers: { fast: 6 },
});
const model = { price, simulated: false, maxOutputTokens: 100, contextLength: 1_000_000 };
const plain: ChatCompletionRequest = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };

interface Options {
  factors?: ReservationFactors;
  context?: number;
  api?: 'chat' | 'messages' | 'responses';
  native?: JsonObject;
}

function costOf(
  fields: object,
  { factors = { prompt: 1, output: 1 }, context = 1_000_000, api = 'messages', native = {} }: Options = {},
) {
  const chat = { ...plain, ...fields } as ChatCompletionRequest;
  const request = api === 'chat' ? chat : withNativeForm(chat, { api, fields: native });
  return worstCase(request, [{ ...model, contextLength: context }], {
    hostedToolsPerCall: 10,
    searchesUnasked: false,
    schemaGrowth: 1,
    factors,
  }).full;
}

/** Without the text of the tools themselves. */
function addedBy(fields: object, options: Options = {}): bigint {
  return costOf(fields, options) - costOf({ tools: [{ type: 'function', function: fields }] }, options);
}

function list(entry: (index: number) => object): object[] {
  return Array.from({ length: 20_000 }, (_, index) => entry(index));
}

function expectAbout(cost: bigint, expected: bigint): void {
  expect(Number(cost) / Number(expected)).toBeCloseTo(1, 1);
}

describe('the highest cost of a call with tools that the provider runs', () => {
  const search = (max_uses?: number) => ({ type: 'web_search', name: 'web_search', ...(max_uses && { max_uses }) });

  it('has ten calls and their results, unless the request limits them', () => {
    const call = SEARCH + 10_000n * INPUT;
    expectAbout(addedBy({ tools: [search()] }), 10n * call);
    expectAbout(addedBy({ web_search_options: {} }), 10n * call);
    expectAbout(addedBy({ tools: [search(3)] }), 3n * call);
    expectAbout(addedBy({ tools: [search()] }, { api: 'responses', native: { max_tool_calls: 2 } }), 2n * call);
  });

  it('has the usual calls with a limit that the called API does not have', () => {
    const usual = 10n * (SEARCH + 10_000n * INPUT);
    expectAbout(addedBy({ tools: [{ ...search(), max_uses: 0 }] }, { api: 'responses' }), usual);
    expectAbout(addedBy({ tools: [{ ...search(), max_uses: 0 }] }, { api: 'chat' }), usual);
    for (const input of [undefined, []]) {
      expectAbout(addedBy({ tools: [search()] }, { native: { max_tool_calls: 0, input } }), usual);
    }
    expectAbout(addedBy({ tools: [search()], max_tool_calls: 0 }, { api: 'chat' }), usual);
  });

  it('adds up the limits of all entries of a tool', () => {
    const call = SEARCH + 10_000n * INPUT;
    expectAbout(addedBy({ tools: [search(2), search(), search(30)] }), 42n * call);
  });

  it('has results only within the context', () => {
    expectAbout(addedBy({ tools: [search()] }, { context: 20_000 }), 10n * SEARCH + 20_000n * INPUT);
  });
});

describe('the highest cost of a call', () => {
  it.each<[string, object]>([
    ['tools of different types', { tools: list((index) => ({ type: `t${index}` })) }],
    ['tools of one type', { tools: list(() => ({ type: 'web_search' })) }],
    ['plugins', { plugins: list((index) => ({ id: `p${index}` })) }],
  ])('is known at once for 20,000 %s, and so is whether they have a price', async (what, fields) => {
    const request = { ...plain, ...fields } as ChatCompletionRequest;
    const ms = await coreMsOf(() => {
      expect(costOf(fields)).toBeGreaterThan(0n);
      expect(unpricedOptionError(request, model as Model) === null).toBe(what === 'tools of one type');
    });
    expect(ms).toBeLessThan(500);
  });

  it('fits into 64 bits together with many others, whatever is requested', () => {
    const search = { type: 'web_search', max_uses: Number.MAX_SAFE_INTEGER };
    for (const fields of [{ tools: [search, search] }, { best_of: Number.MAX_SAFE_INTEGER }]) {
      expect(costOf(fields) * 10_000n).toBeLessThan(2n ** 63n);
      expect(costOf(fields)).toBeGreaterThanOrEqual(100_000n * 1_000_000_000n);
    }
  });

  it('has the factor of the tier that is charged, in whichever field it stands', () => {
    const usual = costOf({}, { api: 'chat' });
    expectAbout(costOf({ service_tier: 'fast' }, { api: 'chat' }), 6n * usual);
    expectAbout(costOf({ speed: 'fast' }, { api: 'chat' }), 6n * usual);
  });
});

it('the highest cost of a call is multiplied for callers whose estimates were too low', () => {
  const once = costOf({});
  const output = 100n * 10_000n;
  expect(costOf({}, { factors: { prompt: 3, output: 1 } })).toBe((once - output) * 3n + output);
  expect(costOf({}, { factors: { prompt: 1, output: 2.5 } })).toBe(once + (output * 3n) / 2n);
});
