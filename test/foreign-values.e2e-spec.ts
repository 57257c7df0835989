import { describe, expect, it } from '@jest/globals';
import { completion } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { expectError } from './support/error-reply.js';

const LAX = 'gpt-6-luna';
const STRICT = 'mistral-small-4';

const video = { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } };
const says = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const text = { type: 'text', text: 'Look.' };

const chat = await ChatTest.start();
chat.upstream.always(() => completion());

describe("a value that is not in OpenAI's format but a provider may support", () => {
  const values: [field: string, fields: object][] = [
    ['reasoning_effort', { reasoning_effort: 'default' }],
    ['service_tier', { service_tier: 'on_demand' }],
    ['messages[0].content[1].type', says(text, video)],
  ];

  it.each(values)('is forwarded where all fields are: %s', async (_field, fields) => {
    expect((await chat.ask({ ...fields, model: LAX })).status).toBe(200);
    expect(chat.sent()).toMatchObject(fields);
  });

  it.each(values)('is a 400 where fields are restricted: %s', async (param, fields) => {
    const requested = chat.upstream.requests.length;
    await expectError(await chat.ask({ ...fields, model: STRICT }), { status: 400, code: 'invalid_value', param });
    expect(chat.upstream.requests).toHaveLength(requested);
  });

  it.each<[param: string, code: string, fields: object]>([
    ['reasoning_effort', 'invalid_type', { reasoning_effort: 1 }],
    ['messages[0].content[0].type', 'invalid_type', says({ type: 7 })],
    ['messages[0].content[0].type', 'invalid_value', says({ type: 'refusal', refusal: 'No.' })],
    ['messages[0].content[1].text', 'invalid_type', says(video, { type: 'text', text: 1 })],
    ['messages[1].role', 'invalid_value', { messages: [...says(video).messages, { role: 'robot', content: 'a' }] }],
    ['temperature', 'invalid_value', { ...says(video), temperature: 3 }],
  ])('does not hide invalid values: %s', async (param, code, fields) => {
    await expectError(await chat.ask({ ...fields, model: LAX }), { status: 400, code, param });
  });
});

describe("a value in OpenAI's format", () => {
  it('can be an image with detail original', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'original' } };
    expect((await chat.ask({ ...says(text, image), model: LAX })).status).toBe(200);
    expect(chat.sent()).toMatchObject(says(text, image));
  });

  it.each([LAX, STRICT])('can be an empty list of stop sequences: %s', async (model) => {
    expect((await chat.ask({ stop: [], model })).status).toBe(200);
    expect(chat.sent()).not.toHaveProperty('stop');
  });
});
