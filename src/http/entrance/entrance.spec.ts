import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ANSWER_HEADERS } from './entrance.js';

const SOURCES = resolve(import.meta.dirname, '../..');
/** Headers of the gateway's own requests, not of its replies. */
const OUTBOUND = /^x-gateway-(alert-id|signature)$/;

const NAMED = /['"`](x-gateway-[a-z-]+|retry-after(?:-ms)?|x-should-retry|openai-processing-ms)['"`]/g;

function namedInSources(): Set<string> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!spec)\.ts$/.test(file),
  );
  const named = files
    .filter((file) => !file.endsWith('entrance.ts'))
    .flatMap((file) => [...readFileSync(join(SOURCES, file), 'utf8').matchAll(NAMED)].map(([, name = '']) => name));
  return new Set(named.filter((name) => !OUTBOUND.test(name)));
}

describe('ANSWER_HEADERS', () => {
  it('include every header that the sources set', () => {
    const named = namedInSources();
    expect(named.size).toBeGreaterThan(5);
    expect([...named].filter((name) => !ANSWER_HEADERS.includes(name))).toEqual([]);
  });

  it('include no other headers', () => {
    const named = namedInSources();
    const own = ANSWER_HEADERS.filter((name) => name.startsWith('x-gateway-'));
    expect(own.filter((name) => !named.has(name))).toEqual([]);
  });
});
