import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { arbitraryChatRequest } from '../../../test/support/arbitrary-chat-request.js';
import { bodyAt, DESTINATIONS, faultsOf } from '../../../test/support/destinations.js';
import { ruleFaults } from '../../../test/support/provider-rules.js';
import { GatewayError } from '../../common/gateway.error.js';

describe.each(DESTINATIONS.map((destination) => [destination.name, destination.model, destination] as const))(
  'any request that the gateway accepts, at %s (%s)',
  (name, model, destination) => {
    it('becomes a body that the published types allow, or a 400 that names the field', () => {
      fc.assert(
        fc.property(arbitraryChatRequest, (request) => {
          const body = bodyAt(destination, request);
          if (!(body instanceof GatewayError)) {
            expect([...faultsOf(destination, body), ...ruleFaults(name, model, body)]).toEqual([]);
          } else expect(body).toMatchObject({ status: 400, body: { param: expect.any(String) } });
        }),
        { numRuns: 300 },
      );
    });
  },
);
