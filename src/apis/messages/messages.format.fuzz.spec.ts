import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { validMessagesRequest } from '../../../test/support/arbitrary-messages-request.js';
import { anyJson, MARK, spoiled } from '../../../test/support/arbitrary-request.js';
import { deepFreeze } from '../../../test/support/deep-freeze.js';
import { GatewayError } from '../../common/gateway.error.js';
import { toChatRequest } from '../../completions/formats/chat-completion-request.js';
import { messagesFormat } from './messages.format.js';
import { MESSAGES_FIELDS } from './request/messages-request.js';

const sent = { headers: { 'anthropic-version': '2023-06-01' }, path: '/v1/messages' };

describe('any body of a Messages request', () => {
  it('is accepted if valid, unchanged, and its inner form is a valid chat request', () => {
    fc.assert(
      fc.property(validMessagesRequest, (body) => {
        const { request, native } = messagesFormat.read(deepFreeze(structuredClone(body)), sent);
        // The provider's tools, and messages that cannot be translated at all, are left out.
        if (native?.untranslatable || request.messages.length === 0) return;
        const { reasoning_effort: _, tools: __, tool_choice: ___, ...inner } = structuredClone(request);
        expect(toChatRequest(inner)).toMatchObject({ model: body.model });
      }),
      { numRuns: 1000 },
    );
  });

  it('is accepted, or refused with a complete 400 that does not quote it', () => {
    const knownFields = fc.dictionary(fc.constantFrom(...MESSAGES_FIELDS.keys()), anyJson);
    const body = fc.oneof(anyJson, knownFields, spoiled(validMessagesRequest));
    fc.assert(fc.property(body, isAnsweredWell), { numRuns: 3000 });
  });
});

function isAnsweredWell(body: unknown): void {
  try {
    messagesFormat.read(body, sent);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(error.status).toBe(400);
    expect(error.body.type).toBe('invalid_request_error');
    expect(error.body.param ?? 'model').toMatch(/^[a-z_]+(\[\d+\]|\.[a-z_]+)*$/);
    expect(JSON.stringify(error.body)).not.toContain(MARK);
  }
}
