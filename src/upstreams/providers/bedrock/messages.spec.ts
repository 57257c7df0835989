import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { validConversation } from '../../../../test/support/conversations.js';
import type { ChatMessage } from '../../contract/chat.types.js';
import type { ContentBlock } from './converse.types.js';
import { toMessages } from './messages.js';

const NOVA = 'amazon.nova-lite-v1:0';
const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';

function call(id: string, name = 'look', args = '{}') {
  return { id, type: 'function' as const, function: { name, arguments: args } };
}

const requested: ChatMessage = { role: 'user', content: 'Look.' };

function turns(messages: ChatMessage[], model = NOVA) {
  return toMessages(messages, model).turns.map(({ role, content }) => [role, ...content]);
}

describe('a conversation for Converse', () => {
  it('moves system and developer text out of the conversation, in order', () => {
    const { system, turns: messages } = toMessages(
      [
        { role: 'system', content: 'Be brief.' },
        requested,
        { role: 'developer', content: [{ type: 'text', text: 'In French.' }] },
      ],
      NOVA,
    );
    expect(system).toEqual([{ text: 'Be brief.' }, { text: 'In French.' }]);
    expect(messages).toEqual([{ role: 'user', content: [{ text: 'Look.' }] }]);
  });

  it('merges adjacent messages of one role, and drops blank text', () => {
    const messages: ChatMessage[] = [
      requested,
      {
        role: 'user',
        content: [
          { type: 'text', text: ' \n' },
          { type: 'text', text: 'Here.' },
        ],
      },
      { role: 'assistant', content: '' },
      { role: 'assistant', content: 'I see' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'no more.' }] },
      { role: 'user', content: 'Thanks.' },
    ];
    expect(turns(messages)).toEqual([
      ['user', { text: 'Look.' }, { text: 'Here.' }],
      ['assistant', { text: 'I see' }, { text: 'no more.' }],
      ['user', { text: 'Thanks.' }],
    ]);
  });

  it('keeps the results of parallel calls together, before the next user text', () => {
    const messages: ChatMessage[] = [
      requested,
      { role: 'assistant', content: 'Two.', tool_calls: [call('a', 'look', '{"at":[1]}'), call('b', 'look', '')] },
      { role: 'tool', tool_call_id: 'b', content: '' },
      { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'a cat' }] },
      { role: 'user', content: 'And?' },
    ];
    expect(turns(messages)).toEqual([
      ['user', { text: 'Look.' }],
      [
        'assistant',
        { text: 'Two.' },
        { toolUse: { toolUseId: 'a', name: 'look', input: { at: [1] } } },
        { toolUse: { toolUseId: 'b', name: 'look', input: {} } },
      ],
      [
        'user',
        { toolResult: { toolUseId: 'b', content: [{ text: '(no output)' }] } },
        { toolResult: { toolUseId: 'a', content: [{ text: 'a cat' }] } },
        { text: 'And?' },
      ],
    ]);
  });

  it.each([
    'us.meta.llama4-maverick-17b-instruct-v1:0',
    'us.mistral.pixtral-large-2502-v1:0',
    'us.writer.palmyra-x4-v1:0',
  ])('separates results and text for %s, which refuses both in one turn', (model) => {
    const messages: ChatMessage[] = [
      requested,
      { role: 'assistant', tool_calls: [call('a')] },
      { role: 'tool', tool_call_id: 'a', content: 'a cat' },
      { role: 'user', content: 'And?' },
    ];
    expect(turns(messages, model).slice(2)).toEqual([
      ['user', { toolResult: { toolUseId: 'a', content: [{ text: 'a cat' }] } }],
      ['assistant', { text: '.' }],
      ['user', { text: 'And?' }],
    ]);
  });

  it('wraps arguments that are not a JSON object as text', () => {
    const [, [, block] = []] = turns([requested, { role: 'assistant', tool_calls: [call('a', 'look', '[1')] }]);
    expect(block).toMatchObject({ toolUse: { input: { arguments: '[1' } } });
  });

  it('makes ids and names of other upstreams valid, and repeated ids unique', () => {
    const long = `call|${'x'.repeat(100)}`;
    const round = (id: string): ChatMessage[] => [
      requested,
      { role: 'assistant', tool_calls: [call(id, 'functions.look')] },
      { role: 'tool', tool_call_id: id, content: 'x' },
    ];
    const blocks = toMessages([...round('call_0'), ...round('call_0'), ...round(long)], NOVA).turns.flatMap(
      ({ content }) => content,
    );
    const uses = blocks.flatMap((block) => ('toolUse' in block ? [block.toolUse] : []));
    const results = blocks.flatMap((block) => ('toolResult' in block ? [block.toolResult.toolUseId] : []));
    expect(new Set(results).size).toBe(3);
    expect(uses.map(({ toolUseId }) => toolUseId)).toEqual(results);
    for (const id of results) expect(id).toMatch(/^[\w-]{1,64}$/);
    expect(uses.map(({ name }) => name)).toEqual(['functions_look', 'functions_look', 'functions_look']);
  });

  it('starts and ends with the user', () => {
    expect(turns([{ role: 'system', content: 'Say hi.' }])).toEqual([['user', { text: 'Say hi.' }]]);
    expect(turns([{ role: 'user', content: '' }])).toEqual([['user', { text: 'Begin.' }]]);
    expect(turns([{ role: 'assistant', content: 'Hello!' }])).toEqual([
      ['user', { text: 'Begin.' }],
      ['assistant', { text: 'Hello!' }],
      ['user', { text: 'Continue.' }],
    ]);
  });

  it('returns signed reasoning to Claude before its calls, and to no other model', () => {
    const thinking_blocks = [
      { type: 'thinking', thinking: 'A cat?', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'aGlk' },
      { type: 'thinking', thinking: 'unsigned' },
    ];
    const carried = { ...call('a'), extra_content: { anthropic: { thinking_blocks } } };
    const messages: ChatMessage[] = [
      requested,
      { role: 'assistant', content: 'Yes.', tool_calls: [carried, call('b')] },
    ];
    const [, claude = []] = turns(messages, CLAUDE);
    expect(claude.slice(1, 4)).toEqual([
      { reasoningContent: { reasoningText: { text: 'A cat?', signature: 'c2ln' } } },
      { reasoningContent: { redactedContent: 'aGlk' } },
      { text: 'Yes.' },
    ]);
    expect(JSON.stringify(turns(messages))).not.toContain('reasoningContent');
  });

  it('has no empty message where an answer was only unsigned reasoning', () => {
    const unsigned = [{ type: 'reasoning.text', text: 'A cat?' }];
    const answer = { role: 'assistant', content: '', reasoning_content: 'A cat?', reasoning_details: unsigned };
    for (const model of [CLAUDE, NOVA]) {
      expect(turns([requested, answer as ChatMessage, { role: 'user', content: 'And?' }], model)).toEqual([
        ['user', { text: 'Look.' }, { text: 'And?' }],
      ]);
    }
  });

  it('is valid for any valid conversation', () => {
    fc.assert(
      fc.property(validConversation(), fc.constantFrom(NOVA, CLAUDE, 'meta.llama3-70b'), (messages, model) => {
        const { system, turns: made } = toMessages(messages, model);
        expect(made[0]?.role).toBe('user');
        expect(made.at(-1)?.role).toBe('user');
        expect(system.every(({ text }) => text.trim() !== '')).toBe(true);
        made.forEach(({ role, content }, index) => {
          expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant');
          expect(content.length).toBeGreaterThan(0);
          expectGrammar(content, made[index - 1]?.content ?? [], model);
        });
      }),
      { numRuns: 300 },
    );
  });
});

/** Results come first, one for each earlier call; no text is blank; documents have valid names and come with text. */
function expectGrammar(content: ContentBlock[], before: ContentBlock[], model: string): void {
  const kinds = content.map((block) => Object.keys(block)[0]);
  const firstOther = kinds.findIndex((kind) => kind !== 'toolResult');
  if (firstOther >= 0) expect(kinds.slice(firstOther)).not.toContain('toolResult');
  if (model.startsWith('meta') && kinds.includes('toolResult')) expect(firstOther).toBe(-1);
  if (kinds.includes('document')) expect(kinds).toContain('text');

  const called = before.flatMap((block) => ('toolUse' in block ? [block.toolUse.toolUseId] : []));
  const answered = content.flatMap((block) => ('toolResult' in block ? [block.toolResult.toolUseId] : []));
  expect(answered.toSorted()).toEqual(called.toSorted());
  for (const block of content) {
    const texts = 'toolResult' in block ? block.toolResult.content : 'text' in block ? [block] : [];
    for (const message of texts) if ('text' in message) expect(message.text.trim()).not.toBe('');
    if ('toolUse' in block) {
      expect(block.toolUse.toolUseId).toMatch(/^[\w-]{1,64}$/);
      expect(block.toolUse.name).toMatch(/^[\w-]{1,64}$/);
      expect(block.toolUse.input).toBeInstanceOf(Object);
    }
    if ('document' in block) expect(block.document.name).toMatch(/^[A-Za-z0-9()[\]-]+( [A-Za-z0-9()[\]-]+)*$/);
  }
}
