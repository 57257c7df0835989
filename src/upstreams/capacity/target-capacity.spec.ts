import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { WaitingCall } from '../capacity.service.js';
import type { UpstreamHeaders } from '../contract/provider.adapter.js';
import { TargetCapacity, usedUp } from './target-capacity.js';
import { UseGauge } from './use-gauge.js';

describe('the queue of calls that wait for a target', () => {
  let now: number;
  let target: TargetCapacity;
  let came: string[];
  const lines: WaitingCall[] = [];

  beforeEach(() => {
    now = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    target = new TargetCapacity();
    came = [];
  });
  afterEach(() => {
    for (const call of lines.splice(0)) target.leave(call);
    jest.restoreAllMocks();
  });

  const limit = (limits: ConstructorParameters<typeof UseGauge>[0]) => target.limitBy([new UseGauge(limits, now)]);
  function enter(name: string, tokens = 0): WaitingCall {
    const call: WaitingCall = {
      tokens,
      roomFreed: () => {
        came.push(name);
        target.take(tokens, now);
      },
    };
    lines.push(call);
    target.enter(call);
    return call;
  }

  it('is not overtaken when capacity is free again', () => {
    limit({ requestsPerMinute: 60 });
    for (let i = 0; i < 60; i++) target.take(0, now);
    expect(target.canStart(0, now)).toBe(false);
    enter('first');
    enter('second');
    now += 1500;
    expect(target.wait(0, now)).toBe(0);
    expect(target.canStart(0, now)).toBe(false);
    target.serve();
    expect(came).toEqual(['first']);
    now += 1500;
    target.serve();
    expect(came).toEqual(['first', 'second']);
    expect(target.canStart(0, now)).toBe(true);
  });

  it('is not overtaken by smaller calls in the queue', () => {
    limit({ tokensPerMinute: 6000 });
    target.take(6000, now);
    enter('large', 3000);
    enter('small', 10);
    now += 10_000;
    target.serve();
    expect(came).toEqual([]);
    now += 20_000;
    target.serve();
    expect(came).toEqual(['large']);
    now += 1000;
    target.serve();
    expect(came).toEqual(['large', 'small']);
  });

  it('advances when a call ends, or when the first one leaves', () => {
    limit({ concurrentCalls: 1 });
    const reserved = target.take(0, now);
    const first = enter('first');
    enter('second');
    target.leave(first);
    reserved?.end(null);
    expect(came).toEqual(['second']);
    expect(target.waiting).toBe(0);
  });

  it('waits as long as the provider says, up to a minute', () => {
    expect(target.canStart(0, now)).toBe(true);
    target.readHeaders({ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '10m' });
    expect([target.canStart(0, now), target.isScarce(now), target.wait(0, now)]).toEqual([false, true, 60_000]);
    now += 60_000;
    expect([target.canStart(0, now), target.isScarce(now)]).toEqual([true, false]);
  });
});

const DATE = 'Mon, 23 Nov 2026 12:00:00 GMT';

describe("the limits in a provider's headers", () => {
  it.each<[string, UpstreamHeaders, number, number]>([
    [
      'requests, with a reset',
      { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6s' },
      6000,
      6000,
    ],
    [
      'requests, with a limit',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-limit-requests': '120',
        'x-ratelimit-reset-requests': '1m0s',
      },
      60_000,
      500,
    ],
    [
      'tokens, with a limit',
      {
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-limit-tokens': '150000',
        'x-ratelimit-reset-tokens': '30s',
        'x-ratelimit-remaining-requests': '12',
      },
      30_000,
      300,
    ],
    ['a reset of hours', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6h' }, 60_000, 60_000],
    ['no reset', { 'x-ratelimit-remaining-tokens': '0' }, 1000, 1000],
    [
      'the longer one of two',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '80ms',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '2.5s',
      },
      2500,
      2500,
    ],
    [
      'Anthropic’s requests',
      {
        date: DATE,
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-limit': '50',
        'anthropic-ratelimit-requests-reset': '2026-11-23T12:00:10Z',
      },
      10_000,
      200,
    ],
    [
      'Anthropic’s input tokens',
      {
        date: DATE,
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': '2026-11-23T12:00:03Z',
      },
      3000,
      3000,
    ],
  ])('are exhausted: %s', (_what, headers, reset, some) => {
    expect(usedUp(headers)).toEqual({ reset, some });
  });

  it.each<[string, UpstreamHeaders]>([
    ['none', {}],
    ['something left', { 'x-ratelimit-remaining-requests': '1', 'x-ratelimit-reset-requests': '6s' }],
    [
      'nothing that is a number',
      { 'x-ratelimit-remaining-requests': '', 'anthropic-ratelimit-tokens-remaining': '00' },
    ],
  ])('are not exhausted: %s', (_what, headers) => {
    expect(usedUp(headers)).toBeNull();
  });
});
