import { describe, expect, it } from '@jest/globals';
import { ANSWER_TABLE, API_TABLE, CALL_TABLE, SHARED_TABLE } from './support/api-table.js';
import {
  ApiTest,
  answerOf,
  COST_NANODOLLARS,
  expectApiError,
  PROMPT,
  TEXTS,
  UPSTREAM_KEY,
} from './support/api-test.js';
import { refusal, USAGE } from './support/chat-answers.js';
import { eventually } from './support/eventually.js';
import { metricOf, readMetrics } from './support/metrics-text.js';

const LIMIT = 1_000_000;

const test = await ApiTest.start(`retry: { attempts: 1 }\nserver: { bodyLimit: ${LIMIT}b }`);

const requested = () => test.a.requests.length;
const answers = async (labels: Record<string, string>) =>
  metricOf(readMetrics(await (await test.gateway.get('/metrics')).text()), 'gateway_answers_total', labels);

const AZURE_TABLE = API_TABLE.filter((row) => !CALL_TABLE.includes(row)).map(
  ([name, row]) => [name, row, false] as const,
);

describe.each([...ANSWER_TABLE, ...AZURE_TABLE])('a call: %s', (_name, row, stream) => {
  it('is served, written to the ledger with the reported usage, logged and counted', async () => {
    const before = await answers({ api: row.client.api, status: '200', code: 'ok' });
    test.a.enqueue(answerOf(row, stream));
    const response = await test.ask(row, stream ? { stream } : {});
    const text = await response.text();
    expect({ status: response.status, text }).toMatchObject({ status: 200 });
    if (stream) expect(row.client.readStream(text)).toEqual({ text: TEXTS.join(''), error: null, isWhole: true });
    else expect(row.client.textOf(JSON.parse(text))).toBe(TEXTS.join(''));
    expect(test.a.requests.at(-1)?.path).toBe(row.wire.path);
    expect(JSON.stringify(test.a.requests.at(-1)?.headers)).not.toContain(test.user.key.key);
    const output = row.streams ? USAGE.completion_tokens : 0;
    expect(await test.row(response)).toMatchObject({
      api: row.client.api,
      stream,
      model: row.model,
      upstream_model: 'up',
      status: 'settled',
      token_source: 'reported',
      input_tokens: String(USAGE.prompt_tokens),
      output_tokens: String(output),
      cost_nanodollars: row.streams ? COST_NANODOLLARS.chat : COST_NANODOLLARS.embeddings,
    });
    const id = response.headers.get('x-request-id');
    const line = await eventually(() =>
      test.gateway.log.find(({ requestId, msg }) => requestId === id && msg === 'request'),
    );
    expect(line).toMatchObject({ api: row.client.api, model: row.model, outcome: 'settled', attempts: 1 });
    expect(line.tokens).toMatchObject({ input: USAGE.prompt_tokens, output });
    await eventually(async () => (await answers({ api: row.client.api, status: '200', code: 'ok' })) === before + 1);
  });
});

async function expectNoUpstreamRequest(check: () => Promise<unknown>): Promise<void> {
  const before = requested();
  await check();
  expect(requested()).toBe(before);
}

describe.each(API_TABLE)('a request: %s', (_name, row) => {
  it('a request without a key is a 401, even if its body is not JSON', async () => {
    const response = await test.post(row, '{"model":', { user: null });
    await expectApiError(row, response, { status: 401, code: 'invalid_api_key' });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('a request for an unknown model or a model of another plan is a 404', () =>
    expectNoUpstreamRequest(async () => {
      const missing = { status: 404, code: 'model_not_found' };
      const messages: string[] = [];
      for (const variant of ['-hidden', '-absent']) {
        const message = await expectApiError(row, await test.ask(row, {}, { variant }), missing);
        messages.push(message.replaceAll(variant, ''));
      }
      expect(messages[0]).toBe(messages[1]);
    }));
});

describe.each(SHARED_TABLE)('a request: %s', (_name, row) => {
  it('a request whose body is not JSON is a 400', () =>
    expectNoUpstreamRequest(async () => {
      const message = await expectApiError(row, await test.post(row, `{"${PROMPT}`), {
        status: 400,
        code: 'invalid_json',
      });
      expect(message).not.toContain(PROMPT);
    }));

  it('a request whose body is too large is a 413', () =>
    expectNoUpstreamRequest(async () => {
      const response = await test.ask(row, { user: 'x'.repeat(LIMIT) });
      await expectApiError(row, response, { status: 413, code: 'request_too_large' });
    }));

  it('a request with another content type is a 415', () =>
    expectNoUpstreamRequest(async () => {
      const response = await test.ask(row, {}, { headers: { 'content-type': 'text/xml' } });
      await expectApiError(row, response, { status: 415, code: 'unsupported_media_type' });
    }));
});

describe.each(CALL_TABLE)('a request: %s', (_name, row) => {
  it('gets no secret or account of the provider when the provider refuses it', async () => {
    test.a.enqueue(refusal(401, `Incorrect API key provided: ${UPSTREAM_KEY}, account acct-77.`));
    const response = await test.ask(row);
    const message = await expectApiError(row, response, { status: 502, code: 'upstream_error' });
    expect(message).not.toMatch(/sk-upstream|acct-77/);
    expect(await test.row(response)).toMatchObject({ api: row.client.api, status: 'failed', cost_nanodollars: '0' });
  });
});

describe('the log', () => {
  it('contains no keys, prompts or secrets', () => {
    const log = JSON.stringify(test.gateway.log);
    expect(test.gateway.log.length).toBeGreaterThan(API_TABLE.length);
    for (const secret of [test.user.key.key, PROMPT, UPSTREAM_KEY, TEXTS.join('')]) expect(log).not.toContain(secret);
  });
});
