import { describe, expect, it } from '@jest/globals';
import { createWorkFolder } from '../../test/support/test-settings.js';
import type { Caller } from '../auth/caller.types.js';
import { toPrice } from '../billing/price.js';
import { UNKNOWN_TRAITS } from '../config/models.settings.js';
import { loadSettings } from '../config/settings.js';
import { MetricsService } from '../telemetry/metrics.service.js';
import { UpstreamClient } from '../upstreams/client/upstream.client.js';
import { CloudCredentialsService } from '../upstreams/cloud-credentials.service.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import type { LiveTarget } from '../upstreams/target.types.js';
import { TargetHealthService } from '../upstreams/target-health.service.js';
import { UpstreamAccesses } from '../upstreams/upstream-access.js';
import { UpstreamStatusService } from '../upstreams/upstream-status.service.js';
import { CatalogService, inOrder, mayCall, obstacleTo } from './catalog.service.js';
import type { Model, ModelRights } from './model.types.js';

const pro: Caller = {
  keyId: 'k',
  keyDisplay: 'svc_k',
  userId: 'u',
  plan: { id: 'pro', tiers: new Set(['free', 'pro']), models: new Set() },
  models: null,
  logsContent: false,
  guards: [],
  cacheSeconds: null,
  project: null,
  limits: [],
};
const MODELS = `
- { id: by-openai, tier: free, displayName: A, description: A, contextLength: 1, targets: [{ upstream: openai, model: a }] }
- { id: by-groq, tier: free, displayName: B, description: B, contextLength: 1, targets: [{ upstream: groq, model: b }] }
- { id: by-both, tier: free, displayName: C, description: C, contextLength: 1, targets: [
    { upstream: groq, model: c, priority: 2 }, { upstream: openai, model: c, priority: 1 }] }
- { id: by-house, tier: pro, displayName: D, description: D, contextLength: 1, targets: [{ upstream: house, model: d }] }
- { id: by-nobody, tier: pro, displayName: E, description: E, contextLength: 1, targets: [{ upstream: strange, model: e }] }
`;
const UPSTREAMS = `
openai: { protocol: openai, baseUrl: "https://openai.example/v1" }
groq: { protocol: groq, baseUrl: "https://groq.example/openai/v1" }
strange: { protocol: vllm, baseUrl: "https://strange.example", auth: none }
`;

/** A model as a pro member may call it: its upstreams in order, or `simulated`. */
async function callable(variables: Record<string, string>, houseAuth = 'none'): Promise<Record<string, string>> {
  const house = `house: { protocol: openai, baseUrl: "http://10.0.0.7/v1"${houseAuth && `, auth: ${houseAuth}`} }`;
  const folder = await createWorkFolder({ 'models.yaml': MODELS, 'upstreams.yaml': UPSTREAMS + house });
  const settings = loadSettings(variables, PROVIDERS, folder.path);
  await folder.remove();
  const health = new TargetHealthService(settings, new MetricsService());
  const clouds = new CloudCredentialsService(health, settings);
  const accesses = new UpstreamAccesses(new UpstreamClient({}), clouds);
  // As if one known protocol had no adapter.
  const find = accesses.find.bind(accesses);
  accesses.find = (upstream) => (upstream.protocol === 'vllm' ? null : find(upstream));
  const models = new CatalogService(settings, new UpstreamStatusService(accesses, clouds, settings)).list(pro);
  return Object.fromEntries(
    models.map(({ id, simulated, targets }) => [
      id,
      simulated ? 'simulated' : targets.map(({ upstream }) => upstream.name).join(' then '),
    ]),
  );
}

const house = { 'by-house': 'house' };
const openai = { OPENAI_API_KEY: 'sk' };
const live = { 'by-openai': 'openai', 'by-both': 'openai' };
const everything = ['by-openai', 'by-groq', 'by-both', 'by-house', 'by-nobody'];
const simulated = Object.fromEntries(everything.map((id) => [id, 'simulated']));

describe('targets of a model', () => {
  it('are all upstreams with an adapter and a key, by priority', async () => {
    const both = { ...openai, GROQ_API_KEY: 'gsk' };
    expect(await callable({ SIMULATOR: 'off', ...both })).toEqual({
      'by-openai': 'openai',
      'by-groq': 'groq',
      'by-both': 'openai then groq',
      ...house,
    });
  });

  it('include an upstream whose entry needs no key, and no other without a key', async () => {
    expect(await callable({ SIMULATOR: 'off' })).toEqual(house);
    expect(await callable({ SIMULATOR: 'off' }, '')).toEqual({});
    expect(await callable({ SIMULATOR: 'off', HOUSE_API_KEY: 'sk' }, '')).toEqual(house);
  });

  it('exclude a protocol without an adapter, which is not an error', async () => {
    expect(await callable({ SIMULATOR: 'off', STRANGE_API_KEY: 'sk', ...openai })).toEqual({ ...live, ...house });
  });
});

describe('the simulator', () => {
  it('the simulator on: answers for every model without a live upstream, and for no other', async () => {
    expect(await callable({ SIMULATOR: 'on' }, '')).toEqual(simulated);
    expect(await callable({ SIMULATOR: 'on', ...openai })).toEqual({ ...simulated, ...live, ...house });
  });

  it('auto: answers for all models while none is live, and then for none', async () => {
    expect(await callable({ SIMULATOR: 'auto' }, '')).toEqual(simulated);
    expect(await callable({}, '')).toEqual(simulated);
    expect(await callable({ SIMULATOR: 'auto', ...openai }, '')).toEqual(live);
    expect(await callable({ SIMULATOR: 'auto' })).toEqual(house);
  });

  it('off: answers for no model', async () => {
    expect(await callable({ SIMULATOR: 'off' }, '')).toEqual({});
    expect(await callable({ SIMULATOR: 'off', ...openai }, '')).toEqual(live);
  });
});

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
          traits: UNKNOWN_TRAITS,
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
    tokenFactor: 1,
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
    usdPerMTok: { input: 0, cachedInput: 0, output: 0, cacheWrites: {}, above: [] },
    priceUntil: null,
    deprecated: null,
    replacedBy: null,
    endHeaders: null,
    targets: served === 'live' ? target : [],
    fallback: [],
    guards: [],
    cache: null,
    hedgeAfter: null,
    affinity: true,
    strategy: 'priority',
    simulated: served === 'simulated',
  };
}

describe('a model may be called', () => {
  it.each(['live', 'simulated'] as const)(
    'a model may be called when it is %s and its tier is in the plan',
    (served) => {
      expect(mayCall(caller(['free']), model('free', served))).toBe(true);
      expect(mayCall(caller(['free', 'pro']), model('pro', served))).toBe(true);
    },
  );

  it('a model may be called when the plan names it, in any tier', () => {
    expect(mayCall(caller([], null, ['this-model']), model('pro', 'live'))).toBe(true);
    expect(obstacleTo(caller(['free'], null, ['this-model']).plan, model('pro', 'not'))).toBe('no_credential');
    expect(mayCall(caller(['free'], null, ['other']), model('pro', 'live'))).toBe(false);
    expect(mayCall(caller([], ['other'], ['this-model']), model('pro', 'live'))).toBe(false);
  });

  it('a model may be called when the key names it', () => {
    expect(mayCall(caller(['free'], ['other', 'this-model']), model('free', 'live'))).toBe(true);
  });

  it('a model may be called when the plan and the key name it by an alias', () => {
    expect(mayCall(caller(['free'], ['its-alias']), model('free', 'live'))).toBe(true);
    expect(mayCall(caller([], ['this-model'], ['its-alias']), model('pro', 'live'))).toBe(true);
    expect(mayCall(caller(['free'], ['its-alias']), model('pro', 'live'))).toBe(false);
  });
});

describe('a model may not be called', () => {
  it('a model may not be called when it has no target', () => {
    expect(mayCall(caller(['free', 'pro']), model('free', 'not'))).toBe(false);
  });

  it('a model may not be called when its tier is not in the plan, even if the key names it', () => {
    expect(mayCall(caller(['free']), model('pro', 'live'))).toBe(false);
    expect(mayCall(caller(['free'], ['this-model']), model('pro', 'live'))).toBe(false);
    expect(mayCall(caller([]), model('free', 'live'))).toBe(false);
  });

  it('a model may not be called when the key names others, or none', () => {
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

const target = (upstream: string, priority: number, input: number, output: number) => ({
  upstream,
  model: 'm',
  priority,
  weight: 1,
  reasonsWithoutTools: null,
  traits: UNKNOWN_TRAITS,
  cost: { inputUsdPerMTok: input, outputUsdPerMTok: output },
});
const targets = [target('a', 1, 2, 1), target('b', 2, 1, 3), target('c', 1, 1, 3), target('d', 1, 1, 3)];
const shown = (strategy: 'priority' | 'fastest' | 'cheapest') =>
  inOrder({ strategy, targets }).map(({ upstream, priority }) => `${upstream} ${priority}`);

it('cheapest: orders targets by cost, then by priority', () => {
  expect(shown('cheapest')).toEqual(['c 1', 'd 1', 'b 2', 'a 3']);
});

it("other strategies: order targets by the file's priorities", () => {
  expect(shown('priority')).toEqual(['a 1', 'c 1', 'd 1', 'b 2']);
});
