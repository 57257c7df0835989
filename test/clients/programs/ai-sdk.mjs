// The Vercel AI SDK with its default models: OpenAI's Responses and Anthropic's Messages.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

const { GATEWAY_URL, GATEWAY_KEY, MODEL, API } = process.env;
const settings = { baseURL: `${GATEWAY_URL}/v1`, apiKey: GATEWAY_KEY };
const model = API === 'messages' ? createAnthropic(settings)(MODEL) : createOpenAI(settings)(MODEL);

const weather = tool({
  description: 'The weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `Sunny in ${city}.`,
});
const question = { model, tools: { weather }, stopWhen: stepCountIs(3), prompt: 'How is the weather in Paris?' };

const whole = await generateText(question);
const streamed = streamText(question);
console.log(
  JSON.stringify({
    text: whole.text,
    streamed: await streamed.text,
    results: whole.steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output)),
    outputTokens: whole.usage.outputTokens,
  }),
);
