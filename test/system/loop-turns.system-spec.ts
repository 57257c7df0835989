import { afterAll, describe, expect, it } from '@jest/globals';
import { completion } from '../support/chat-answers.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { INSPECTABLE, InspectedProcess } from '../support/inspected-process.js';
import { longestTurn, slowness } from '../support/longest-turn.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';
import { createMigratedDatabase } from '../support/test-database.js';

const MAX_MS = 50;
const TIMES = 4;
const MB = 1024 * 1024;

const UPSTREAMS = ['openai', 'anthropic', 'gemini', 'bedrock'] as const;
const modelOf = (upstream: string) => `
- id: on-${upstream}
  tier: free
  displayName: M
  description: A model.
  contextLength: 1000000
  targets: [{ upstream: ${upstream}, model: ${upstream === 'bedrock' ? 'anthropic.claude' : 'claude-sonnet-4-5'} }]`;

const upstream = (await ScriptedUpstream.start()).always(() => completion());
const database = await createMigratedDatabase();
const gateway = await GatewayProcess.start({
  env: {
    DATABASE_URL: database.url,
    OPENAI_API_KEY: 'sk-test',
    ANTHROPIC_API_KEY: 'sk-test',
    GEMINI_API_KEY: 'sk-test',
    AWS_ACCESS_KEY_ID: 'AKIATEST',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_REGION: 'us-east-1',
    ...INSPECTABLE,
  },
  config: {
    'gateway.yaml': 'overload: { maxLoopDelay: 1m }\nretry: { attempts: 1 }',
    'upstreams.yaml': UPSTREAMS.map((name) => `${name}: { protocol: ${name}, baseUrl: "${upstream.url}" }`).join('\n'),
    'models.yaml': UPSTREAMS.map(modelOf).join(''),
  },
});
const inspected = await InspectedProcess.open(gateway);
const key: string = await gateway.createKey();
const longestMs: number = MAX_MS * (await slowness(inspected));
afterAll(async () => {
  inspected?.close();
});

async function post(body: string, more: Record<string, string> = {}): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more };
  const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
  await response.text();
  return response.status;
}

const times = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join();
/** Names that are new to the parser, which is faster with known ones. */
const fresh = () => Math.random().toString(36).slice(2, 8);
const names = (count: number, value = '0', prefix = fresh()) => times(count, (at) => `"${prefix}${at}":${value}`);

const HELLO = '[{"role":"user","content":"Hi"}]';
const requesting = (content: string) => `[{"role":"user","content":${content}}]`;
const image = (url: string) =>
  `[{"type":"image_url","image_url":{"url":"data:image/png;base64,${url}"}},{"type":"text","text":"é😀"}]`;
const calling = (calls: number, text: () => string) =>
  `[{"role":"user","content":"Hi"},${times(
    calls,
    (at) =>
      `{"role":"assistant","tool_calls":[{"id":"c${at}","type":"function","function":{"name":"f","arguments":${JSON.stringify(text())}}}]},` +
      `{"role":"tool","tool_call_id":"c${at}","content":"done"}`,
  )}]`;
const tool = (properties: string) =>
  `"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{${properties}}}}}]`;

const LARGE = 30 * MB;

/** A body's other fields and its messages. */
type Made = readonly [what: string, fields: () => string, messages?: () => string];

/** Bodies within all other bounds, which used to take up to seconds. */
const REFUSED: readonly Made[] = [
  ['190,000 new names in one object', () => `"x":{${names(190_000)}}`],
  ['190,000 top-level fields', () => names(190_000)],
  ['a top-level name of 30 MB', () => `"${'aB-'.repeat(LARGE / 3)}":1`],
  ['a number of 30 MB', () => `"x":1${'0'.repeat(LARGE)}`],
];

const PARSED: readonly Made[] = [
  [
    '14,000 new names in one object, 10,000 in others',
    () => `"x":{${names(14_000)},"y":[${times(333, () => `{${names(30)}}`)}]}`,
  ],
  ['24,000 new names in 800 objects', () => `"x":[${times(800, () => `{${names(30)}}`)}]`],
  ['49,000 objects', () => `"x":[${times(49_000, () => '{}')}]`],
  ['98,000 short strings', () => `"x":[${times(98_000, (at) => `"${fresh()}${String(at).padEnd(70)}"`)}]`],
  ['a number of 8 MB', () => `"x":1${'0'.repeat(8 * MB - 1000)}`],
  [
    '300 images of 100 kB',
    () => '"x":1',
    () => requesting(`[${times(300, () => image('A'.repeat(100_000)).slice(1, -1))}]`),
  ],
  ['30 MB of escapes', () => '"x":1', () => requesting(`"${'\\n\\"'.repeat(LARGE / 4)}"`)],
  ['30 MB of Chinese', () => '"x":1', () => requesting(`"${'中'.repeat(LARGE / 3)}"`)],
];

/** For bodies that an adapter converts, or writes and signs again. */
const TRANSLATED: readonly Made[] = [
  ['a tool with 98,000 words', () => tool(`"a":{"enum":[${times(98_000, (at) => `"${at}"`)}]}`)],
  ['a tool with 20,000 properties', () => tool(names(20_000, '{"type":"string"}'))],
  ['32,000 messages', () => '"x":1', () => `[${times(32_000, (at) => `{"role":"user","content":"${at}"}`)}]`],
  ['7,500 tool calls', () => '"x":1', () => calling(7500, () => '{"a":1}')],
  ['a million new names in the arguments of a call', () => '"x":1', () => calling(1, () => `{${names(1_000_000)}}`)],
  ['as many in those of 2,000 calls', () => '"x":1', () => calling(2000, () => `{${names(500)}}`)],
  ['arguments of long numbers', () => '"x":1', () => calling(300, () => `{${names(200, '12345678901234567890')}}`)],
  ['arguments of 30 MB', () => '"x":1', () => calling(1, () => `{"a":"${'word '.repeat(LARGE / 5)}"}`)],
  ['an image of 30 MB', () => '"x":1', () => requesting(image('iVBORw0KGgoA'.repeat(LARGE / 12)))],
  ['30 MB of words', () => '"x":1', () => requesting(`"${'word and\\n'.repeat(LARGE / 10)}"`)],
];

const on = (name: string, made: readonly Made[], isRefused = false) =>
  made.map(([what, fields, messages = () => HELLO]) => ({ what, name, isRefused, fields, messages }));

describe('no turn of the event loop takes 50 ms', () => {
  it.each([
    ...on('openai', REFUSED, true),
    ...on('openai', PARSED),
    ...UPSTREAMS.flatMap((name) => on(name, TRANSLATED)),
  ])('no turn of the event loop takes 50 ms for $what, on $name', async ({ name, isRefused, fields, messages }) => {
    const longest = await longestTurn(inspected, { times: TIMES, enough: longestMs }, async () => {
      upstream.requests.length = 0;
      const status = await post(`{"model":"on-${name}",${fields()},"messages":${messages()}}`);
      expect([status === 413, upstream.requests.length]).toEqual(isRefused ? [true, 0] : [false, 1]);
    });
    expect(longest).toBeLessThan(longestMs);
  });

  it.each([
    {
      what: 'an image of 30 MB',
      fields: () => '"x":1',
      messages: () => requesting(image('iVBORw0KGgoA'.repeat(LARGE / 12))),
    },
    { what: '20,000 names', fields: () => `"metadata2":{${names(20_000)}}`, messages: () => HELLO },
  ])('no turn of the event loop takes 50 ms for $what with an Idempotency-Key', async ({ fields, messages }) => {
    const longest = await longestTurn(inspected, { times: TIMES, enough: longestMs }, async () => {
      const body = `{"model":"on-openai",${fields()},"messages":${messages()}}`;
      expect(await post(body, { 'idempotency-key': fresh() })).toBe(200);
    });
    expect(longest).toBeLessThan(longestMs);
  });
});
