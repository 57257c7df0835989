import { type Answer, type AnswerChoice, type AnswerUsage, emptyChoice } from './answer.js';
import type { Exchange } from './exchanges.js';
import type { UpstreamReader } from './upstream-reader.js';

interface Block {
  type: string;
  text?: string;
  thinking?: string;
  id?: string;
  name?: string;
  input?: unknown;
  caller?: { type: string };
  /** Text, if it was streamed. */
  arguments?: string | undefined;
}

interface Usage {
  input_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
  output_tokens?: number;
  output_tokens_details?: { thinking_tokens?: number };
  iterations?: (Usage & { type: string })[];
}

interface Message {
  type: string;
  content: Block[];
  stop_reason: string | null;
  stop_details?: { explanation?: string | null } | null;
  usage?: Usage;
}

interface StreamEvent {
  type: string;
  index?: number;
  message?: Message;
  content_block?: Block;
  delta?: { type?: string; text?: string; thinking?: string; partial_json?: string } & Partial<Message>;
  usage?: Usage;
  error?: unknown;
}

const FINISH: Readonly<Record<string, string>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** Reads Anthropic's Messages API; a stream is first merged into one message. */
export const anthropicReader: UpstreamReader = {
  answer: ({ stream, body }) => reported(stream === null ? (body as Message) : messageOf(stream)),
  streamError: (stream) => eventsOf(stream).find(({ type }) => type === 'error')?.error,
  isChat: isMessage,
  finishMark: /"stop_reason":\s*"/,
  imageMark: '"type":"image"',
  speaksOpenAi: false,
};

function reported({ content, stop_reason: reason, stop_details: details, usage }: Message): Answer {
  const choice: AnswerChoice = { ...emptyChoice(), refusal: details?.explanation ?? '' };
  if (reason !== null) choice.finish = FINISH[reason] ?? 'stop';
  for (const block of content) {
    if (block.type === 'text') choice.content += block.text ?? '';
    if (block.type === 'thinking') choice.reasoning += block.thinking ?? '';
    if (block.type === 'tool_use') {
      const { id = '', name = '', input, arguments: written = JSON.stringify(input) } = block;
      choice.toolCalls.push({ id, name, arguments: written });
    }
  }
  const called = content.some(({ type, caller }) => type === 'tool_use' && (caller?.type ?? 'direct') === 'direct');
  if (choice.finish === 'stop' && called) choice.finish = 'tool_calls';
  return { choices: { 0: choice }, usage: usage ? usageOf(usage) : null };
}

/** The totals leave out what a compaction and an advisor used. */
function usageOf(usage: Usage): AnswerUsage {
  const others = usage.iterations?.filter(({ type }) => type === 'compaction' || type === 'advisor_message') ?? [];
  const billed = [usage, ...others];
  const sum = (count: (one: Usage) => number | undefined) =>
    billed.reduce((total, one) => total + (count(one) ?? 0), 0);
  const cached = sum((one) => one.cache_read_input_tokens);
  const prompt = sum((one) => one.input_tokens) + sum((one) => one.cache_creation_input_tokens) + cached;
  const completion = sum((one) => one.output_tokens);
  const reasoning = usage.output_tokens_details?.thinking_tokens ?? 0;
  return { prompt, completion, total: prompt + completion, cached, reasoning };
}

function messageOf(stream: string): Message {
  const message: Message = { type: 'message', content: [], stop_reason: null };
  const written: string[] = [];
  let started: Usage = {};
  for (const { type, index = 0, message: start, content_block: block, delta, usage } of eventsOf(stream)) {
    if (type === 'message_stop') break;
    if (type === 'message_start') started = start?.usage ?? {};
    if (type === 'content_block_start' && block) message.content[index] = { ...block };
    const open = message.content[index];
    if (type === 'content_block_delta' && open && delta) {
      if (delta.type === 'text_delta') open.text = (open.text ?? '') + delta.text;
      if (delta.type === 'thinking_delta') open.thinking = (open.thinking ?? '') + delta.thinking;
      if (delta.type === 'input_json_delta') written[index] = (written[index] ?? '') + delta.partial_json;
    }
    if (type === 'message_delta') {
      Object.assign(message, delta);
      message.usage = { ...started, ...usage };
    }
  }
  for (const [index, block] of message.content.entries()) block.arguments = written[index] || undefined;
  return message;
}

function eventsOf(stream: string): StreamEvent[] {
  return stream
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => JSON.parse(line.slice('data:'.length)));
}

function isMessage({ url, body, stream, status }: Exchange): boolean {
  if (url !== null) return new URL(url).pathname.endsWith('/messages');
  if (stream !== null) return stream.includes('"message_start"');
  return status >= 400 || (body as Message).type === 'message';
}
