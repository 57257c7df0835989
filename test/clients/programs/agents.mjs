// OpenAI's Agents SDK, which calls Responses by default.
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
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
const { finalOutput } = await runner.run(agent, 'How is the weather in Paris?');
const stream = await runner.run(agent, 'How is the weather in Paris?', { stream: true });
await stream.completed;
console.log(JSON.stringify({ text: finalOutput, streamed: stream.finalOutput, results: results.slice(0, 1) }));
