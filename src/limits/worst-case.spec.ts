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
    ...{ searchesUnasked: false, rereadsPrompt: false, promptShare: null },
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

describe('the highest cost of a call whose prompt is read again after each call of a tool', () => {
  const costWith = (content: string, max_uses: number | undefined, promptShare: bigint | null, factor = 1) => {
    const tools = [{ type: 'web_search', name: 'web_search', ...(max_uses !== undefined && { max_uses }) }];
    const chat = { ...plain, tools, messages: [{ role: 'user', content }] } as unknown as ChatCompletionRequest;
    const request = withNativeForm(chat, { api: 'messages', fields: {} });
    return worstCase(request, [model], {
      ...{ hostedToolsPerCall: 10, searchesUnasked: false, rereadsPrompt: true, promptShare },
      ...{ schemaGrowth: 1, factors: { prompt: factor, output: 1 } },
    });
  };
  /** Nano-dollars for a prompt of this many tokens that is read `calls` + 1 times. */
  const readings = (prompt: number, calls: number) =>
    BigInt((calls + 1) * prompt + 5000 * calls * (calls + 1)) * INPUT + BigInt(calls) * SEARCH;
  const long = 'x'.repeat(100_000);

  it('has a reading with all results so far for each call', () => {
    for (const calls of [1, 4, 10]) {
      const { promptPrice, hostedCalls } = costWith(long, calls, null);
      expect(Number(promptPrice / 1_000_000n) / Number(readings(102_800, calls))).toBeCloseTo(1, 2);
      expect(hostedCalls).toBeNull();
    }
    const [usual, ten] = [undefined, 10].map((calls) => Number(costWith(long, calls, null).promptPrice));
    expect(Number(usual) / Number(ten)).toBeCloseTo(1, 2);
  });

  it('has no reading that is longer than the context', () => {
    const { promptPrice } = costWith('x'.repeat(990_000), 3, null);
    expectAbout(promptPrice / 1_000_000n, 4_000_000n * INPUT);
  });

  it('has as many calls as its share of the budget pays, and at least one of each tool', () => {
    for (const calls of [1, 2, 5, 9]) {
      const share = readings(103_000, calls);
      const { promptPrice, hostedCalls } = costWith(long, undefined, share);
      expect(hostedCalls).toBe(calls);
      expect(promptPrice).toBeLessThanOrEqual(share * 1_000_000n);
    }
    expect(costWith(long, 3, 0n).hostedCalls).toBe(1);
    expect(costWith(long, 1, 0n).hostedCalls).toBeNull();
    expect(costWith(long, undefined, readings(103_000, 10)).hostedCalls).toBeNull();
    expect(costWith(long, undefined, readings(103_000, 4), 3).hostedCalls).toBeLessThan(4);
    expect(costWith(long, Number.MAX_SAFE_INTEGER, readings(103_000, 12)).hostedCalls).toBe(12);
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

  it.each<[string | null, object]>([
    [null, { type: 'web_search', engine: 'native', max_results: 5 }],
    ['web_search_exa', { type: 'web_search_2025_08_26', engine: 'exa' }],
    ['web_search_exa_25', { type: 'web_search_preview', engine: 'exa', max_results: 25 }],
    ['web_search_25', { type: 'web_search', max_results: '25' }],
    [
      'openrouter:web_search_parallel_25',
      { type: 'openrouter:web_search', parameters: { engine: 'parallel', max_results: 25 } },
    ],
  ])('needs the price %s for the engine and the results of a search', (name, tool) => {
    const refusal = unpricedOptionError({ ...plain, tools: [tool] } as ChatCompletionRequest, model as Model);
    expect(refusal?.message ?? null).toEqual(name && expect.stringContaining(`'${name}'`));
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
