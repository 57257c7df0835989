import { expect, it } from '@jest/globals';
import { deepFreeze } from '../../../test/support/deep-freeze.js';
import type { ChatCompletionRequest, ChatMessage, FunctionTool, FunctionToolCall, TextPart } from './chat.types.js';

it('changing a request is a type error, and fails if the request is frozen', () => {
  const part: TextPart = { type: 'text', text: 'Hi' };
  const parts: readonly TextPart[] = [part];
  const question: ChatMessage = { role: 'user', content: parts };
  const call: FunctionToolCall = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
  const parameters: NonNullable<FunctionTool['function']['parameters']> = { type: 'object' };
  const tool: FunctionTool = { type: 'function', function: { name: 'f', parameters } };
  const request: ChatCompletionRequest = {
    model: 'm',
    messages: [question, { role: 'assistant', tool_calls: [call] }],
    tools: [tool],
  };
  deepFreeze(request);
  const edits = [
    // @ts-expect-error
    () => (request.temperature = 1),
    // @ts-expect-error
    () => (request.unknown = 1),
    // @ts-expect-error
    () => request.messages.push(question),
    // @ts-expect-error
    () => (question.content = 'other'),
    // @ts-expect-error
    () => (part.text = 'other'),
    // @ts-expect-error
    () => (call.function.arguments = '{"a":1}'),
    // @ts-expect-error
    () => (call.index = 0),
    // @ts-expect-error
    () => (parameters.type = 'string'),
    // @ts-expect-error
    () => (tool.function.name = 'g'),
  ];
  for (const edit of edits) expect(edit).toThrow(TypeError);
});
