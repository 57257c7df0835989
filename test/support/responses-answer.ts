import { type Answer, emptyChoice } from './answer.js';
import type { Exchange } from './exchanges.js';
import type { UpstreamReader } from './upstream-reader.js';

interface RawResponse {
  status: string;
  incomplete_details: { reason: string } | null;
  output: RawItem[];
  usage: RawUsage | null;
}

type RawItem =
  | { type: 'message'; content: ({ type: 'output_text'; text: string } | { type: 'refusal'; refusal: string })[] }
  | { type: 'reasoning'; summary: { text: string }[]; content?: { text: string }[] | null }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'web_search_call' | 'file_search_call' | 'custom_tool_call' };

interface RawUsage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  input_tokens_details: { cached_tokens: number };
  output_tokens_details: { reasoning_tokens: number };
}

interface RawEvent {
  type: string;
  delta?: string;
  response?: RawResponse;
}

/** Reads OpenAI's Responses API; of a stream, the whole response in its last event. */
export const responsesReader: UpstreamReader = {
  answer(exchange: Exchange): Answer {
    if (exchange.stream === null) return answerOf(exchange.body as RawResponse);
    const events = eventsOf(exchange.stream);
    const last = events.find(({ type }) => type === 'response.completed' || type === 'response.incomplete');
    if (last?.response) return answerOf(last.response);
    const choice = emptyChoice();
    for (const event of events) if (event.type === 'response.output_text.delta') choice.content += event.delta;
    return { choices: { 0: choice }, usage: null };
  },
  streamError: (stream) => eventsOf(stream).find(({ type }) => type === 'error' || type === 'response.failed'),
  isChat: ({ url, body }) =>
    url === null ? (body as { object?: string }).object === 'response' : new URL(url).pathname.endsWith('/responses'),
  finishMark: /"type":\s*"response\.(?:completed|incomplete)"/,
  imageMark: 'input_image',
  speaksOpenAi: false,
  folders: ['azure', 'openai'],
};

function eventsOf(stream: string): RawEvent[] {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice('data:'.length)));
}

function answerOf({ status, incomplete_details: details, output, usage }: RawResponse): Answer {
  const choice = emptyChoice();
  const thoughts: string[] = [];
  for (const item of output) {
    if (item.type === 'reasoning') thoughts.push(...thoughtsOf(item));
    if (item.type === 'function_call') {
      choice.toolCalls.push({ id: item.call_id, name: item.name, arguments: item.arguments });
    }
    for (const part of item.type === 'message' ? item.content : []) {
      if (part.type === 'refusal') choice.refusal += part.refusal;
      else choice.content += part.text;
    }
  }
  choice.reasoning = thoughts.join('\n\n');
  choice.finish = output.some(({ type }) => CALLS.has(type)) ? 'tool_calls' : 'stop';
  if (status === 'incomplete') choice.finish = details?.reason === 'content_filter' ? 'content_filter' : 'length';
  return { choices: { 0: choice }, usage: usage && usageOf(usage) };
}

/** The summary, else the reasoning itself. */
function thoughtsOf({ summary, content }: Extract<RawItem, { type: 'reasoning' }>): string[] {
  return (summary.length > 0 ? summary : (content ?? [])).map(({ text }) => text);
}

const CALLS: ReadonlySet<string> = new Set(['function_call', 'custom_tool_call']);

function usageOf(usage: RawUsage): NonNullable<Answer['usage']> {
  return {
    prompt: usage.input_tokens,
    completion: usage.output_tokens,
    total: usage.total_tokens,
    cached: usage.input_tokens_details.cached_tokens,
    reasoning: usage.output_tokens_details.reasoning_tokens,
  };
}
