import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import { KEY_DESCRIPTIONS } from './gateway-descriptions.js';
import type { ModelSettings } from './models.settings.js';
import { loadSettings } from './settings.js';

const root = resolve(import.meta.dirname, '../..');
const shipped = loadSettings({}, PROVIDERS, root);
const folder = mkdtempSync(join(tmpdir(), 'gateway-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DAY = 86_400_000;

/** id, tier, name, upstream, upstream's name, context, output limit, image, tools, reasoning, input and output price. */
const CATALOG: [string, string, string, string, string, number, number, boolean, boolean, boolean, number, number][] = [
  ['gpt-5.6-sol', 'pro', 'GPT-5.6 Sol', 'openai', 'gpt-5.6-sol', 1050000, 128000, true, true, true, 5.0, 30.0],
  ['gpt-5.6-terra', 'pro', 'GPT-5.6 Terra', 'openai', 'gpt-5.6-terra', 1050000, 128000, true, true, true, 2.0, 12.0],
  ['gpt-5.4-nano', 'free', 'GPT-5.4 nano', 'openai', 'gpt-5.4-nano', 400000, 128000, true, true, true, 0.2, 1.25],
  ['claude-opus-5', 'pro', 'Claude Opus 5', 'anthropic', 'claude-opus-5', 1000000, 128000, true, true, true, 5.0, 25.0],
  [
    'claude-sonnet-5',
    'pro',
    'Claude Sonnet 5',
    'anthropic',
    'claude-sonnet-5',
    1000000,
    128000,
    true,
    true,
    true,
    3.0,
    15.0,
  ],
  [
    'claude-haiku-4.5',
    'pro',
    'Claude Haiku 4.5',
    'anthropic',
    'claude-haiku-4-5',
    200000,
    64000,
    true,
    true,
    true,
    1.0,
    5.0,
  ],
  [
    'gemini-3.1-pro',
    'pro',
    'Gemini 3.1 Pro (preview)',
    'gemini',
    'gemini-3.1-pro-preview',
    1048576,
    65536,
    true,
    true,
    true,
    2.0,
    12.0,
  ],
  [
    'gemini-3.6-flash',
    'pro',
    'Gemini 3.6 Flash',
    'gemini',
    'gemini-3.6-flash',
    1048576,
    65536,
    true,
    true,
    true,
    1.5,
    7.5,
  ],
  [
    'gemini-3.1-flash-lite',
    'free',
    'Gemini 3.1 Flash-Lite',
    'gemini',
    'gemini-3.1-flash-lite',
    1048576,
    65536,
    true,
    true,
    true,
    0.25,
    1.5,
  ],
  [
    'mistral-medium-3.5',
    'pro',
    'Mistral Medium 3.5',
    'mistral',
    'mistral-medium-2604',
    262144,
    262144,
    true,
    true,
    true,
    1.5,
    7.5,
  ],
  [
    'mistral-small-4',
    'free',
    'Mistral Small 4',
    'mistral',
    'mistral-small-2603',
    256000,
    256000,
    true,
    true,
    true,
    0.15,
    0.6,
  ],
  [
    'deepseek-v4-flash',
    'free',
    'DeepSeek V4 Flash',
    'deepseek',
    'deepseek-v4-flash',
    1000000,
    384000,
    false,
    true,
    true,
    0.14,
    0.28,
  ],
  ['grok-4.3', 'pro', 'Grok 4.3', 'xai', 'grok-4.3', 1000000, 30000, true, true, true, 1.25, 2.5],
  [
    'llama-3.3-70b',
    'free',
    'Llama 3.3 70B',
    'groq',
    'llama-3.3-70b-versatile',
    131072,
    32768,
    false,
    true,
    false,
    0.59,
    0.79,
  ],
  ['gpt-oss-120b', 'free', 'GPT-OSS 120B', 'groq', 'openai/gpt-oss-120b', 131072, 65536, false, true, true, 0.15, 0.6],
  [
    'command-a-plus',
    'pro',
    'Command A+',
    'cohere',
    'command-a-plus-05-2026',
    128000,
    64000,
    true,
    true,
    true,
    2.5,
    10.0,
  ],
  [
    'nova-lite',
    'free',
    'Amazon Nova Lite',
    'bedrock',
    'amazon.nova-lite-v1:0',
    300000,
    8192,
    true,
    true,
    false,
    0.06,
    0.24,
  ],
];

const DESCRIPTIONS: Record<string, string> = {
  'gpt-5.6-sol': "OpenAI's flagship for agentic coding and hard multi-step work.",
  'gpt-5.6-terra': 'Balanced GPT-5.6 for everyday production traffic.',
  'gpt-5.4-nano': 'Small, fast OpenAI model for classification, extraction and routing.',
  'claude-opus-5': "Anthropic's top Opus for deep reasoning and long agent runs.",
  'claude-sonnet-5': 'Strong agentic and coding model at a mid price.',
  'claude-haiku-4.5': 'Fast Claude for chat, tools and high volume.',
  'gemini-3.1-pro': "Google's deep-reasoning multimodal model.",
  'gemini-3.6-flash': 'Agentic Flash model close to Pro quality.',
  'gemini-3.1-flash-lite': 'Cheapest million-token multimodal Gemini.',
  'mistral-medium-3.5': "Mistral's open-weight frontier model with vision.",
  'mistral-small-4': 'Open-weight small model with vision and optional reasoning.',
  'deepseek-v4-flash': 'Very cheap open-weight model with a million-token context.',
  'grok-4.3': "xAI's million-token workhorse with vision.",
  'llama-3.3-70b': "Meta's open 70B served at very high speed by Groq.",
  'gpt-oss-120b': "OpenAI's open-weight reasoning model on Groq.",
  'command-a-plus': "Cohere's enterprise model for grounded, cited answers and tools.",
  'nova-lite': 'Very cheap multimodal model on AWS Bedrock.',
};

function toRow({ price, capabilities, targets, ...model }: ModelSettings) {
  const [target] = targets;
  const can = (what: 'image_input' | 'tools' | 'reasoning') => capabilities?.includes(what);
  return [
    ...[model.id, model.tier, model.displayName, target?.upstream, target?.model],
    ...[model.contextLength, model.maxOutputTokens, can('image_input'), can('tools'), can('reasoning')],
    ...[price.inputUsdPerMTok, price.outputUsdPerMTok],
  ];
}

describe('the shipped configuration', () => {
  it('has the 17 models with their facts, 7 of them free', () => {
    expect(shipped.models.map(toRow)).toEqual(CATALOG);
    expect(shipped.models.filter(({ tier }) => tier === 'free')).toHaveLength(7);
    expect(Object.fromEntries(shipped.models.map(({ id, description }) => [id, description]))).toEqual(DESCRIPTIONS);
  });

  it('gives each model one target, with nine upstreams in all', () => {
    expect(shipped.models.every(({ targets }) => targets.length === 1)).toBe(true);
    const used = new Set(shipped.models.flatMap(({ targets }) => targets.map(({ upstream }) => upstream)));
    expect([...used].sort()).toEqual([...shipped.upstreams.keys()].sort());
    expect(used.size).toBe(9);
  });

  it('uses the public addresses of the upstreams, over TLS, without credentials', () => {
    expect(Object.fromEntries([...shipped.upstreams].map(([name, { baseUrl }]) => [name, baseUrl]))).toEqual({
      openai: 'https://api.openai.com/v1',
      anthropic: 'https://api.anthropic.com',
      gemini: 'https://generativelanguage.googleapis.com',
      mistral: 'https://api.mistral.ai',
      deepseek: 'https://api.deepseek.com',
      xai: 'https://api.x.ai/v1',
      groq: 'https://api.groq.com',
      cohere: 'https://api.cohere.com',
      bedrock: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    });
    expect([...shipped.upstreams.values()].every(({ apiKey, auth }) => apiKey === null && auth === undefined)).toBe(
      true,
    );
  });

  it('leaves all settings at their documented defaults', () => {
    expect(shipped).toMatchObject({
      server: {
        bodyLimit: 32 * 1024 ** 2,
        keepAliveTimeout: 75_000,
        trustProxy: [],
        corsOrigins: [],
        modelsFormat: 'array',
        listAliases: false,
        listen: 'ready',
      },
      stream: { commitAfter: 15_000, heartbeat: 15_000 },
      retry: { attempts: 3, budgetPercent: 20, floor: 3, maxRetryAfter: 20_000, retryWithoutRefusedParameters: true },
      simulator: { mode: 'auto', tokensPerSecond: 50 },
      auth: { cacheTtl: 30_000, cacheSize: 100_000 },
      shutdown: { drainDelay: 2000, deadline: 30_000 },
      unsupported: 'reject',
      signIn: { local: true, oidc: null, sessionIdle: DAY / 2, sessionMax: 7 * DAY },
      keyPolicy: { maxLifetime: null, defaultLifetime: 90 * DAY },
      usage: { retention: 400 * DAY },
      payments: { prices: {} },
      idempotency: { retention: DAY, maxAnswer: 1024 ** 2 },
      metrics: { allow: [] },
      overload: { maxBufferedBytes: 256 * 1024 ** 2 },
    });
  });

  it('shows each default in a correct comment', () => {
    cpSync(join(root, 'config'), join(folder, 'config'), { recursive: true });
    const file = join(folder, 'config/gateway.yaml');
    const commented = readFileSync(file, 'utf8').replace(/^( *)# (\w+: )/gm, '$1$2');
    const ofSingleSignOn = /^signIn\.oidc\./;
    const keys = Object.keys(KEY_DESCRIPTIONS).filter((key) => !ofSingleSignOn.test(key));
    expect(commented.match(/^ *\w+: /gm)).toHaveLength(keys.length);
    writeFileSync(file, commented);
    const { configDir: _, dataDir: __, origins: ___, ...settings } = loadSettings({}, PROVIDERS, folder);
    expect(shipped).toMatchObject(settings);
  });
});
