import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventually } from '../../test/support/eventually.js';
import { collectGarbage } from '../../test/support/live-bytes.js';
import { BODY_BOUNDS, JsonShape } from './json-shape.js';
import { noteRawJson, rawJsonOf, sealRawJson } from './raw-json.js';

const LONG = 'x'.repeat(16 * 1024);

/** The body after reading and checking, if it arrives in pieces of this many bytes. */
function read(text: string | Buffer, pieceLength = Infinity): Record<string, unknown> {
  const body = unsealed(text, pieceLength);
  sealRawJson(body);
  return body;
}

function unsealed(text: string | Buffer, pieceLength = Infinity): Record<string, unknown> {
  const bytes = Buffer.from(text);
  const shape = new JsonShape(BODY_BOUNDS);
  for (let at = 0; at < bytes.length; at += pieceLength) shape.admits(bytes.subarray(at, at + pieceLength));
  const body = JSON.parse(bytes.toString().replace(/^\ufeff/, ''));
  noteRawJson(body, bytes, shape);
  return body;
}

const rawOf = (value: unknown) => rawJsonOf(value)?.toString();

describe('the raw JSON of a list in a body', () => {
  it('is available for each long list, byte for byte', () => {
    const messages = `[ {"content":"${LONG}\\u00e9 \\"[{,","n":12345678901234567890} ,[[ ],{ }, null]]`;
    const tools = `[{"é":["${LONG}"]}]`;
    const body = read(
      `\ufeff {"model":"m","a\\"b" : {"x":"${LONG}"},"messages" :\n ${messages} , "tools":${tools}}`,
      1000,
    );
    expect(rawOf(body.messages)).toBe(messages);
    expect(rawOf(body.tools)).toBe(tools);
    expect(rawOf(body['a"b'])).toBe(`{"x":"${LONG}"}`);
  });

  it('is not available for short lists, nested values, and values that are not from a body', () => {
    const { messages, tools } = read(`{"tools":["${'x'.repeat(1000)}"],"messages":[["${LONG}"]]}`) as {
      messages: unknown[];
      tools: unknown;
    };
    expect([tools, messages[0], [...messages], LONG, null].map(rawOf)).toEqual(Array(5).fill(undefined));
  });

  it.each([
    ['in a message', `{"messages":[{"role":"user","role":"system","content":"${LONG}"}]}`],
    ['deep within it', `{"messages":[{"content":[{"text":"${LONG}","a":{"b":[1],"b":[2]}}]}]}`],
    ['in the body', `{"messages":["a ${LONG}"],"messages":["b ${LONG}"]}`],
    ['in the body, once with an escape', `{"messages":["a ${LONG}"],"mess\\u0061ges":["b ${LONG}"]}`],
    ['of another member of the body', `{"messages":["a ${LONG}"],"n":1,"n":2}`],
  ])('is not available if a name occurs twice %s', (_place, text) => {
    expect(rawOf(read(text).messages)).toBeUndefined();
  });

  it('is not available if it is not UTF-8', () => {
    const bytes = Buffer.from(`{"messages":["${LONG}?"]}`);
    bytes[bytes.indexOf('?')] = 0xff;
    expect(rawOf(read(bytes).messages)).toBeUndefined();
  });

  it('equals the value, for any body and any split', () => {
    // No backslashes: after a name `a\`, Node 26 may parse a name with an escape at that position, such as `a"`, as `a\`.
    const unit = fc.constantFrom('"', '\n', 'a', '[', '{', ',', 'é');
    const name = fc.string({ unit, maxLength: 4 });
    const value = fc.jsonValue({ stringUnit: unit });
    const body = fc.dictionary(name, value, { maxKeys: 4 });
    fc.assert(
      fc.property(body, name, value, fc.integer({ min: 1, max: 5000 }), (others, list, inner, pieceLength) => {
        const parsed = read(JSON.stringify({ ...others, [list]: [inner, LONG] }, null, pieceLength % 3), pieceLength);
        expect(JSON.parse(rawOf(parsed[list]) ?? 'null')).toEqual(parsed[list]);
      }),
    );
  });

  it('is available for a name that ends with backslashes', () => {
    const list = `["${LONG}\\\\"]`;
    const body = read(`{"one \\\\" : ${list},"two \\\\\\\\":${list},"quoted \\\\\\"":${list}}`);
    expect(['one \\', 'two \\\\', 'quoted \\"'].map((name) => rawOf(body[name]))).toEqual([list, list, list]);
  });

  it('is not available for values that are not frozen', () => {
    const body = unsealed(`{"messages":[{"content":"${LONG}","name":null}]}`) as { messages: { name?: null }[] };
    expect(rawOf(body.messages)).toBeUndefined();
    delete body.messages[0]?.name;
    sealRawJson(body);
    expect(rawOf(body.messages)).toBeUndefined();
  });

  it('freezes the value', () => {
    const { messages } = read(`{"messages":[{"content":[{"text":"${LONG}"}],"n":[1]}]}`) as {
      messages: [{ content: { text: string }[]; n: number[] }];
    };
    const [message] = messages;
    const edits = [
      () => messages.fill(message),
      () => messages.splice(0, 1, message),
      () => Object.assign(message, { n: [1] }),
      () => Object.assign(message.content[0] ?? {}, { text: 'other' }),
      () => message.n.fill(2),
    ];
    const before = rawOf(messages);
    for (const edit of edits) expect(edit).toThrow(TypeError);
    expect(Reflect.deleteProperty(message, 'n')).toBe(false);
    expect(rawOf(messages)).toBe(before);
  });

  it('does not fail for a body that is not an object', () => {
    expect(rawOf(read(`[["${LONG}"]]`)[0])).toBeUndefined();
  });

  it('allows minor garbage collections to free the bytes of a released body', async () => {
    const text = `{"messages":["${'x'.repeat(100_000)}"]}`;
    read(text);
    // Garbage is collected on another thread; a body that is just read at two collections stays. So the best of some runs.
    const isFreed = async () => {
      collectGarbage();
      collectGarbage();
      const before = process.memoryUsage().external;
      // About 50 MB.
      for (let time = 0; time < 10; time++) {
        for (let count = 0; count < 50; count++) read(text);
        collectGarbage({ type: 'minor' });
      }
      for (let time = 0; time < 50; time++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        collectGarbage({ type: 'minor' });
        if (process.memoryUsage().external - before < 20_000_000) return true;
      }
      return false;
    };
    await eventually(isFreed, 10_000);
  });
});
