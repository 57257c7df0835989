import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyJson, MARK, spoiled, validRequest } from '../../../test/support/arbitrary-request.js';
import { GatewayError } from '../../common/gateway.error.js';
import { CHAT_REQUEST_FIELDS, toChatRequest } from './chat-completion-request.js';

const knownNames = [...CHAT_REQUEST_FIELDS.keys()];

describe('any request body', () => {
  it('is accepted if valid, with unchanged values', () => {
    fc.assert(
      fc.property(validRequest, (request) => {
        const before = structuredClone(request);
        const { stream_options, ...expected } = before;
        if (before.stream === true && 'stream_options' in before) Object.assign(expected, { stream_options });
        expect(toChatRequest(request)).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('is accepted, or refused with a complete 400 that does not quote it', () => {
    const knownFields = fc.dictionary(fc.constantFrom(...knownNames), anyJson);
    const body = fc.oneof(anyJson, knownFields, spoiled(validRequest));
    fc.assert(fc.property(body, isAnsweredWell), { numRuns: 3000 });
  });
});

function isAnsweredWell(body: unknown): void {
  try {
    toChatRequest(body);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(error.status).toBe(400);
    expect(Object.keys(error.body).sort()).toEqual(['code', 'message', 'param', 'type']);
    expect(error.body.type).toBe('invalid_request_error');
    expect(error.body.code).toMatch(/^(invalid_type|invalid_value|missing_required_parameter)$/);
    expect(error.body.param ?? 'model').toMatch(/^[a-z_]+(\[\d+\]|\.[a-z_]+)*$/);
    expect(JSON.stringify(error.body)).not.toContain(MARK);
  }
}
