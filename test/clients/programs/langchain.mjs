// LangChain with Responses and with Messages.
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';

const { GATEWAY_URL, GATEWAY_KEY, MODEL, API } = process.env;
const model =
  API === 'messages'
    ? new ChatAnthropic({ model: MODEL, apiKey: GATEWAY_KEY, anthropicApiUrl: GATEWAY_URL })
    : new ChatOpenAI({
        model: MODEL,
        apiKey: GATEWAY_KEY,
        useResponsesApi: true,
        configuration: { baseURL: `${GATEWAY_URL}/v1` },
      });
const weather = tool(async ({ city }) => `Sunny in ${city}.`, {
  name: 'weather',
  description: 'The weather of a city.',
  schema: z.object({ city: z.string() }),
});
const bound = model.bindTools([weather]);
const messages = [new HumanMessage('How is the weather in Paris?')];
const asked = await bound.invoke(messages);
const [call] = asked.tool_calls;
const result = await weather.invoke(call.args);
messages.push(asked, new ToolMessage({ content: result, tool_call_id: call.id }));
const answer = await bound.invoke(messages);
let streamed = '';
for await (const chunk of await bound.stream(messages)) streamed += chunk.text;
console.log(JSON.stringify({ text: answer.text, streamed, results: [result] }));
