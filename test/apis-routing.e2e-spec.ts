import { afterEach, describe, expect, it } from '@jest/globals';
import { ANSWER_TABLE, type ApiRow, SHARED_ANSWER_TABLE, SHARED_STREAMED_TABLE } from './support/api-table.js';
import { ApiTest, answerOf, expectApiError, expectStreamError, TEXTS } from './support/api-test.js';
import { refusal } from './support/chat-answers.js';
import { end, hang } from './support/script.js';

const test = await ApiTest.start('retry: { attempts: 3, floor: 1000 }');
afterEach(() => {
  test.a.always(() => refusal(500));
});

/** The complete text of the answer, and the number of attempts. */
async function answered({ client }: ApiRow, response: Response, stream: boolean): Promise<unknown[]> {
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: 200 });
  const attempts = response.headers.get('x-gateway-attempts');
  if (!stream) return [client.textOf(JSON.parse(text)), attempts];
  const { text: streamed, error, isWhole } = client.readStream(text);
  expect([error, isWhole]).toEqual([null, true]);
  return [streamed, attempts];
}

const TEXT = TEXTS.join('');

describe.each(SHARED_ANSWER_TABLE)('%s', (_name, row, stream) => {
  const fields = stream ? { stream } : {};

  it.each([429, 500])('is answered by the next target when the first fails with %d', async (status) => {
    // A rate-limited target is set aside for as long as it requests.
    test.a.enqueue(refusal(status, 'No.', { 'retry-after-ms': '1' }));
    test.b.enqueue(answerOf(row, stream));
    const response = await test.ask(row, fields, { variant: '-two' });
    expect(await answered(row, response, stream)).toEqual([TEXT, '2']);
    expect(response.headers.get('x-gateway-fallback-from')).toBeNull();
    expect(await test.row(response)).toMatchObject({
      upstream: `b-${row.model}`,
      attempts: [{ upstream: `a-${row.model}`, status }, { outcome: 'ok' }],
    });
  });

  it('is retried at a single target', async () => {
    test.a.enqueue(refusal(500)).enqueue(answerOf(row, stream));
    expect(await answered(row, await test.ask(row, fields), stream)).toEqual([TEXT, '2']);
  });

  it('is not retried when the provider refuses the request', async () => {
    const before = test.b.requests.length;
    test.a.enqueue(refusal(400, 'Not like this.'));
    const response = await test.ask(row, fields, { variant: '-two' });
    expect(await expectApiError(row, response, { status: 400, code: 'invalid_value' })).toContain('Not like this.');
    expect(test.b.requests).toHaveLength(before);
  });

  it('is answered by a second target while the first is silent', async () => {
    const arrived = test.a.received(test.a.requests.length + 1);
    test.a.enqueue(hang());
    test.b.enqueue(answerOf(row, stream));
    const response = await test.ask(row, fields, { variant: '-hedged' });
    expect(await answered(row, response, stream)).toEqual([TEXT, '2']);
    await (await arrived).aborted;
    expect(await test.row(response)).toMatchObject({
      upstream: `b-${row.model}`,
      attempts: [{ outcome: 'outrun' }, { outcome: 'ok' }],
    });
  });

  it('is a 504 when no attempt gets an answer in time', async () => {
    test.a.always(() => hang());
    const response = await test.ask(row, fields, { variant: '-quick' });
    await expectApiError(row, response, { status: 504, code: 'upstream_timeout' });
    expect(response.headers.get('x-gateway-attempts')).toBe('3');
    expect(await test.row(response)).toMatchObject({ status: 'failed', error_code: 'upstream_timeout' });
  });

  it('is a 502 when all attempts fail', async () => {
    const response = await test.ask(row, fields);
    await expectApiError(row, response, { status: 502, code: 'upstream_error' });
    expect(response.headers.get('x-gateway-attempts')).toBe('3');
    expect(await test.row(response)).toMatchObject({ status: 'failed', cost_nanodollars: '0' });
  });
});

describe.each(ANSWER_TABLE)('%s', (_name, row, stream) => {
  it('is answered by a fallback model, which is named', async () => {
    test.b.enqueue(answerOf(row, stream));
    const response = await test.ask(row, stream ? { stream } : {}, { variant: '-main' });
    const copy = response.clone();
    expect(await answered(row, response, stream)).toEqual([TEXT, expect.any(String)]);
    expect(response.headers.get('x-gateway-fallback-from')).toBe(`${row.model}-main`);
    expect(await copy.text()).toContain(`"model":"${row.model}-spare"`);
    expect(await test.row(response)).toMatchObject({
      model: `${row.model}-main`,
      served_model: `${row.model}-spare`,
      upstream: `b-${row.model}`,
    });
  });
});

describe.each(SHARED_STREAMED_TABLE)('%s, once a text was sent', (_name, row) => {
  it('stays with its target: an error event ends the stream', async () => {
    const before = test.b.requests.length;
    test.a.enqueue(row.wire.stream([TEXTS[0], end(), hang()]));
    const response = await test.ask(row, { stream: true }, { variant: '-two' });
    expectStreamError(row, await response.text(), { status: 502, code: 'upstream_error' });
    expect(test.b.requests).toHaveLength(before);
    expect(await test.row(response)).toMatchObject({
      status: 'failed',
      error_code: 'upstream_error',
      cost_nanodollars: '0',
    });
  });
});
