import { describe, expect, it } from '@jest/globals';
import {
  moved,
  nextRequest,
  openCalls,
  runningTurn,
  toChatRequest,
  toolTurn,
  upTo,
  userTurn,
  withShortImages,
  writtenTurn,
} from './chat-request';
import { DEFAULT_SETTINGS, type ModelView, type Turn } from './chat-settings';

const model: ModelView = {
  id: 'm',
  aliases: [],
  deprecated: null,
  replacedBy: null,
  kind: 'chat',
  displayName: 'M',
  description: '',
  ownedBy: '',
  tier: 'free',
  contextLength: 1,
  dimensions: null,
  maxInputTokens: null,
  maxOutputTokens: null,
  capabilities: [],
  inputModalities: ['text'],
  outputModalities: ['text'],
  price: {
    ...{ inputUsdPerMTok: 0, cachedInputUsdPerMTok: 0, outputUsdPerMTok: 0 },
    ...{ cacheWriteUsdPerMTok: {}, above: [], until: null, serviceTiers: {}, hostedTools: {} },
  },
  hasPrice: true,
  providerFiles: false,
  simulated: false,
  health: { status: 'healthy', calls: 1, failures: 0, targets: 1, asideTargets: 0 },
  suggestionRank: 0,
  callable: true,
  reason: null,
};
const settings = { ...DEFAULT_SETTINGS, model: 'm' };
const image = { id: 'i', name: 'dot.png', url: `data:image/png;base64,${'A'.repeat(100)}`, bytes: 75 };

describe('the request of the playground', () => {
  it('leaves out what is not set', () => {
    expect(toChatRequest({ ...settings, stream: false }, [userTurn('Hi', [])], model)).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
    });
  });

  it('requests usage for streams, and starts with the system prompt', () => {
    expect(toChatRequest({ ...settings, system: 'Be brief.' }, [userTurn('Hi', [])], model)).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('leaves out what the model does not support, and sends it to a model of unknown capabilities', () => {
    const changed = {
      ...settings,
      effort: 'high' as const,
      format: 'json_schema' as const,
      schema: '{"type":"object"}',
      tools: '[{"type":"function","function":{"name":"f"}}]',
    };
    const names = (capabilities: string[] | null) =>
      Object.keys(toChatRequest(changed, [], { ...model, capabilities }));
    expect(names([])).toEqual(['model', 'messages', 'stream', 'stream_options']);
    expect(names(null)).toEqual(expect.arrayContaining(['reasoning_effort', 'response_format', 'tools']));
  });

  it('includes images and tool calls with their results, and no missing answer', () => {
    const call = { id: 'call_1', name: 'f', arguments: '{"a":1}' };
    const turns: Turn[] = [
      userTurn('What is it?', [image]),
      { ...runningTurn(), state: 'failed' },
      { ...runningTurn(), state: 'done', toolCalls: [call] },
      { ...toolTurn(call), text: '2' },
    ];
    expect(toChatRequest(settings, turns, model).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: image.url } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      { role: 'tool', content: '2', tool_call_id: 'call_1' },
    ]);
    expect(openCalls(turns)).toEqual([]);
    expect(openCalls(turns.slice(0, 3))).toEqual([call]);
  });

  it('is the request of Send: with the draft, otherwise up to the last question, otherwise an example', () => {
    const [requested, answered] = [userTurn('Why?', []), writtenTurn('So.')];
    const contents = (turns: Turn[], text: string) =>
      nextRequest({ settings, turns, draft: { text, images: [] } }, model).messages.map(({ content }) => content);
    expect(contents([], '')).toEqual(['Hello!']);
    expect(contents([], 'Who?')).toEqual(['Who?']);
    expect(contents([requested, answered], '')).toEqual(['Why?']);
    expect(contents([requested, answered], 'And?')).toEqual(['Why?', 'So.', 'And?']);
  });

  it('is shown with shortened images', () => {
    const shown = withShortImages(toChatRequest(settings, [userTurn('', [image])], model));
    expect(JSON.stringify(shown)).toContain(`data:image/png;base64,${'A'.repeat(24)}…`);
  });
});

describe('the messages', () => {
  const [a, b, c] = [userTurn('a', []), writtenTurn('b'), userTurn('c', [])];

  it('continue from a question, and from before an answer', () => {
    expect(upTo([a, b, c], a.id)).toEqual([a]);
    expect(upTo([a, b, c], b.id)).toEqual([a]);
    expect(upTo([a, b, c], c.id)).toEqual([a, b, c]);
  });

  it('move one step, and not beyond the ends', () => {
    expect(moved([a, b, c], c.id, -1)).toEqual([a, c, b]);
    expect(moved([a, b, c], a.id, -1)).toEqual([a, b, c]);
    expect(moved([a, b, c], c.id, 1)).toEqual([a, b, c]);
  });
});
