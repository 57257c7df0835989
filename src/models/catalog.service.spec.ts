import { describe, expect, it } from '@jest/globals';
import { createWorkFolder } from '../../test/support/test-settings.js';
import type { Caller } from '../auth/caller.types.js';
import { loadSettings } from '../config/settings.js';
import { UpstreamAccesses } from '../upstreams/attempt/upstream-access.js';
import { UpstreamClient } from '../upstreams/client/upstream.client.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import { UpstreamStatusService } from '../upstreams/status/upstream-status.service.js';
import { CatalogService } from './catalog.service.js';

const pro: Caller = {
  keyId: 'k',
  keyDisplay: 'svc_k',
  userId: 'u',
  plan: { id: 'pro', tiers: new Set(['free', 'pro']), models: new Set() },
  models: null,
  logsContent: false,
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
  const accesses = new UpstreamAccesses(new UpstreamClient({}));
  // As if one known protocol had no adapter.
  const find = accesses.find.bind(accesses);
  accesses.find = (upstream) => (upstream.protocol === 'vllm' ? null : find(upstream));
  const models = new CatalogService(settings, new UpstreamStatusService(accesses, settings)).list(pro);
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
  it('on: answers for every model without a live upstream, and for no other', async () => {
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
