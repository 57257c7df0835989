// LangChain with Responses, Chat Completions and Messages.
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
        useResponsesApi: API === 'responses',
        configuration: { baseURL: `${GATEWAY_URL}/v1` },
      });
const weather = tool(async ({ city }) => `Sunny in ${city}.`, {
  name: 'weather',
  description: 'The weather of a city.',
  schema: z.object({ city: z.string() }),
});
const bound = model.bindTools([weather]);

async function whole(messages) {
  return bound.invoke(messages);
}

async function streamed(messages) {
  let sum;
  for await (const chunk of await bound.stream(messages)) sum = sum ? sum.concat(chunk) : chunk;
  return sum;
}

/** A tool call, its answer, and the answer to a second question. */
async function conversation(answerTo) {
  const messages = [new HumanMessage('How is the weather in Paris?')];
  const request = await answerTo(messages);
  const [call] = request.tool_calls;
  const result = await weather.invoke(call.args);
  messages.push(request, new ToolMessage({ content: result, tool_call_id: call.id }));
  const first = await answerTo(messages);
  messages.push(first, new HumanMessage('And tomorrow?'));
  const second = await answerTo(messages);
  return { texts: [first.text, second.text], result };
}

const { texts, result } = await conversation(whole);
const { texts: ofStreams } = await conversation(streamed);
console.log(JSON.stringify({ texts, streamed: ofStreams, results: [result] }));
