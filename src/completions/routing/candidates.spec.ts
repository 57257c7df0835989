import { describe, expect, it } from '@jest/globals';
import { upstreamsFile } from '../../config/upstreams.settings.js';
import { PROVIDERS } from '../../upstreams/providers/providers.js';
import { clocksOf } from './candidates.js';

function upstream(clocks: object) {
  const entry = { protocol: 'openai', baseUrl: 'https://api.example.com', clocks };
  const { example } = upstreamsFile(PROVIDERS).parse({ example: entry });
  if (example === undefined) throw new Error('there is no upstream');
  return example;
}

describe('a stream that has not started', () => {
  it('times out after 30 s while another target is untried, and after two minutes otherwise', () => {
    expect(clocksOf(upstream({}), true, true)).toMatchObject({ head: 300_000, firstEvent: 30_000 });
    expect(clocksOf(upstream({}), true, false)).toMatchObject({ head: 300_000, firstEvent: 120_000 });
  });

  it.each([{ head: '3m' }, { firstEvent: '1m' }, { head: '10s', firstEvent: '20s' }])(
    'times out as configured by %j',
    (clocks) => {
      const settings = upstream(clocks);
      expect(clocksOf(settings, true, true)).toEqual(settings.clocks);
    },
  );

  it('is not an answer without a stream, which only arrives once it is complete', () => {
    expect(clocksOf(upstream({}), false, true)).toMatchObject({ head: 300_000, firstEvent: 120_000 });
  });

  it('keeps the other timeouts', () => {
    const clocks = clocksOf(upstream({ connect: '1s', idle: '2s', total: '40s' }), true, true);
    expect(clocks).toEqual({ connect: 1000, head: 300_000, firstEvent: 30_000, idle: 2000, total: 40_000 });
  });
});
