import { describe, expect, it } from '@jest/globals';
import type { UpstreamEvent } from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';
import { createSseParser } from './event.parser.js';

function parse(...pieces: (string | Buffer)[]): UpstreamEvent[] {
  const events: UpstreamEvent[] = [];
  const parser = createSseParser((event) => events.push(event));
  for (const piece of pieces) parser.push(Buffer.from(piece));
  parser.end();
  return events;
}

function data(...pieces: (string | Buffer)[]): string[] {
  return parse(...pieces).map((event) => event.data);
}

describe('SSE parser', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('ends lines at %s', (_name, end) => {
    const text = ['event: a', 'data: {"n":1}', '', 'data: {"n":2}', '', ''].join(end);
    expect(parse(text)).toEqual([
      { event: 'a', data: '{"n":1}' },
      { event: '', data: '{"n":2}' },
    ]);
  });

  it.each(['\n', '\r\n', '\r'])('emits the same events for any split of the bytes (line end %j)', (end) => {
    const lines = [
      ': hi',
      'event: é',
      'data: {"a":"żółć 🦀"}',
      '',
      'data: [1,',
      'data:2]',
      'id: 3',
      '',
      'data: 4',
      '',
      '',
    ];
    const bytes = Buffer.from(`\uFEFF${lines.join(end)}`);
    const whole = parse(bytes);
    expect(whole).toEqual([
      { event: 'é', data: '{"a":"żółć 🦀"}' },
      { event: '', data: '[1,\n2]' },
      { event: '', data: '4' },
    ]);
    for (let at = 1; at < bytes.length; at += 1) {
      expect(parse(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
    }
    expect(parse(...Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(whole);
  });

  it.each([
    ['a comment', ': ping\n\n', []],
    ['a name without data', 'event: x\n\n', []],
    ['two lines of data', 'data: 2\ndata: 3\n\n', ['2\n3']],
    ['no space', 'data:2\n\n', ['2']],
    ['CR in its line', 'data: 2\rdata: 3\n\n', ['2\n3']],
    ['CRLF', 'data: 2\r\n\r\n', ['2']],
    ['a byte order mark that is not at the beginning', '\uFEFFdata: 2\n\n', []],
    ['another empty line', '\ndata: 2\n\n\n', ['2']],
  ])('emits the same events before, in and after a piece with %s, for any split', (_what, odd, found) => {
    const usual = 'event: a\ndata: 1\n\n';
    const whole = Buffer.from(usual + odd + usual);
    const expected = ['1', ...found, '1'];
    for (let at = 0; at <= whole.length; at += 1) {
      expect(data(usual, whole.subarray(0, at), whole.subarray(at), usual)).toEqual(['1', ...expected, '1']);
    }
  });

  it('emits each event of a piece with its own name', () => {
    expect(parse('event: a\ndata: 1\n\ndata: 2\n\nevent: b\ndata: 3\n\n').map(({ event }) => event)).toEqual([
      'a',
      '',
      'b',
    ]);
  });

  it('accepts a field without a space after its colon, and keeps further spaces', () => {
    expect(data('data:1\n\ndata:  2\n\n')).toEqual(['1', ' 2']);
  });

  it('skips comments, unknown fields and blocks without data', () => {
    expect(data(': ping\n\nretry: 5\nid: 1\n\nevent: empty\n\nfoo: bar\ndata: 1\n\n')).toEqual(['1']);
  });

  it('emits a complete last event without its blank line or line end', () => {
    expect(data('data: 1\n\ndata: {"a":2}\n')).toEqual(['1', '{"a":2}']);
    expect(data('data: 1\n\ndata: {"a":2}')).toEqual(['1', '{"a":2}']);
    expect(data('data: 1\r\n\r\ndata: [DONE]\r')).toEqual(['1', '[DONE]']);
  });

  it('drops an incomplete last event', () => {
    expect(data('data: 1\n\ndata: {"a":')).toEqual(['1']);
    expect(data('data: 1\n\ndata: {"a":2}\nda')).toEqual(['1', '{"a":2}']);
    expect(data('data: 1\n\n', Buffer.from('data: "é"').subarray(0, 8))).toEqual(['1']);
  });

  it.each([
    ['in one piece', [`data: "${'x'.repeat(200)}"\n\n`]],
    ['in many pieces', ['data: "', ...Array.from({ length: 20 }, () => 'x'.repeat(10)), '"\n\n']],
    ['in many lines', Array.from({ length: 20 }, () => `data: ${'x'.repeat(10)}\n`)],
  ])('refuses an event over the limit %s', (_name, pieces) => {
    const parser = createSseParser(() => undefined, 100);
    const push = () => {
      for (const piece of pieces) parser.push(Buffer.from(piece));
    };
    expect(push).toThrow(UpstreamError);
  });

  it.each([': keep-alive', 'unknown: x', 'data: x', 'event: x', 'id', '\u00e9'])(
    'refuses an endless line of `%s` once it exceeds the limit',
    (piece) => {
      const parser = createSseParser(() => undefined, 100);
      const pieces = Math.floor(100 / piece.length);
      for (let count = 0; count < pieces; count += 1) parser.push(Buffer.from(piece));
      const push = () => {
        for (let count = 0; count < 3; count += 1) parser.push(Buffer.from(piece));
      };
      expect(push).toThrow(UpstreamError);
    },
  );

  it('accepts any number of comments and lines', () => {
    const parser = createSseParser(() => undefined, 100);
    for (let count = 0; count < 100; count += 1) parser.push(Buffer.from(': keep-alive\r: and more\n\r\nid: 1'));
  });

  it('reads an event of megabytes in small pieces in linear time', () => {
    const text = `data: "${'x'.repeat(4 * 1024 * 1024)}"\n\n`;
    const bytes = Buffer.from(text);
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += 1024) pieces.push(bytes.subarray(at, at + 1024));
    const [event] = parse(...pieces);
    expect(event?.data.length).toBe(4 * 1024 * 1024 + 2);
  });
});
