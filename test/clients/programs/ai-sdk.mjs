// The Vercel AI SDK: OpenAI's Responses (its default) and Chat Completions, Azure's Responses, Anthropic's Messages.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createAzure } from '@ai-sdk/azure';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

const { GATEWAY_URL, GATEWAY_KEY, MODEL, API, STORED } = process.env;
const settings = { baseURL: `${GATEWAY_URL}/v1`, apiKey: GATEWAY_KEY };
const models = {
  messages: () => createAnthropic(settings)(MODEL),
  chat: () => createOpenAI(settings).chat(MODEL),
  responses: () => createOpenAI(settings)(MODEL),
  azure: () => createAzure({ baseURL: `${GATEWAY_URL}/openai/v1`, apiKey: GATEWAY_KEY })(MODEL),
};
const model = models[API]();
// By default it refers to the items of earlier answers by their ids. See docs/clients.md.
const providerOptions = API !== 'chat' && STORED === 'no' ? { openai: { store: false } } : {};

const weather = tool({
  description: 'The weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `Sunny in ${city}.`,
});
const settingsOfAll = { model, tools: { weather }, stopWhen: stepCountIs(3), providerOptions };
const question = [{ role: 'user', content: 'How is the weather in Paris?' }];
const followUp = (messages) => [...question, ...messages, { role: 'user', content: 'And tomorrow?' }];

const first = await generateText({ ...settingsOfAll, messages: question });
const second = await generateText({ ...settingsOfAll, messages: followUp(first.response.messages) });
const streamed = streamText({ ...settingsOfAll, messages: question });
const firstText = await streamed.text;
const secondStream = streamText({ ...settingsOfAll, messages: followUp((await streamed.response).messages) });
console.log(
  JSON.stringify({
    texts: [first.text, second.text],
    streamed: [firstText, await secondStream.text],
    results: first.steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output)),
  }),
);
