import { describe, expect, it } from '@jest/globals';
import { responsesFormat } from '../responses.format.js';

const tool = { type: 'function', name: 'f' };
const { pathOf = (path: string) => path } = responsesFormat.read(
  {
    model: 'm',
    instructions: 'Be kind',
    input: [
      { type: 'web_search_call' },
      { role: 'user', content: [{ type: 'input_text', text: 'a' }] },
      { type: 'reasoning', summary: [] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_data: 'AAAA' }] },
    ],
    tools: [{ type: 'web_search' }, { type: 'namespace', name: 'n', tools: [tool, { ...tool, name: 'g' }] }],
  },
  { headers: {}, path: '/' },
);

describe('a field of the inner form has a path in the client’s request', () => {
  it.each([
    ['messages', 'input'],
    ['messages[0]', 'instructions'],
    ['messages[0].content', 'instructions'],
    ['messages[1].content[0].image_url.url', 'input[1].content[0].image_url'],
    ['messages[1].content[0].file.file_data', 'input[1].content[0].file_data'],
    ['messages[1].content', 'input[1].content'],
    ['messages[2].tool_calls[0].function.arguments', 'input[3]'],
    ['messages[3].content', 'input[4].output'],
    ['messages[3].content[0].file.file_data', 'input[4].output[0].file_data'],
    ['messages[99].content', 'input'],
    ['tools[1].function.parameters', 'tools[1].tools[1].parameters'],
    ['tools[0].type', 'tools[0].type'],
    ['tools.function.strict', 'tools.strict'],
    ['tool_choice.function.name', 'tool_choice.name'],
    ['response_format', 'text.format'],
    ['response_format.json_schema.strict', 'text.format.strict'],
    ['max_completion_tokens', 'max_output_tokens'],
    ['reasoning_effort', 'reasoning.effort'],
    ['verbosity', 'text.verbosity'],
    ['logprobs', 'include'],
    ['temperature', 'temperature'],
    ['input[2].content', 'input[2].content'],
  ])('%s → %s', (inner, path) => {
    expect(pathOf(inner)).toBe(path);
  });
});
