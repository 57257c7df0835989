import { describe, expect, it } from '@jest/globals';
import { clientEvents, eventsIn, toClient } from './support/native-checks.js';
import { API_CASES, answersOf, NativeTest, streamOf, textEvents } from './support/native-test.js';
import { drip, head, json, reply } from './support/script.js';

const native = await NativeTest.start();

describe.each(API_CASES)('a request of the %s API to an upstream with the same API', (api, one) => {
  const answer = () => json(200, answersOf(one, false)[0]?.body);

  it('arrives unchanged, except for the model, `store` and `include`', async () => {
    native.upstream.enqueue(answer());
    const unknown = { future_field: { z: [1.5, null], a: { deep: true } }, metadata: {} };
    const fields =
      api === 'messages' ? { ...unknown, system: [{ type: 'text', text: 'Be brief.', future: 1 }] } : unknown;
    const response = await native.ask(one, fields);
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    const { path, headers } = native.sent;
    const { model: _, ...question } = one.question;
    const store = api === 'responses' ? { store: false, include: ['reasoning.encrypted_content'] } : {};
    expect(path).toBe(one.upstreamPath);
    expect(native.sent.json()).toEqual({ ...question, ...fields, ...store, model: one.upstreamModel });
    expect(headers).toMatchObject(one.headers);
    expect(headers.authorization ?? headers['x-api-key']).not.toContain(native.user.key.key);
  });

  it('has an image/jpg as image/jpeg', async () => {
    native.upstream.enqueue(answer());
    const fields = (type: string) =>
      api === 'messages'
        ? {
            messages: [
              {
                role: 'user',
                content: [{ type: 'image', source: { type: 'base64', media_type: type, data: '/9j/4AAQ' } }],
              },
            ],
          }
        : {
            input: [{ role: 'user', content: [{ type: 'input_image', image_url: `data:${type};base64,/9j/4AAQ` }] }],
          };
    const response = await native.ask(one, fields('image/jpg'));
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    expect(response.headers.get('x-gateway-ignored-parameters')).toBeNull();
    expect(native.sent.json()).toMatchObject(fields('image/jpeg'));
  });

  it('keeps the digits of numbers, and the form of texts', async () => {
    native.upstream.enqueue(answer());
    const list =
      api === 'messages'
        ? '[{"role":"user","content":"H\\u00e9"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"id":12345678901234567890,"x":1.0}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"1"}]}]'
        : '[{"role":"user","content":"H\\u00e9","future":{"id":12345678901234567890,"x":1.0}}]';
    const name = api === 'messages' ? 'messages' : 'input';
    const body = `{"${name}":${list},"${one.limit}":500,"model":"${one.model}","future":{"n":1.50}}`;
    const response = await native.post(one.path, body, { headers: one.headers });
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    expect(native.sent.body).toContain(list);
    expect(native.sent.body).toContain('"future":{"n":1.50}');
  });

  it('keeps the bytes of long lists, and the order of their content', async () => {
    native.upstream.enqueue(answer());
    const list = `[ {"role":"user", "content":[{"text":"${'Hé\\u00e9 '.repeat(4000)}","type":"${api === 'messages' ? 'text' : 'input_text'}"}]} ]`;
    const name = api === 'messages' ? 'messages' : 'input';
    const body = `{"${one.limit}": 500, "${name}": ${list}, "model": "${one.model}"}`;
    const response = await native.post(one.path, body, { headers: one.headers });
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    expect(native.sent.body).toContain(list);
  });

  it.each(answersOf(one, false).map((exchange) => [exchange.file, exchange] as const))(
    'gets the answer %s unchanged but for the model',
    async (_file, { body }) => {
      const text = JSON.stringify(body, null, 2);
      native.upstream.enqueue(reply(200, { 'content-type': 'application/json' }, text));
      const response = await native.ask(one);
      expect([response.status, await response.text()]).toEqual([200, toClient(text, modelIn(body), one.model)]);
      expect(await native.row(response)).toMatchObject({
        status: 'settled',
        token_source: 'reported',
        model: one.model,
      });
    },
  );

  it.each(answersOf(one, true).map((exchange) => [exchange.file, exchange] as const))(
    'gets the stream %s event by event, split at every byte',
    async (_file, { stream }) => {
      const type = { 'content-type': 'text/event-stream', connection: 'close' };
      native.upstream.enqueue([head(200, type), drip(stream ?? ''), (wire) => wire.end()]);
      const response = await native.ask(one, { stream: true });
      const events = eventsIn(await response.text());
      expect(events).toEqual(clientEvents(stream ?? '').map((sent) => withModel(sent, one.model)));
      expect(await native.row(response)).toMatchObject({ status: 'settled', token_source: 'reported' });
    },
  );

  it('gets a stream, even if the upstream answers with JSON', async () => {
    native.upstream.enqueue(answer());
    const response = await native.ask(one, { stream: true });
    const events = eventsIn(await response.text());
    expect(response.status).toBe(200);
    expect(events.at(-1)?.event).toBe(one.lastEvent);
    expect(events.length).toBeGreaterThan(4);
    expect(await native.row(response)).toMatchObject({ status: 'settled', token_source: 'reported' });
  });

  it.each([false, true])('is answered once with an Idempotency-Key, streamed: %p', async (stream) => {
    const events = textEvents(one);
    native.upstream.enqueue(stream ? streamOf(events) : answer());
    const init = { headers: { 'idempotency-key': `key-${api}-${stream}` } };
    const requested = native.upstream.requests.length;
    const texts: string[] = [];
    for (let turn = 0; turn < 2; turn++) texts.push(await (await native.ask(one, { stream }, init)).text());
    expect(texts[1]).toBe(texts[0]);
    expect(texts[0]).toContain(stream ? one.lastEvent : `"${one.model}"`);
    expect(native.upstream.requests.length - requested).toBe(1);
  });

  it('gets names of events if the upstream sends none', async () => {
    const unnamed = textEvents(one).map((event) => event.replace(/^event: .*\n/, ''));
    native.upstream.enqueue(streamOf([...unnamed, 'data: [DONE]\n\n']));
    native.upstream.enqueue(streamOf(textEvents(one)));
    const [first, second] = [await native.ask(one, { stream: true }), await native.ask(one, { stream: true })];
    const text = await first.text();
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(text).not.toContain('[DONE]');
    expect(text).toBe(await second.text());
  });

  it("gets the upstream's error in the format of the API, without the upstream's model name", async () => {
    const error = { message: `The model ${one.upstreamModel} cannot do this.`, type: 'invalid_request_error' };
    native.upstream.enqueue(json(400, { type: 'error', error }));
    const response = await native.ask(one);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: `The model ${one.model} cannot do this.` } });
  });
});

function modelIn(body: unknown): unknown {
  return (body as { model: string }).model;
}

function withModel({ event, data }: { event: string; data: string }, model: string) {
  return { event, data: data.replace('"public-model"', JSON.stringify(model)) };
}
