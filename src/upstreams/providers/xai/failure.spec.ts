import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import { openAiAdapter } from '../openai/openai.adapter.js';
import { xaiDialect } from './xai.dialect.js';

const adapter = openAiAdapter(xaiDialect);
const call = providerCall();

function errorFor(status: number, error: string) {
  return adapter.toError(status, {}, { code: 'Client specified an invalid argument', error }, call);
}

describe('an error of xAI', () => {
  it.each([
    'Argument not supported on this model: presencePenalty',
    'Model grok-4.3 does not support parameter presencePenalty.',
  ])("has OpenAI's name of the parameter: %s", (message) => {
    expect(errorFor(400, message).body).toMatchObject({ param: 'presence_penalty', code: 'invalid_value' });
  });

  it("about a key is never the caller's 400", () => {
    expect(errorFor(400, 'Incorrect API key provided: xa***4f.')).toMatchObject({
      status: 502,
      advice: 'other-target',
    });
  });

  it('about content is not a refused credential', () => {
    const error = errorFor(403, 'Content violates usage guidelines. Team: 1, API key ID: 2, Failed check: X');
    expect(error).toMatchObject({ status: 400, body: { code: 'content_filter' } });
    expect(error.body.message).not.toContain('Team');
  });
});
