import { describe, expect, it } from '@jest/globals';
import { type ApiRow, STREAMED_TABLE } from './support/api-table.js';
import { ApiTest } from './support/api-test.js';
import { json, pause } from './support/script.js';

const ROWS = STREAMED_TABLE.filter(([name]) => name !== 'text completions');

const OPENAIS =
  "This model's maximum context length is 200000 tokens. However, your messages resulted in 263118 tokens. Please reduce the length of the messages.";
const ANTHROPICS = 'prompt is too long: 263118 tokens > 200000 maximum';

const test = await ApiTest.start('retry: { attempts: 1 }\nstream: { commitAfter: 100ms, heartbeat: 50ms }');

const wordsFor = ({ client }: ApiRow) => (client.api === 'messages' ? ANTHROPICS : OPENAIS);

/** What the upstream of a row answers, in the words of another API than the client's. */
function refusal({ client }: ApiRow, message = client.api === 'messages' ? OPENAIS : ANTHROPICS) {
  return json(400, { type: 'error', error: { type: 'invalid_request_error', message } });
}

describe.each(ROWS)('a prompt that exceeds the context: %s', (_name, row) => {
  const { client } = row;
  const codeOf = client.api === 'messages' ? {} : { code: 'context_length_exceeded' };

  it("is refused in the words of the client's API", async () => {
    test.a.enqueue(refusal(row));
    const response = await test.ask(row);
    const error = client.errorOf(await response.json());
    expect({ status: response.status, error }).toMatchObject({
      status: 400,
      error: { type: 'invalid_request_error', message: wordsFor(row), ...codeOf },
    });
  });

  it('is refused in the same words after the head of a stream was sent', async () => {
    test.a.enqueue([pause(300), refusal(row)]);
    const response = await test.ask(row, { stream: true });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(client.readStream(text).error).toMatchObject({ message: wordsFor(row), ...codeOf });
    if (client.api === 'responses') expect(text).toContain('"status":"failed"');
    if (client.api === 'responses') expect(text).toContain('"error":{"code":"context_length_exceeded"');
  });

  it("has the model's context length where the upstream names none", async () => {
    test.a.enqueue(refusal(row, 'Input is too long for requested model. The prompt is too long: see the manual.'));
    const { message } = client.errorOf(await (await test.ask(row)).json());
    const expected =
      client.api === 'messages' ? /^prompt is too long: 100001 tokens > 100000 maximum$/ : /100000 tokens/;
    expect(message).toMatch(expected);
  });
});
