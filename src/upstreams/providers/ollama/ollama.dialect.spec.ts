import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import { joinUrl } from '../../client/upstream.client.js';
import type { ChatTool, ToolChoice } from '../../contract/chat.types.js';
import { openAiAdapter } from '../openai/openai.adapter.js';
import { ollamaDialect } from './ollama.dialect.js';

const adapter = openAiAdapter(ollamaDialect);

describe('a request to Ollama', () => {
  it.each(['http://localhost:11434', 'http://localhost:11434/v1'])(
    'is sent to its OpenAI-compatible path at %s',
    (baseUrl) => {
      const { path } = adapter.toRequest(providerCall());
      expect(joinUrl(baseUrl, path)).toBe('http://localhost:11434/v1/chat/completions');
    },
  );

  it('a request to Ollama without tool calls has no tools', () => {
    const tools: ChatTool[] = [{ type: 'function', function: { name: 'f' } }];
    const sent = (tool_choice: ToolChoice) => adapter.toRequest(providerCall({ tools, tool_choice })).body;
    expect(sent('none')).not.toHaveProperty('tools');
    expect(sent('required')).toMatchObject({ tools, tool_choice: 'required' });
  });
});
