import { describe, expect, it } from '@jest/globals';
import { toPrice } from '../billing/price.js';
import { loadSettings } from '../config/settings.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import type { LiveTarget } from '../upstreams/targets/target.types.js';
import type { Model, ModelRights } from './model.types.js';
import { mayCall, obstacleTo } from './model-policy.js';

const [upstream] = loadSettings({}, PROVIDERS).upstreams.values();

function caller(tiers: string[], models: string[] | null = null, planModels: string[] = []): ModelRights {
  const plan = { id: 'plan', tiers: new Set(tiers), models: new Set(planModels) };
  return { plan, models: models && new Set(models) };
}

function model(tier: Model['tier'], served: 'live' | 'simulated' | 'not'): Model {
  const target: LiveTarget[] = upstream
    ? [
        {
          id: 'u/m',
          upstream,
          keyName: null,
          upstreamModel: 'm',
          allowed: null,
          priority: 1,
          weight: 1,
          reasonsWithoutTools: null,
        },
      ]
    : [];
  return {
    id: 'this-model',
    aliases: ['its-alias'],
    kind: 'chat',
    tier,
    displayName: '',
    description: '',
    ownedBy: '',
    created: 0,
    contextLength: 1,
    dimensions: null,
    maxInputTokens: null,
    maxOutputTokens: null,
    capabilities: null,
    inputModalities: ['text'],
    outputModalities: ['text'],
    price: toPrice({ inputUsdPerMTok: 0, outputUsdPerMTok: 0 }),
    hasPrice: true,
    providerFiles: false,
    usdPerMTok: { input: 0, cachedInput: 0, output: 0, cacheWrite5m: null, cacheWrite1h: null },
    targets: served === 'live' ? target : [],
    fallback: [],
    hedgeAfter: null,
    affinity: true,
    strategy: 'priority',
    simulated: served === 'simulated',
  };
}

describe('a model may be called', () => {
  it.each(['live', 'simulated'] as const)('when it is %s and its tier is in the plan', (served) => {
    expect(mayCall(caller(['free']), model('free', served))).toBe(true);
    expect(mayCall(caller(['free', 'pro']), model('pro', served))).toBe(true);
  });

  it('when the plan names it, in any tier', () => {
    expect(mayCall(caller([], null, ['this-model']), model('pro', 'live'))).toBe(true);
    expect(obstacleTo(caller(['free'], null, ['this-model']).plan, model('pro', 'not'))).toBe('no_credential');
    expect(mayCall(caller(['free'], null, ['other']), model('pro', 'live'))).toBe(false);
    expect(mayCall(caller([], ['other'], ['this-model']), model('pro', 'live'))).toBe(false);
  });

  it('when the key names it', () => {
    expect(mayCall(caller(['free'], ['other', 'this-model']), model('free', 'live'))).toBe(true);
  });

  it('when the plan and the key name it by an alias', () => {
    expect(mayCall(caller(['free'], ['its-alias']), model('free', 'live'))).toBe(true);
    expect(mayCall(caller([], ['this-model'], ['its-alias']), model('pro', 'live'))).toBe(true);
    expect(mayCall(caller(['free'], ['its-alias']), model('pro', 'live'))).toBe(false);
  });
});

describe('a model may not be called', () => {
  it('when it has no target', () => {
    expect(mayCall(caller(['free', 'pro']), model('free', 'not'))).toBe(false);
  });

  it('when its tier is not in the plan, even if the key names it', () => {
    expect(mayCall(caller(['free']), model('pro', 'live'))).toBe(false);
    expect(mayCall(caller(['free'], ['this-model']), model('pro', 'live'))).toBe(false);
    expect(mayCall(caller([]), model('free', 'live'))).toBe(false);
  });

  it('when the key names others, or none', () => {
    expect(mayCall(caller(['free', 'pro'], ['other']), model('free', 'live'))).toBe(false);
    expect(mayCall(caller(['free', 'pro'], []), model('free', 'live'))).toBe(false);
  });
});

describe('the reason against a model', () => {
  it('is the plan before the missing credential', () => {
    const { plan } = caller(['free']);
    expect(obstacleTo(plan, model('pro', 'not'))).toBe('plan');
    expect(obstacleTo(plan, model('free', 'not'))).toBe('no_credential');
    expect(obstacleTo(plan, model('free', 'simulated'))).toBeNull();
  });
});
