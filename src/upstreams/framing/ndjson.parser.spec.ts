import { describe, expect, it } from '@jest/globals';
import { UpstreamError } from '../contract/upstream.error.js';
import { createNdjsonParser } from './event.parser.js';

function parse(...pieces: (string | Buffer)[]): string[] {
  const lines: string[] = [];
  const parser = createNdjsonParser(({ data }) => lines.push(data));
  for (const piece of pieces) parser.push(Buffer.from(piece));
  parser.end();
  return lines;
}

describe('NDJSON parser', () => {
  it('emits one event per line for any split of the bytes', () => {
    const bytes = Buffer.from('\uFEFF{"a":"żółć 🦀"}\r\n\n{"b":2}\n{"c":3}\n');
    const whole = ['{"a":"żółć 🦀"}', '{"b":2}', '{"c":3}'];
    expect(parse(bytes)).toEqual(whole);
    for (let at = 1; at < bytes.length; at += 1) {
      expect(parse(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
    }
  });

  it('emits a complete last line without its line feed, and drops a truncated one', () => {
    expect(parse('{"a":1}\n{"b":2}')).toEqual(['{"a":1}', '{"b":2}']);
    expect(parse('{"a":1}\n{"b":')).toEqual(['{"a":1}']);
  });

  it('refuses a line over the limit', () => {
    const parser = createNdjsonParser(() => undefined, 100);
    parser.push(Buffer.from('x'.repeat(60)));
    expect(() => parser.push(Buffer.from('x'.repeat(60)))).toThrow(UpstreamError);
  });
});
