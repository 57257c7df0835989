import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { json, sse } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const PROJECT = '/v1/projects/my-project/locations/europe-west4/publishers/google/models/gemini-3.8-flash';
const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 2, thoughtsTokenCount: 4, totalTokenCount: 11 };
const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } }];

function answer(parts: object[], finishReason?: string): object {
  return {
    candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
    usageMetadata,
    modelVersion: 'gemini-3.8-flash',
  };
}

describe('Vertex AI with a service account', () => {
  let vertex: ScriptedUpstream;
  let tokenServer: ScriptedUpstream;
  let gateway: TestGateway;
  let user: TestUser;
  let openai: OpenAI;

  beforeAll(async () => {
    vertex = await ScriptedUpstream.start();
    tokenServer = await ScriptedUpstream.start();
    tokenServer.always(() => json(200, { access_token: 'ya29.token', expires_in: 3599, token_type: 'Bearer' }));
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const account = {
      type: 'service_account',
      client_email: 'gateway@my-project.iam.gserviceaccount.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: `${tokenServer.url}/token`,
    };
    gateway = await TestGateway.start({
      env: { VERTEX_CREDENTIALS: JSON.stringify(account), VERTEX_BASE_URL: vertex.url },
      config: {
        'gateway.yaml': 'retry: { attempts: 1 }',
        'upstreams.yaml':
          'vertex: { protocol: gemini, baseUrl: "https://europe-west4-aiplatform.googleapis.com",' +
          ' project: my-project, location: europe-west4, auth: google }',
        'models.yaml':
          '- { id: gemini, tier: free, displayName: Gemini, description: Gemini, contextLength: 1000,' +
          ' targets: [{ upstream: vertex, model: gemini-3.8-flash }] }',
      },
    });
    user = await gateway.createUser();
    openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: user.key.key, maxRetries: 0 });
  });

  it('answers a conversation with tools through the SDK, streamed, and gets its signatures back', async () => {
    const call = { functionCall: { name: 'weather', args: { city: 'Bern' } }, thoughtSignature: 'c2ln' };
    vertex.enqueue(sse([answer([call]), answer([{ text: '' }], 'STOP')], { done: false }));
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'How is the weather in Bern?' }];
    const stream = openai.chat.completions.stream({ model: 'gemini', messages, tools });
    const [choice] = (await stream.finalChatCompletion()).choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    const [toolCall] = choice?.message.tool_calls ?? [];
    expect(toolCall).toMatchObject({ function: { name: 'weather', arguments: '{"city":"Bern"}' } });

    vertex.enqueue(json(200, answer([{ text: 'Fine.' }], 'STOP')));
    messages.push(choice?.message as ChatCompletionMessageParam);
    messages.push({ role: 'tool', tool_call_id: toolCall?.id ?? '', content: 'sunny' });
    const completion = await openai.chat.completions.create({ model: 'gemini', messages, tools });
    expect(completion).toMatchObject({
      model: 'gemini',
      choices: [{ message: { content: 'Fine.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 },
    });

    expect(vertex.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      [`${PROJECT}:streamGenerateContent?alt=sse`, 'Bearer ya29.token'],
      [`${PROJECT}:generateContent`, 'Bearer ya29.token'],
    ]);
    expect(vertex.requests[1]?.json()).toHaveProperty('contents', [
      { role: 'user', parts: [{ text: 'How is the weather in Bern?' }] },
      { role: 'model', parts: [call] },
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: 'sunny' } } }] },
    ]);
    expect(tokenServer.requests).toHaveLength(1);
  });

  it('reveals nothing of its account, neither to the client nor in the log', async () => {
    vertex.enqueue(
      json(403, { error: { code: 403, message: 'gateway@my-project may not.', status: 'PERMISSION_DENIED' } }),
    );
    const refused = await gateway.complete(user, { model: 'gemini', messages: [{ role: 'user', content: 'Hi' }] });
    expect(refused.status).toBe(502);
    expect(await refused.text()).not.toContain('my-project');
    expect(JSON.stringify(gateway.log)).not.toMatch(/ya29|PRIVATE KEY|gserviceaccount/);
  });
});
