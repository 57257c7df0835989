import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';

/** What an agent did: the results of its tools, in order, and the last answer. */
export interface AgentRun {
  readonly results: readonly string[];
  readonly answer: string;
}

/** An agent of one API that does what the API's documentation shows: it sends everything back that it got. */
export interface AgentLoop {
  readonly api: string;
  run(address: { url: string; key: string; model: string }, isStreamed: boolean): Promise<AgentRun>;
}

const QUESTION = 'How is the weather in Paris and in Rome?';
const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const;
const MOST_TURNS = 6;

function weatherIn(text: string): string {
  const { city } = JSON.parse(text) as { city: string };
  return `Sunny in ${city}.`;
}

export const CHAT_LOOP: AgentLoop = {
  api: 'chat',
  run: async ({ url, key, model }, isStreamed) => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: SCHEMA } }];
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: QUESTION }];
    const results: string[] = [];
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const request = { model, messages, tools };
      const { choices } = isStreamed
        ? await client.chat.completions.stream(request).finalChatCompletion()
        : await client.chat.completions.create(request);
      const message = choices[0]?.message;
      if (!message?.tool_calls?.length) return { results, answer: message?.content ?? '' };
      messages.push(message);
      for (const call of message.tool_calls) {
        if (call.type !== 'function') throw new Error(`unexpected call of type ${call.type}`);
        results.push(weatherIn(call.function.arguments));
        messages.push({ role: 'tool', tool_call_id: call.id, content: results.at(-1) ?? '' });
      }
    }
    throw new Error('the agent did not finish');
  },
};

export const RESPONSES_LOOP: AgentLoop = {
  api: 'responses',
  run: async ({ url, key, model }, isStreamed) => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
    const tools = [{ type: 'function' as const, name: 'weather', parameters: SCHEMA, strict: true }];
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: QUESTION }];
    const results: string[] = [];
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const request = { model, input, tools };
      const response: OpenAI.Responses.Response = isStreamed
        ? await client.responses.stream(request).finalResponse()
        : await client.responses.create(request);
      const { output, output_text: answer } = response;
      const calls = output.filter((item) => item.type === 'function_call');
      if (calls.length === 0) return { results, answer };
      input.push(...(output as OpenAI.Responses.ResponseInput));
      for (const call of calls) {
        results.push(weatherIn(call.arguments));
        input.push({ type: 'function_call_output', call_id: call.call_id, output: results.at(-1) ?? '' });
      }
    }
    throw new Error('the agent did not finish');
  },
};

export const MESSAGES_LOOP: AgentLoop = {
  api: 'messages',
  run: async ({ url, key, model }, isStreamed) => {
    const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 });
    const tools = [{ name: 'weather', input_schema: { ...SCHEMA, required: [...SCHEMA.required] } }];
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: QUESTION }];
    const results: string[] = [];
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const request = { model, messages, tools, max_tokens: 4000 };
      const { content } = isStreamed
        ? await client.messages.stream(request).finalMessage()
        : await client.messages.create(request);
      const calls = content.filter((block) => block.type === 'tool_use');
      if (calls.length === 0) {
        return { results, answer: content.map((block) => (block.type === 'text' ? block.text : '')).join('') };
      }
      messages.push({ role: 'assistant', content });
      messages.push({
        role: 'user',
        content: calls.map(({ id, input }) => {
          results.push(weatherIn(JSON.stringify(input)));
          return { type: 'tool_result' as const, tool_use_id: id, content: results.at(-1) ?? '' };
        }),
      });
    }
    throw new Error('the agent did not finish');
  },
};

export const AGENT_LOOPS: readonly AgentLoop[] = [CHAT_LOOP, RESPONSES_LOOP, MESSAGES_LOOP];
