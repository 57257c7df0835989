import { describe, expect, it } from '@jest/globals';
import { toPrice } from '../../billing/price.js';
import type { Model } from '../../models/model.types.js';
import { chargeOf, promptCharge } from './charge.js';
import { abandonedUsage, NOTHING_SEEN, toTokenCounts } from './charged-usage.js';

describe('the charge of an abandoned call', () => {
  const model = { price: toPrice({ inputUsdPerMTok: 1, outputUsdPerMTok: 10 }), simulated: false };
  const request = { model: 'm', messages: [] };
  const tokens = { input: 100, cached: 0, output: 50, reasoning: 0 };
  const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };
  const chargeWith = (reserved: bigint | null, hasReportedPrompt = false) =>
    chargeOf({ usage, isReported: false, basis: 'time', hasReportedPrompt }, tokens, {
      ...{ request, model, reserved },
      isLeft: true,
      isFailed: false,
      servedTier: null,
      hostedCalls: null,
      searchesUnasked: false,
    });

  it('is at most the reservation if it is an estimate, and the rest is recorded', () => {
    expect(chargeWith(400_000n)).toEqual({ nanodollars: 400_000n, notes: { basis: 'time', uncharged: 200_000 } });
  });

  it('is the whole reported prompt if that exceeds the reservation', () => {
    expect(chargeWith(30_000n, true)).toEqual({
      nanodollars: 100_000n,
      notes: { basis: 'time', uncharged: 500_000, overReserved: 70_000, reportedPrompt: 100_000 },
    });
    expect(chargeWith(400_000n, true)).toEqual(chargeWith(400_000n));
  });

  it.each([600_000n, 900_000n, null])('is the whole estimate when %s nano-dollars were reserved', (reserved) => {
    expect(chargeWith(reserved)).toEqual({ nanodollars: 600_000n, notes: { basis: 'time' } });
  });
});

describe('the searches of a model that always searches', () => {
  const price = toPrice({
    inputUsdPerMTok: 0,
    outputUsdPerMTok: 0,
    hostedTools: { web_search: 1, web_search_high: 3 },
  });
  const chargeOfSearches = (reported: number | undefined, shown: Record<string, number> | null, size = 'low') => {
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const server_tool_use = { web_search_requests: reported as number };
    const found = {
      usage: reported === undefined ? usage : { ...usage, server_tool_use },
      isReported: true,
      basis: null,
    };
    const { nanodollars } = chargeOf(
      found,
      { input: 1, cached: 0, output: 1, reasoning: 0 },
      {
        request: { model: 'm', messages: [], web_search_options: { search_context_size: size } },
        ...{ model: { price, simulated: false }, reserved: null, isLeft: false, isFailed: false, servedTier: null },
        ...{ hostedCalls: shown && new Map(Object.entries(shown)), searchesUnasked: true },
      },
    );
    return Number(nanodollars) / 1e9;
  };

  it('are those that are reported or shown, else one, at the price of their size', () => {
    expect([chargeOfSearches(undefined, null), chargeOfSearches(undefined, {})]).toEqual([1, 1]);
    expect([
      chargeOfSearches(0, null),
      chargeOfSearches(4, {}),
      chargeOfSearches(undefined, { web_search: 2 }),
    ]).toEqual([0, 4, 2]);
    expect([chargeOfSearches(undefined, {}, 'high'), chargeOfSearches(2, {}, 'high')]).toEqual([3, 6]);
  });
});

describe('an estimate of a call with sound', () => {
  const data = 'A'.repeat(160_000);
  const heard = { type: 'input_audio' as const, input_audio: { data, format: 'mp3' as const } };
  const spoken = { model: 'm', messages: [], modalities: ['text', 'audio'] };
  const call = {
    ...{
      reported: undefined,
      ceiling: 5000,
      contextLength: 100_000,
      ...{ shownCalls: 0, rereadsPrompt: false },
      unread: '',
      hidden: 0,
      isBilledWhole: false,
    },
    request: { model: 'm', messages: [{ role: 'user' as const, content: [heard] }] },
  };
  const counter = { count: async (text: string) => text.length };
  const seen = { ...NOTHING_SEEN, texts: ['Hi.'], length: 3, soundTokens: 100 };

  it('says how much of the prompt and of the answer is sound, which has its own price', async () => {
    const { usage } = await abandonedUsage(seen, call, counter);
    expect(usage).toMatchObject({ completion_tokens: 103, completion_tokens_details: { audio_tokens: 100 } });
    expect(usage.prompt_tokens_details?.audio_tokens).toBeGreaterThan(900);
    expect(usage.prompt_tokens_details?.audio_tokens).toBeLessThan(usage.prompt_tokens);
  });

  it('is never cheaper for its sound', async () => {
    const found = await abandonedUsage(seen, call, counter);
    const tokens = { input: found.usage.prompt_tokens, cached: 0, output: found.usage.completion_tokens, reasoning: 0 };
    const costAt = (price: object) => {
      const model = { price: toPrice({ inputUsdPerMTok: 1, outputUsdPerMTok: 10, ...price }), simulated: false };
      const { request } = call;
      return chargeOf(found, tokens, {
        ...{ request, model, reserved: null, isLeft: true, isFailed: false },
        ...{ servedTier: null, hostedCalls: null, searchesUnasked: false },
      }).nanodollars;
    };
    expect(costAt({ audioInputUsdPerMTok: 0.5, audioOutputUsdPerMTok: 5 })).toBe(costAt({}));
    expect(costAt({ audioOutputUsdPerMTok: 20 })).toBe(costAt({}) + 100n * 10_000n);
  });

  it('has that price for the prompt of a call whose process dies, too', () => {
    const { request } = call;
    const prices = { inputUsdPerMTok: 1, outputUsdPerMTok: 10 };
    const chargeAt = (price: object) =>
      promptCharge(request, { price: toPrice({ ...prices, ...price }) } as Model, 1000);
    expect(chargeAt({})).toBe(1_000_000);
    const sound = (chargeAt({ audioInputUsdPerMTok: 40 }) - 1_000_000) / 39_000;
    expect(sound).toBeGreaterThan(900);
    expect(sound).toBeLessThan(1000);
  });

  it('takes the unseen part of a spoken answer for sound, and a reported prompt as it was', async () => {
    const reported = { prompt_tokens: 10, prompt_tokens_details: { audio_tokens: 4 } };
    const { usage } = await abandonedUsage(seen, { ...call, request: spoken, reported, hidden: 2000 }, counter);
    expect(usage).toMatchObject({
      ...{ prompt_tokens: 10, prompt_tokens_details: { audio_tokens: 4 }, completion_tokens: 2000 },
      completion_tokens_details: { audio_tokens: 1997 },
    });
    const whole = { ...call, request: spoken, isBilledWhole: true };
    const ceiling = await abandonedUsage(NOTHING_SEEN, whole, counter);
    expect(ceiling.usage.completion_tokens_details).toEqual({ audio_tokens: 5000 });
  });
});

describe('the charge of a call with a service tier', () => {
  const price = toPrice({ inputUsdPerMTok: 1, outputUsdPerMTok: 10, serviceTiers: { priority: 2, flex: 0.5 } });
  const tokens = { input: 100, cached: 0, output: 50, reasoning: 0 };
  const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };
  const LIST = 600_000n;

  it.each<[requested: string | null, served: string | null, cost: bigint, notes: object | null]>([
    [null, null, LIST, null],
    [null, 'default', LIST, null],
    ['priority', null, LIST * 2n, { serviceTier: 'priority', factor: 2 }],
    ['priority', 'priority', LIST * 2n, { serviceTier: 'priority', factor: 2 }],
    ['priority', 'auto', LIST * 2n, { serviceTier: 'priority', factor: 2 }],
    ['priority', 'default', LIST, { servedTier: 'default' }],
    ['flex', 'standard', LIST, { servedTier: 'standard' }],
    ['priority', 'flex', LIST / 2n, { serviceTier: 'flex', factor: 0.5, servedTier: 'flex' }],
    [null, 'priority', LIST * 2n, { serviceTier: 'priority', factor: 2, servedTier: 'priority' }],
    [null, 'scale', LIST, { servedTier: 'scale' }],
    ['priority', 'scale', LIST * 2n, { serviceTier: 'priority', factor: 2, servedTier: 'scale' }],
  ])(
    'is that of the tier that served, if it has a price: %s requested, %s served',
    (requested, served, cost, notes) => {
      const request = { model: 'm', messages: [], service_tier: requested };
      const charge = chargeOf({ usage, isReported: true, basis: null }, tokens, {
        ...{ request, model: { price, simulated: false }, reserved: null },
        ...{ isLeft: false, isFailed: false, servedTier: served, hostedCalls: null, searchesUnasked: false },
      });
      expect(charge).toEqual({ nanodollars: cost, notes });
    },
  );
});

describe('tokens that were written to a cache', () => {
  const price = toPrice({ inputUsdPerMTok: 1, outputUsdPerMTok: 10 });
  const asking = (ttl: string) => ({
    model: 'm',
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'a', cache_control: { ttl } }] }],
  });
  const writesOf = (ofAnHour: number | undefined, ttl: string) => {
    const details = { cache_write_tokens: 90, ...(ofAnHour !== undefined && { cache_write_1h_tokens: ofAnHour }) };
    const usage = { prompt_tokens: 100, completion_tokens: 1, total_tokens: 101, prompt_tokens_details: details };
    return toTokenCounts(usage, price, asking(ttl)).cacheWrites;
  };

  it('have the longest lifetime that was requested if the provider reports one number', () => {
    expect(writesOf(undefined, '1h')).toEqual({ '1h': 90 });
    expect(writesOf(undefined, '12h')).toEqual({ '1h': 90 });
    expect(writesOf(undefined, '5m')).toEqual({ '5m': 90 });
  });

  it('have the lifetimes that the provider reports', () => {
    expect(writesOf(0, '1h')).toEqual({ '5m': 90 });
    expect(writesOf(30, '1h')).toEqual({ '5m': 60, '1h': 30 });
    expect(writesOf(90, '1h')).toEqual({ '1h': 90 });
  });
});
