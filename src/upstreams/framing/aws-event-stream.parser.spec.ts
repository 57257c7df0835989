import { crc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { awsBytes, awsEvent, awsException } from '../../../test/support/aws-event-stream.js';
import { coreMsOf } from '../../../test/support/core-time.js';
import { cutsOf } from '../../../test/support/exchanges.js';
import type { UpstreamEvent } from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';
import { createAwsEventStreamParser } from './aws-event-stream.parser.js';

const hello = awsEvent('contentBlockDelta', { delta: { text: 'Grüß dich 👋' } });
const stop = awsEvent('messageStop', { stopReason: 'end_turn' });

function eventsOf(pieces: readonly Buffer[], maxEventSize?: number): UpstreamEvent[] {
  const events: UpstreamEvent[] = [];
  const parser = createAwsEventStreamParser((event) => events.push(event), maxEventSize);
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return events;
}

function damagedAt(message: Buffer, offset: number): Buffer {
  const copy = Buffer.from(message);
  copy[offset] = (copy[offset] ?? 0) ^ 1;
  return copy;
}

/** The parser's technical reason, for the log. */
function faultIn(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof UpstreamError) return error.failure.message;
    throw error;
  }
  return undefined;
}

describe('the parser of AWS event streams', () => {
  it('emits each event with its type as soon as its last byte arrives', () => {
    const events: UpstreamEvent[] = [];
    const parser = createAwsEventStreamParser((event) => events.push(event));
    parser.push(hello.subarray(0, -1));
    expect(events).toEqual([]);
    parser.push(Buffer.concat([hello.subarray(-1), stop.subarray(0, 5)]));
    expect(events).toEqual([{ event: 'contentBlockDelta', data: '{"delta":{"text":"Grüß dich 👋"}}' }]);
  });

  it('reads the same events for any split of the bytes', () => {
    const bytes = Buffer.concat([hello, stop, hello]);
    const whole = eventsOf([bytes]);
    expect(whole).toHaveLength(3);
    for (const pieces of cutsOf(bytes)) expect(eventsOf(pieces)).toEqual(whole);
    expect(eventsOf(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toEqual(whole);
  });

  it('names exceptions and errors by their type', () => {
    const error = awsBytes({
      headers: { ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'It "broke".' },
      payload: '',
    });
    expect(eventsOf([awsException('throttlingException', { message: 'Slower.' }), error])).toEqual([
      { event: 'exception:throttlingException', data: '{"message":"Slower."}' },
      { event: 'error:InternalFailure', data: '{"message":"It \\"broke\\"."}' },
    ]);
  });

  it('skips messages of unknown kinds', () => {
    expect(eventsOf([awsBytes({ headers: { ':message-type': 'rumour' }, payload: '{}' })])).toEqual([]);
    expect(eventsOf([awsBytes({ headers: {}, payload: '' }), stop])).toHaveLength(1);
  });

  it('drops a message cut off at the end', () => {
    expect(eventsOf([Buffer.concat([stop, hello.subarray(0, -1)])])).toHaveLength(1);
  });

  it('fails with 502 for any corrupted byte', () => {
    for (let offset = 0; offset < hello.length; offset += 1) {
      expect(() => eventsOf([damagedAt(hello, offset)])).toThrow(UpstreamError);
    }
  });

  it('fails immediately for a corrupted length, without waiting for that many bytes', () => {
    const parser = createAwsEventStreamParser(() => {});
    expect(faultIn(() => parser.push(damagedAt(hello, 3).subarray(0, 12)))).toContain('damaged (prelude checksum)');
  });

  it('fails for an impossible length with a valid checksum', () => {
    const short = awsBytes({ headers: {}, payload: '' }).subarray(0, 12);
    expect(faultIn(() => eventsOf([awsHead(15, 0)]))).toContain('damaged (length)');
    expect(faultIn(() => eventsOf([awsHead(40, 25)]))).toContain('damaged (length)');
    expect(awsHead(16, 0)).toEqual(short);
  });

  it('fails for a message over the limit before buffering it', () => {
    expect(faultIn(() => eventsOf([awsHead(16 * 1024 * 1024 + 1, 0)]))).toContain('longer than 16777216');
    expect(eventsOf([hello], hello.length)).toHaveLength(1);
    expect(() => eventsOf([hello], hello.length - 1)).toThrow(UpstreamError);
  });

  it('reads a message of many megabytes in linear time', async () => {
    const big = awsEvent('contentBlockDelta', { text: 'x'.repeat(8 * 1024 * 1024) });
    const pieces = Array.from({ length: Math.ceil(big.length / 1024) }, (_, at) =>
      big.subarray(at * 1024, (at + 1) * 1024),
    );
    expect(await coreMsOf(() => expect(eventsOf(pieces)).toHaveLength(1))).toBeLessThan(3000);
  });
});

function awsHead(total: number, headers: number): Buffer {
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(total, 0);
  lengths.writeUInt32BE(headers, 4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(lengths));
  return Buffer.concat([lengths, checksum]);
}
