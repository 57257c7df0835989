import { expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import { openAiAdapter } from '../openai/openai.adapter.js';
import { deepseekDialect } from './deepseek.dialect.js';

it('an answer that DeepSeek ends because of missing resources counts as an overload', () => {
  const adapter = openAiAdapter(deepseekDialect);
  const choice = { index: 0, message: { content: 'The' }, finish_reason: 'insufficient_system_resource' };
  expect(() => adapter.fromResponse({ choices: [choice] }, providerCall())).toThrow(
    expect.objectContaining({ status: 503 }),
  );
});
