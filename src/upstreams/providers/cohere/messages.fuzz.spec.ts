import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { validConversation } from '../../../../test/support/conversations.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatMessage, ChatTool } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { toRequestBody } from './request.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The API does not accept files. */
function withoutFiles(message: ChatMessage): ChatMessage {
  if (message.role !== 'user' || typeof message.content === 'string') return message;
  return { ...message, content: message.content.filter(({ type }) => type !== 'file') };
}

const tools = fc.uniqueArray(fc.oneof(fc.constantFrom('look', 'functions.look'), fc.string({ maxLength: 12 })), {
  maxLength: 5,
});

it('any valid conversation becomes a valid request', () => {
  fc.assert(
    fc.property(validConversation(), tools, (conversation, names) => {
      const messages = conversation.map(withoutFiles);
      const offered = names.map((name): ChatTool => ({ type: 'function', function: { name } }));
      const before = JSON.stringify(messages);
      const body = toRequestBody(providerCall({ messages, tools: offered }));
      expect(JSON.stringify(messages)).toBe(before);
      expect(grammarFaults(body)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

interface Called {
  id: string;
  function: { name: string; arguments: string };
}

/** Violations of the API's rules. */
function grammarFaults({ messages, tools = [] }: JsonObject): string[] {
  const faults: string[] = [];
  const calls = new Set<unknown>();
  let open = new Set<unknown>();
  const all = messages as JsonObject[];
  if (all.length === 0) faults.push('no message');
  all.forEach(({ role, content, tool_calls, tool_call_id }, index) => {
    if (!['system', 'user', 'assistant', 'tool'].includes(String(role))) faults.push(`${index}: role`);
    if (role === 'tool' ? !open.delete(tool_call_id) : open.size > 0) faults.push(`${index}: not the result of a call`);
    if (isEmpty(content) && tool_calls === undefined) faults.push(`${index}: empty`);
    if (content !== undefined && isEmpty(content)) faults.push(`${index}: empty content`);
    for (const { id, function: called } of (tool_calls ?? []) as Called[]) {
      if (id === '' || calls.has(id)) faults.push(`${index}: id`);
      if (!NAME.test(called.name)) faults.push(`${index}: name`);
      if (!/^\s*\{/.test(called.arguments) || typeof JSON.parse(called.arguments) !== 'object')
        faults.push(`${index}: arguments`);
      calls.add(id);
      open.add(id);
    }
  });
  if (open.size > 0) faults.push('a call without its result');
  open = new Set();
  for (const tool of tools as Called[]) {
    if (!NAME.test(tool.function.name) || open.has(tool.function.name)) faults.push(`tool ${tool.function.name}`);
    open.add(tool.function.name);
  }
  return faults;
}

function isEmpty(content: unknown): boolean {
  if (typeof content === 'string') return content.trim() === '';
  if (!Array.isArray(content) || content.length === 0) return true;
  return content.some(({ type, text }) => type === 'text' && String(text).trim() === '');
}
