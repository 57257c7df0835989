import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import type OpenAI from 'openai';
import { completion, stream } from './chat-answers.js';
import { nativeResponse, nativeResponseStream } from './native-response.js';
import { eventsIn, ResponsesFollower } from './responses-events.js';
import { ResponsesTest } from './responses-test.js';
import { json } from './script.js';
import { createMigratedDatabase, type TestDatabase } from './test-database.js';

export const NOT_FOUND = { status: 404, code: 'response_not_found' };

const REMEMBER = {
  settings: 'responses: { remember: 30d, maxPerOwner: 1mb }',
  env: { CONTENT_LOG_KEY: randomBytes(32).toString('base64') },
};

/** A gateway that remembers responses; the upstream of the model `openai` has the Responses API, the others do not. */
export class RememberingTest {
  private constructor(
    readonly database: TestDatabase,
    readonly api: ResponsesTest,
  ) {}

  static async start(): Promise<RememberingTest> {
    const database = await createMigratedDatabase();
    return new RememberingTest(database, await ResponsesTest.start({}, { ...REMEMBER, database }));
  }

  /** Another gateway on the same database. */
  startOther({ remembers }: { remembers: boolean }): Promise<ResponsesTest> {
    const { database, api } = this;
    return ResponsesTest.start({}, { ...(remembers && REMEMBER), database, user: api.user });
  }

  get client(): OpenAI {
    return this.api.client;
  }

  clientOf(key: string): OpenAI {
    return this.client.withOptions({ apiKey: key });
  }

  /** The upstream's next answer. */
  enqueue(model: string, streamed: boolean, text: string): void {
    const { upstream } = this.api;
    if (model !== 'openai') upstream.enqueue(streamed ? stream([text]) : completion(text));
    else upstream.enqueue(streamed ? nativeResponseStream(text) : json(200, nativeResponse(text)));
  }

  /** One call that gets this text; a stream is read to its end. */
  async turn(model: string, streamed: boolean, text: string, fields: object): Promise<OpenAI.Responses.Response> {
    this.enqueue(model, streamed, text);
    const request = { model, ...fields } as OpenAI.Responses.ResponseCreateParamsNonStreaming;
    if (!streamed) return this.client.responses.create(request);
    const reply = await this.api.ask({ ...request, stream: true });
    const followed = new ResponsesFollower(eventsIn(await reply.text()));
    expect(followed.faults).toEqual([]);
    return followed.response as unknown as OpenAI.Responses.Response;
  }

  /** The texts of the upstream's last request, oldest first. */
  receivedTexts(): string[] {
    const { input, messages } = this.api.received as Record<string, { content?: string | { text: string }[] | null }[]>;
    return (input ?? messages ?? []).flatMap(({ content }) =>
      Array.isArray(content) ? content.map(({ text }) => text) : (content ?? []),
    );
  }

  rows(): Promise<{ response_id: string; content: Buffer }[]> {
    return this.database.query('SELECT * FROM remembered_responses ORDER BY at');
  }
}

export async function errorOf(reply: Response): Promise<{ param: string; code: string; message: string }> {
  return ((await reply.json()) as { error: { param: string; code: string; message: string } }).error;
}
