// OpenAI's client for Node: the documented loops of Responses and of Chat Completions.
import OpenAI from 'openai';

const { GATEWAY_URL, GATEWAY_KEY, MODEL: model, API } = process.env;
const client = new OpenAI({ baseURL: `${GATEWAY_URL}/v1`, apiKey: GATEWAY_KEY });
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const weather = { name: 'weather', description: 'The weather of a city.', parameters, strict: true };
const question = { role: 'user', content: 'How is the weather in Paris?' };
const followUp = { role: 'user', content: 'And tomorrow?' };
const resultOf = (text) => `Sunny in ${JSON.parse(text).city}.`;

async function byResponses(isStreamed) {
  const input = [question];
  const answer = async () => {
    const request = { model, input, tools: [{ type: 'function', ...weather }] };
    const response = isStreamed
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.create(request);
    input.push(...response.output);
    return response;
  };
  const { output } = await answer();
  const call = output.find(({ type }) => type === 'function_call');
  const result = resultOf(call.arguments);
  input.push({ type: 'function_call_output', call_id: call.call_id, output: result });
  const first = await answer();
  input.push(followUp);
  return { texts: [first.output_text, (await answer()).output_text], result };
}

async function byChat(isStreamed) {
  const messages = [question];
  const answer = async () => {
    const request = { model, messages, tools: [{ type: 'function', function: weather }] };
    const { choices } = isStreamed
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request);
    messages.push(choices[0].message);
    return choices[0].message;
  };
  const [call] = (await answer()).tool_calls;
  const result = resultOf(call.function.arguments);
  messages.push({ role: 'tool', tool_call_id: call.id, content: result });
  const first = await answer();
  messages.push(followUp);
  return { texts: [first.content, (await answer()).content], result };
}

const conversation = API === 'chat' ? byChat : byResponses;
const { texts, result } = await conversation(false);
const { texts: streamed } = await conversation(true);
console.log(JSON.stringify({ texts, streamed, results: [result] }));
