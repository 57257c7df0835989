// OpenAI's Agents SDK, which calls Responses by default.
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool, user } from '@openai/agents';
import { z } from 'zod';

const { GATEWAY_URL, GATEWAY_KEY, MODEL } = process.env;
setTracingDisabled(true);
const results = [];
const weather = tool({
  name: 'weather',
  description: 'The weather of a city.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => {
    results.push(`Sunny in ${city}.`);
    return results.at(-1);
  },
});
const runner = new Runner({
  modelProvider: new OpenAIProvider({ baseURL: `${GATEWAY_URL}/v1`, apiKey: GATEWAY_KEY }),
});
const agent = new Agent({ name: 'Weather', instructions: 'Be brief.', model: MODEL, tools: [weather] });

async function streamOf(input) {
  const stream = await runner.run(agent, input, { stream: true });
  await stream.completed;
  return stream;
}

const first = await runner.run(agent, 'How is the weather in Paris?');
const second = await runner.run(agent, [...first.history, user('And tomorrow?')]);
const firstStream = await streamOf('How is the weather in Paris?');
const secondStream = await streamOf([...firstStream.history, user('And tomorrow?')]);
console.log(
  JSON.stringify({
    texts: [first.finalOutput, second.finalOutput],
    streamed: [firstStream.finalOutput, secondStream.finalOutput],
    results: results.slice(0, 1),
  }),
);
