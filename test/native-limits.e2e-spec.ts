import { expect, it } from '@jest/globals';
import { API_CASES, NativeTest } from './support/native-test.js';
import { reply } from './support/script.js';

const LIMITS = {
  'anthropic-ratelimit-unified-status': 'rejected',
  'anthropic-ratelimit-requests-reset': '2026-12-01T00:00:00Z',
};

const native = await NativeTest.start();

it.each(API_CASES)(
  "a native 429 of the %s API tells the provider's whole wait and the API's limits",
  async (api, one) => {
    const headers = { ...LIMITS, 'retry-after': '90000', 'anthropic-organization-id': 'org', 'x-other': 'x' };
    const body = JSON.stringify({ error: { message: 'Weekly limit.' } });
    native.upstream.enqueue(reply(429, { 'content-type': 'application/json', ...headers }, body));
    const response = await native.ask(one);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '90000']);
    for (const [name, value] of Object.entries(LIMITS)) {
      expect([name, response.headers.get(name)]).toEqual([name, api === 'messages' ? value : null]);
    }
    for (const name of ['anthropic-organization-id', 'x-other']) expect(response.headers.get(name)).toBeNull();
  },
);
