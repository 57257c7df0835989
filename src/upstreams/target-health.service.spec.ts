import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { loadSettings } from '../config/settings.js';
import { MetricsService } from '../telemetry/metrics.service.js';
import type { UpstreamFailure } from './contract/upstream.error.js';
import { targetIdOf } from './live-targets.js';
import { PROVIDERS } from './providers/providers.js';
import type { HealthNews, LiveTarget } from './target.types.js';
import type { HealthChange } from './target-health.service.js';
import { TargetHealthService } from './target-health.service.js';

const target = (name: string, upstreamModel = 'm', keyName: string | null = null) => {
  const id = targetIdOf(name, upstreamModel, keyName);
  return { id, upstream: { name, keyName }, keyName, upstreamModel } as LiveTarget;
};
const a = target('a');

describe('a target', () => {
  let now: number;
  let health: TargetHealthService;
  let changes: HealthChange[];
  let ownNews: HealthNews[];

  beforeEach(() => {
    now = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    for (const level of ['log', 'warn', 'error'] as const)
      jest.spyOn(Logger.prototype, level).mockReturnValue(undefined);
    health = new TargetHealthService(loadSettings({}, PROVIDERS), new MetricsService());
    changes = [];
    health.changes.subscribe((change) => changes.push(change));
    ownNews = [];
    health.news.subscribe((news) => ownNews.push(news));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const standing = (of = a) => health.stateOf(of).standing(now);
  const begin = (of = a) => ({ state: health.stateOf(of), attempt: health.stateOf(of).begin(now) });

  function attempts(count: number, failure: UpstreamFailure | null | undefined, of = a): void {
    for (let i = 0; i < count; i++) {
      const { state, attempt } = begin(of);
      health.ended(state, attempt, failure);
    }
  }

  it.each<[string, UpstreamFailure]>([
    ['no connection', { status: 0 }],
    ['500', { status: 500 }],
    ['529', { status: 529 }],
  ])('is set aside after five failures in a row: %s', (_what, failure) => {
    attempts(4, failure);
    expect(standing()).toBe('free');
    attempts(1, failure);
    expect(standing()).toBe('failing');
    expect(changes).toEqual([{ kind: 'aside', upstream: 'a', key: null, model: 'm', reason: 'failing' }]);
    expect(ownNews.at(-1)?.forMs).toBe(10_000);
  });

  it.each<[string, UpstreamFailure | null | undefined]>([
    ['an answer', null],
    ['a refused request', { status: 400 }],
    ['a request that is too large', { status: 413 }],
    ['a request that cannot be processed', { status: 422 }],
    ['an answer that its model wrote wrongly', { status: 502, answerRefused: true }],
  ])('restarts counting after %s', (_what, end) => {
    attempts(4, { status: 500 });
    attempts(1, end);
    attempts(4, { status: 500 });
    expect(standing()).toBe('free');
  });

  it.each<[string, UpstreamFailure | undefined]>([
    ['404', { status: 404 }],
    ['408', { status: 408 }],
    ['a client that disconnected', undefined],
  ])('counts neither a failure nor a success for %s', (_what, end) => {
    attempts(100, end);
    expect(standing()).toBe('free');
    attempts(4, { status: 500 });
    attempts(1, end);
    attempts(1, { status: 500 });
    expect(standing()).toBe('failing');
  });

  it('is set aside if half of twenty calls in thirty seconds failed, ignoring older calls', () => {
    const pairs = (count: number) => {
      for (let i = 0; i < count; i++) {
        attempts(1, null);
        attempts(1, { status: 500 });
      }
    };
    pairs(9);
    expect(standing()).toBe('free');
    now += 33_000;
    pairs(9);
    attempts(1, null);
    expect(standing()).toBe('free');
    attempts(1, { status: 500 });
    expect(standing()).toBe('failing');
  });

  it('is probed by one call after its time, and freed by its success', () => {
    attempts(5, { status: 500 });
    now += 9_999;
    expect(standing()).toBe('failing');
    now += 1;
    expect(standing()).toBe('probe');
    const { state, attempt } = begin();
    expect(standing()).toBe('failing');
    health.ended(state, attempt, null);
    expect(standing()).toBe('free');
    expect(changes.map(({ kind }) => kind)).toEqual(['aside', 'back']);
    attempts(4, { status: 500 });
    expect(standing()).toBe('free');
  });

  it('is freed by the first chunk of a probe', () => {
    attempts(5, { status: 500 });
    now += 10_000;
    const { state, attempt } = begin();
    health.answered(state, attempt);
    expect(standing()).toBe('free');
    health.ended(state, attempt, null);
    expect(changes).toHaveLength(2);
  });

  it('is probed again if the probe was inconclusive', () => {
    attempts(5, { status: 500 });
    now += 10_000;
    attempts(1, undefined);
    expect(standing()).toBe('probe');
  });

  it('is set aside twice as long after each failed probe, up to five minutes', () => {
    attempts(5, { status: 500 });
    for (const seconds of [20, 40, 80, 160, 300, 300]) {
      now += ownNews.at(-1)?.forMs ?? 0;
      attempts(1, { status: 500 });
      expect(ownNews.at(-1)?.forMs).toBe(seconds * 1000);
    }
    now += 300_000;
    attempts(1, null);
    attempts(5, { status: 500 });
    expect(ownNews.at(-1)?.forMs).toBe(10_000);
  });

  it('a target that is used while set aside is not set aside longer for a failure, and is freed by a success', () => {
    const before = begin();
    attempts(5, { status: 500 });
    now += 5_000;
    attempts(10, { status: 500 });
    expect(health.list()).toMatchObject([{ standing: 'failing', asideForMs: 5_000 }]);
    health.ended(before.state, before.attempt, null);
    expect(standing()).toBe('failing');
    attempts(1, null);
    expect(standing()).toBe('free');
  });

  it.each([
    ['its Retry-After', 7_000, 7_000],
    ['a second without Retry-After', undefined, 1_000],
    ['at most a minute', 3_600_000, 60_000],
  ])('is limited by a 429 for %s, which is not a failure', (_what, retryAfterMs, expected) => {
    attempts(10, { status: 429, retryAfterMs });
    expect(standing()).toBe('limited');
    now += expected - 1;
    expect(standing()).toBe('limited');
    now += 1;
    expect(standing()).toBe('free');
    expect(changes).toEqual([]);
  });

  it.each<[string, UpstreamFailure]>([
    ['401', { status: 401 }],
    ['402', { status: 402 }],
    ['403', { status: 403 }],
    ['a spent quota', { status: 429, quotaSpent: true }],
    ['a refused credential', { status: 400, credentialRefused: true }],
  ])('is set aside with its whole upstream for a minute by %s, reported once', (_what, failure) => {
    attempts(3, failure);
    const [other, elsewhere] = [target('a', 'other'), target('b')];
    expect([standing(), standing(other), standing(elsewhere)]).toEqual(['refused', 'refused', 'free']);
    expect(changes).toEqual([{ kind: 'aside', upstream: 'a', key: null, model: null, reason: 'refused' }]);
    expect(ownNews.at(-1)?.forMs).toBe(60_000);
    now += 60_000;
    expect([standing(), standing(other)]).toEqual(['free', 'free']);
  });

  it.each<[string, UpstreamFailure]>([
    ['401', { status: 401 }],
    ['a spent quota', { status: 429, quotaSpent: true }],
  ])('a target with one of several keys is set aside alone, with all its models, by %s', (_what, failure) => {
    const [first, second] = [target('a', 'm', '1'), target('a', 'm', '2')];
    attempts(2, failure, second);
    expect([standing(first), standing(second)]).toEqual(['free', 'refused']);
    expect([standing(target('a', 'other', '1')), standing(target('a', 'other', '2'))]).toEqual(['free', 'refused']);
    expect(changes).toEqual([{ kind: 'aside', upstream: 'a', key: '2', model: null, reason: 'refused' }]);
    expect(ownNews.at(-1)?.forMs).toBe(60_000);
    expect(health.list()).toContainEqual(expect.objectContaining({ upstream: 'a', key: '2', standing: 'refused' }));
  });

  it('is limited or failing for its own key only', () => {
    const [first, second, third] = ['1', '2', '3'].map((key) => target('a', 'm', key));
    attempts(1, { status: 429 }, first);
    attempts(5, { status: 500 }, second);
    expect([standing(first), standing(second), standing(third)]).toEqual(['limited', 'failing', 'free']);
  });

  it('is set aside with its whole upstream, for all keys, by an untrusted certificate', () => {
    attempts(1, { status: 0, certificateRefused: true }, target('a', 'm', '1'));
    expect([standing(), standing(target('a', 'other')), standing(target('a', 'm', '2'))]).toEqual(
      Array(3).fill('refused'),
    );
    expect(changes).toEqual([{ kind: 'aside', upstream: 'a', key: null, model: null, reason: 'certificate' }]);
    expect(ownNews.at(-1)?.forMs).toBe(60_000);
  });

  it('is shared by all models that use it', () => {
    attempts(3, { status: 500 });
    attempts(2, { status: 500 }, target('a'));
    expect(standing(target('a'))).toBe('failing');
    expect(standing(target('a', 'other'))).toBe('free');
  });

  describe('with news from another process', () => {
    const by = { host: 'other', process: 7 };
    const news = { kind: 'failing', upstream: 'openai', key: null, model: 'm', forMs: 10_000, times: 1 } as const;
    const own = target('openai');

    it('is set aside for the same time, and freed at the same time', () => {
      health.takeOver(news, by);
      expect(standing(own)).toBe('failing');
      expect(health.list()).toMatchObject([{ upstream: 'openai', asideBy: by, asideForMs: 10_000 }]);
      expect(changes).toEqual([]);
      now += 10_001;
      expect(standing(own)).toBe('probe');
      health.takeOver({ ...news, kind: 'back' }, by);
      expect(standing(own)).toBe('free');
    });

    it('counts once if both processes noticed the same failure', () => {
      attempts(5, { status: 503 }, own);
      health.takeOver(news, by);
      now += 10_001;
      const { state, attempt } = begin(own);
      expect(attempt.isProbe).toBe(true);
      now += 1;
      health.takeOver({ ...news, forMs: 20_000, times: 2 }, by);
      health.ended(state, attempt, { status: 503 });
      expect(state.timesAside).toBe(2);
      expect(standing(own)).toBe('failing');
    });

    it('is limited or refused for the reported time', () => {
      health.takeOver({ ...news, kind: 'limited', forMs: 3000 }, by);
      expect(standing(own)).toBe('limited');
      health.takeOver({ ...news, kind: 'refused', model: null, forMs: 60_000 }, by);
      expect([standing(own), standing(target('openai', 'other'))]).toEqual(['refused', 'refused']);
      expect(health.list()[0]?.asideBy).toEqual(by);
      now += 60_001;
      expect(standing(own)).toBe('free');
    });

    it('ignores news about unknown upstreams', () => {
      health.takeOver({ ...news, upstream: 'nobody' }, by);
      expect(health.list()).toEqual([]);
    });
  });

  it('reports its own changes to other processes, and each limit once', () => {
    const reported: string[] = [];
    health.news.subscribe(({ kind, model, forMs, times }) => reported.push(`${kind} ${model} ${forMs} ${times}`));
    attempts(3, { status: 429, retryAfterMs: 5000 });
    attempts(5, { status: 503 });
    now += 10_001;
    attempts(1, null);
    attempts(2, { status: 401 });
    expect(reported).toEqual(['limited m 5000 0', 'failing m 10000 1', 'back m 0 0', 'refused null 60000 1']);
  });
});
