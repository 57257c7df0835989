import { describe, expect, it } from '@jest/globals';
import { createWorkFolder } from '../../test/support/test-settings.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import { SettingsError } from './config-file.js';
import { loadSettings } from './settings.js';

const MODEL = 'id: a, tier: free, displayName: A, description: D, targets: [{ upstream: openai, model: m }]';

/** The faults of a configuration, each as `key problem`. */
async function faultsOf(files: Record<string, string>, variables: Record<string, string> = {}): Promise<string[]> {
  const folder = await createWorkFolder(files);
  try {
    loadSettings({ ...folder.variables, ...variables }, PROVIDERS, folder.path);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.faults.map(({ model, key, problem }) => `${model === null ? '' : `${model}: `}${key} ${problem}`);
  } finally {
    await folder.remove();
  }
}

describe('a harmful value is reported with its key and range:', () => {
  it.each([
    ['server: { bodyLimit: 1b }', 'server.bodyLimit must be at least 1kb'],
    ['server: { bodyLimit: 2gb }', 'server.bodyLimit must be at most 1gb'],
    ['server: { keepAliveTimeout: 0 }', 'server.keepAliveTimeout must be at least 1s'],
    ['stream: { commitAfter: 1d }', 'stream.commitAfter must be at most 10m'],
    ['stream: { heartbeat: 0s }', 'stream.heartbeat must be at least 50ms'],
    ['stream: { heartbeat: 16s }', 'stream.heartbeat must be at most 15s'],
    ['retry: { attempts: 11 }', 'retry.attempts must be at most 10'],
    ['retry: { floor: 1000000 }', 'retry.floor must be at most 10000'],
    ['retry: { maxRetryAfter: 1d }', 'retry.maxRetryAfter must be at most 1h'],
    ['simulator: { tokensPerSecond: 0.001 }', 'simulator.tokensPerSecond must be at least 0.1'],
    ['auth: { cacheTtl: 0s }', 'auth.cacheTtl must be at least 1s'],
    ['auth: { cacheTtl: 20d }', 'auth.cacheTtl must be at most 1h'],
    ['auth: { cacheSize: 1 }', 'auth.cacheSize must be at least 100'],
    ['auth: { cacheSize: 1000000000 }', 'auth.cacheSize must be at most 10000000'],
    ['shutdown: { drainDelay: 1h }', 'shutdown.drainDelay must be at most 10m'],
    ['shutdown: { deadline: 20d }', 'shutdown.deadline must be at most 1h'],
    ['signIn: { sessionIdle: 0s }', 'signIn.sessionIdle must be at least 1m'],
    ['signIn: { sessionMax: 1ms }', 'signIn.sessionMax must be at least 1m'],
    ['signIn: { sessionIdle: 2d, sessionMax: 1d }', 'signIn.sessionMax must not be shorter than signIn.sessionIdle'],
    ['keyPolicy: { maxLifetime: 0d }', 'keyPolicy.maxLifetime must be at least 1h'],
    ['keyPolicy: { defaultLifetime: 0ms }', 'keyPolicy.defaultLifetime must be at least 1h'],
    ['keyPolicy: { defaultLifetime: 99999999d }', 'keyPolicy.defaultLifetime must be at most 3650d'],
    [
      'keyPolicy: { maxLifetime: 30d, defaultLifetime: 90d }',
      'keyPolicy.defaultLifetime must not be longer than keyPolicy.maxLifetime',
    ],
    ['keys: { perUser: 0 }', 'keys.perUser must be at least 1'],
    ['keys: { perUser: 1000001 }', 'keys.perUser must be at most 1000000'],
    ['usage: { retention: 1s }', 'usage.retention must be at least 1d'],
    ['usage: { retention: 999999999d }', 'usage.retention must be at most 36500d'],
    ['responses: { remember: 1m }', 'responses.remember must be at least 1h'],
    ['responses: { remember: on }', 'responses.remember must be a duration such as 90d or 12h'],
    ['responses: { maxPerOwner: 1kb }', 'responses.maxPerOwner must be at least 1mb'],
    ['routing: { consecutiveFailures: 0 }', 'routing.consecutiveFailures must be at least 1'],
    ['routing: { failurePercent: 101 }', 'routing.failurePercent must be at most 100'],
    ['routing: { minimumCalls: 0 }', 'routing.minimumCalls must be at least 1'],
    ['routing: { window: 1d }', 'routing.window must be at most 1h'],
    ['routing: { asideFor: 10m }', 'routing.asideAtMost must not be shorter than routing.asideFor'],
    ['whenDatabaseIsAway: { forAtMost: 0s }', 'whenDatabaseIsAway.forAtMost must be at least 1s'],
    ['whenDatabaseIsAway: { forAtMost: 2d }', 'whenDatabaseIsAway.forAtMost must be at most 24h'],
    ['whenDatabaseIsAway: { upToUsd: 0 }', 'whenDatabaseIsAway.upToUsd must be at least 0.01'],
    ['overload: { maxCalls: 0 }', 'overload.maxCalls must be at least 1'],
    ['overload: { maxLoopDelay: 1ms }', 'overload.maxLoopDelay must be at least 20ms'],
    ['overload: { maxBufferedBytes: 1kb }', 'overload.maxBufferedBytes must be at least 1mb'],
  ])('%s', async (text, fault) => {
    expect(await faultsOf({ 'gateway.yaml': text })).toEqual([fault]);
  });

  it.each([
    ['fallback: [b]', 'a: fallback[0] names no model of this file'],
    ['fallback: [a]', 'a: fallback[0] names the model itself'],
    ['aliases: ["a b"]', 'a: aliases[0] must be 1 to 100 letters, digits or . _ : / -'],
    ['aliases: [a]', "a: alias 'a' is the id of a model"],
    ['aliases: [x, x]', "a: alias 'x' is listed twice"],
    ['aliases: [x], fallback: [x]', 'a: fallback[0] names the model itself'],
    ['strategy: dearest', 'a: strategy must be one of priority, fastest, cheapest'],
    ['strategy: cheapest', 'a: targets[0].cost is required with strategy: cheapest'],
    ['affinity: sometimes', 'a: affinity must be one of on, off'],
    ['hedge: { after: p90 }', 'a: hedge.after must be p95 or a duration such as 2s'],
    ['hedge: { after: 1ms }', 'a: hedge.after must be p95 or a duration such as 2s'],
  ])('a harmful value is reported with its key and range of a model: %s', async (fields, fault) => {
    const model = `- { ${MODEL}, contextLength: 1, ${fields} }`;
    expect(await faultsOf({ 'models.yaml': model })).toEqual([fault]);
  });

  it.each([
    ['dimensions: 0, maxInputTokens: 1', ['a: dimensions must be at least 1']],
    ['', ['a: dimensions is required', 'a: maxInputTokens is required']],
    ['dimensions: 8, maxInputTokens: 1, maxOutputTokens: 1', ['a: maxOutputTokens is not a known key']],
    ['dimensions: 8, maxInputTokens: 1, price: { outputUsdPerMTok: 1 }', ['a: price.inputUsdPerMTok is required']],
  ])('a harmful value is reported with its key and range of a model that embeds: %s', async (fields, faults) => {
    expect(await faultsOf({ 'models.yaml': `- { ${MODEL}, kind: embedding, ${fields} }` })).toEqual(faults);
  });

  it('the kind of a model, which its fallbacks share', async () => {
    const wrong = `- { ${MODEL}, kind: image, contextLength: 1 }`;
    expect(await faultsOf({ 'models.yaml': wrong })).toEqual(['a: kind must be one of chat, embedding']);
    const chat = `- { ${MODEL}, contextLength: 1, fallback: [e] }`;
    const embedding = `- { ${MODEL.replace('id: a', 'id: e')}, kind: embedding, dimensions: 8, maxInputTokens: 1 }`;
    expect(await faultsOf({ 'models.yaml': `${chat}\n${embedding}` })).toEqual([
      'a: fallback[0] names a model of kind embedding',
    ]);
    expect(await faultsOf({ 'models.yaml': `- { ${MODEL}, contextLength: 1, dimensions: 8 }` })).toEqual([
      'a: dimensions is not a known key',
    ]);
  });

  it('names of models: each belongs to one of them', async () => {
    const model = (id: string, fields: string) =>
      `- { ${MODEL.replace('id: a', `id: ${id}`)}, contextLength: 1, ${fields} }`;
    const models = [
      model('first', 'aliases: [shared, last]'),
      model('second', 'aliases: [own, shared], fallback: [shared, own]'),
      model('last', 'fallback: [own]'),
    ].join('\n');
    expect(await faultsOf({ 'models.yaml': models })).toEqual([
      "first: alias 'last' is the id of a model",
      "second: alias 'shared' belongs to 'first'",
      'second: fallback[1] names the model itself',
    ]);
  });

  it('single sign-on', async () => {
    const oidc = 'signIn: { oidc: { issuer: "https://id.example.com", clientId: x, planLifetime: 0s } }';
    expect(await faultsOf({ 'gateway.yaml': oidc })).toContain('signIn.oidc.planLifetime must be at least 1h');
  });

  it.each(['connect', 'head', 'firstEvent', 'idle', 'total'])('the clock %s', async (clock) => {
    const upstreams = (value: string) =>
      `openai: { protocol: openai, baseUrl: "https://api.example.com", clocks: { ${clock}: ${value} } }`;
    const models = `- { ${MODEL}, contextLength: 1000 }`;
    const fault = (value: string) => faultsOf({ 'upstreams.yaml': upstreams(value), 'models.yaml': models });
    expect(await fault('0')).toEqual([`openai.clocks.${clock} must be at least 50ms`]);
    expect(await fault('5ms')).toEqual([`openai.clocks.${clock} must be at least 50ms`]);
    expect(await fault('2d')).toEqual([`openai.clocks.${clock} must be at most 24h`]);
    expect(await fault('30s')).toEqual([]);
  });

  it('a configured clock may not be longer than the whole call, but a default may', async () => {
    const upstream = (clocks: string) => ({
      'upstreams.yaml': `openai: { protocol: openai, baseUrl: "https://api.example.com", clocks: { ${clocks} } }`,
      'models.yaml': `- { ${MODEL}, contextLength: 1000 }`,
    });
    expect(await faultsOf(upstream('firstEvent: 3m, idle: 1m, total: 1m'))).toEqual([
      'openai.clocks.firstEvent must not be longer than openai.clocks.total',
    ]);
    expect(await faultsOf(upstream('total: 10s'))).toEqual([]);
    expect(await faultsOf({ 'gateway.yaml': 'keyPolicy: { maxLifetime: 30d }' })).toEqual([]);
  });

  it('the address of an upstream with more than an address', async () => {
    const problem = 'must not contain a user, password, query or fragment; set the key as NAME_API_KEY';
    const models = `- { ${MODEL}, contextLength: 1000 }`;
    for (const url of ['https://me:secret@a.example/v1', 'https://a.example/v1?key=secret', 'https://a.example/#x']) {
      const upstreams = `openai: { protocol: openai, baseUrl: "${url}" }`;
      const faults = await faultsOf({ 'upstreams.yaml': upstreams, 'models.yaml': models });
      expect(faults).toEqual([`openai.baseUrl ${problem}`]);
      expect(await faultsOf({}, { OPENAI_BASE_URL: url })).toEqual([`OPENAI_BASE_URL ${problem}`]);
    }
  });

  it('an invalid key of a file', async () => {
    const upstreams = '__proto__: { protocol: openai }\nopenai: { protocol: openai, baseUrl: "https://a.example" }';
    const models = `- { ${MODEL}, contextLength: 1000 }`;
    const faults = await faultsOf({ 'upstreams.yaml': upstreams, 'models.yaml': models });
    expect(faults).toEqual(['__proto__ is not a known key']);
  });

  it('numbers of the catalog', async () => {
    const models = `- { ${MODEL.replace('m }', 'm, priority: 5000, weight: 1e300 }')}, contextLength: 1000000001,
      maxOutputTokens: 0, created: 1e15, price: { inputUsdPerMTok: 1e9, outputUsdPerMTok: .inf } }`;
    const upstreams = 'openai: { protocol: openai, baseUrl: "https://api.example.com" }';
    const faults = await faultsOf({ 'models.yaml': models, 'upstreams.yaml': upstreams });
    expect(faults.map((fault) => fault.split(' ')[1])).toEqual([
      'contextLength',
      'maxOutputTokens',
      'price.inputUsdPerMTok',
      'price.outputUsdPerMTok',
      'created',
      'targets[0].priority',
      'targets[0].weight',
    ]);
  });
});
