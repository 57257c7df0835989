import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import { KEY_DESCRIPTIONS } from './descriptions.js';
import type { ModelSettings } from './models.settings.js';
import { loadSettings } from './settings.js';

const root = resolve(import.meta.dirname, '../..');
const shipped = loadSettings({}, PROVIDERS, root);
const folder = mkdtempSync(join(tmpdir(), 'gateway-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DAY = 86_400_000;

/** id, tier, name, upstream, upstream's name, context, output limit, image, tools, reasoning, input and output price. */
const CATALOG: [string, string, string, string, string, number, number, boolean, boolean, boolean, number, number][] = [
  ['gpt-6.1-sol', 'pro', 'GPT-6.1 Sol', 'openai', 'gpt-6.1-sol', 1050000, 128000, true, true, true, 2.0, 10.0],
  ['gpt-6.1-terra', 'pro', 'GPT-6.1 Terra', 'openai', 'gpt-6.1-terra', 1050000, 128000, true, true, true, 1.0, 5.0],
  ['gpt-6-luna', 'free', 'GPT-6 Luna', 'openai', 'gpt-6-luna', 1050000, 128000, true, true, true, 0.1, 0.5],
  [
    'claude-opus-5.5',
    'pro',
    'Claude Opus 5.5',
    'anthropic',
    'claude-opus-5-5',
    1000000,
    128000,
    true,
    true,
    true,
    4.0,
    20.0,
  ],
  [
    'claude-sonnet-5.5',
    'pro',
    'Claude Sonnet 5.5',
    'anthropic',
    'claude-sonnet-5-5',
    1000000,
    128000,
    true,
    true,
    true,
    2.0,
    10.0,
  ],
  [
    'claude-haiku-5.5',
    'pro',
    'Claude Haiku 5.5',
    'anthropic',
    'claude-haiku-5-5',
    1000000,
    128000,
    true,
    true,
    true,
    0.1,
    0.5,
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
    'gemini-3.8-flash',
    'pro',
    'Gemini 3.8 Flash',
    'gemini',
    'gemini-3.8-flash',
    1048576,
    65536,
    true,
    true,
    true,
    0.75,
    3.75,
  ],
  [
    'gemini-3.5-flash-lite',
    'free',
    'Gemini 3.5 Flash-Lite',
    'gemini',
    'gemini-3.5-flash-lite',
    1048576,
    65536,
    true,
    true,
    true,
    0.3,
    2.5,
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
    'deepseek-v4.1-flash',
    'free',
    'DeepSeek V4.1 Flash',
    'deepseek',
    'deepseek-flash',
    1000000,
    393216,
    true,
    true,
    true,
    0.3,
    1.2,
  ],
  ['grok-4.7', 'pro', 'Grok 4.7', 'xai', 'grok-4.7', 500000, 500000, true, true, true, 2.0, 6.0],
  ['gpt-oss-20b', 'free', 'GPT-OSS 20B', 'groq', 'openai/gpt-oss-20b', 131072, 65536, false, true, true, 0.075, 0.3],
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
    'nova-2-lite',
    'free',
    'Amazon Nova 2 Lite',
    'bedrock',
    'global.amazon.nova-2-lite-v1:0',
    1000000,
    64000,
    true,
    true,
    true,
    0.3,
    2.5,
  ],
];

const DESCRIPTIONS: Record<string, string> = {
  'gpt-6.1-sol': "OpenAI's strong all-rounder for agentic coding and hard multi-step work.",
  'gpt-6.1-terra': 'Fast mid-tier GPT-6.1 for everyday production traffic, vision and writing.',
  'gpt-6-luna': 'Small, fast OpenAI model for classification, extraction and routing.',
  'claude-opus-5.5': "Anthropic's Opus for long-running agentic coding and knowledge work.",
  'claude-sonnet-5.5': 'Strong agentic and coding model at a mid price.',
  'claude-haiku-5.5': 'Fast, cheap Claude for classification, extraction, tools and high volume.',
  'gemini-3.1-pro': "Google's deep-reasoning multimodal model.",
  'gemini-3.8-flash': "Google's most intelligent Flash for agents, coding and multimodal work.",
  'gemini-3.5-flash-lite': 'Low-cost, low-latency million-token multimodal Gemini.',
  'mistral-medium-3.5': "Mistral's open-weight frontier model with vision.",
  'mistral-small-4': 'Open-weight small model with vision and optional reasoning.',
  'deepseek-v4.1-flash': 'Very cheap open-weight model with vision and a million-token context.',
  'grok-4.7': "xAI's frontier model for long-running agents, coding and knowledge work.",
  'gpt-oss-20b': "OpenAI's small open-weight reasoning model at very high speed on Groq.",
  'gpt-oss-120b': "OpenAI's open-weight reasoning model on Groq.",
  'command-a-plus': "Cohere's enterprise model for grounded, cited answers and tools.",
  'nova-2-lite': 'Fast, low-cost multimodal reasoning model on AWS Bedrock.',
};

function toRow({ prices, capabilities, targets, ...model }: ModelSettings) {
  const [target] = targets;
  const [{ price }] = prices;
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
