import { afterAll, beforeAll, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { TestGateway } from './support/test-gateway.js';

let gateway: TestGateway;
let client: OpenAI;
const model = 'gpt-5.4-nano';

beforeAll(async () => {
  gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });
  const { key } = await gateway.createUser({ plan: 'pro' });
  client = new OpenAI({ apiKey: key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
});
afterAll(() => gateway?.stop());

it('x', async () => {
  const r = await client.responses.create({ model, input: 'Hello' });
  console.log(JSON.stringify(r, null, 1));
  const s = client.responses.stream({ model, input: 'Hello', tools: [{type:'function', name:'f', parameters:{type:'object',properties:{a:{type:'string'}}}, strict:false}], tool_choice:'required' });
  for await (const e of s) console.log(JSON.stringify(e).slice(0,300));
  console.log(JSON.stringify(await s.finalResponse()));
});
