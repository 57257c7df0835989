import { type Answer, type AnswerChoice, type AnswerUsage, emptyChoice } from './answer.js';

/** Fields of all upstreams with OpenAI's format. */
interface RawBody {
  choices?: RawChoice[];
  usage?: RawUsage | null;
  x_groq?: { usage?: RawUsage };
  error?: { message: string };
}

interface RawChoice {
  index: number;
  message?: RawMessage;
  delta?: RawMessage;
  finish_reason?: string | null;
}

interface RawMessage {
  content?: string | RawPart[] | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  refusal?: string | null;
  tool_calls?: RawToolCall[] | null;
  function_call?: { name?: string; arguments?: string };
}

type RawPart = { type: 'text'; text: string } | { type: 'thinking'; thinking: { text: string }[] };

interface RawToolCall {
  index?: number;
  id: string;
  function: { name: string; arguments?: string };
}

interface RawUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  num_cached_tokens?: number;
  cached_tokens?: number;
  prompt_tokens_details?: { cached_tokens?: number; audio_tokens?: number };
  completion_tokens_details?: { reasoning_tokens?: number };
}

/**
 * Reads an upstream's answer in OpenAI's format in the simplest way, independent of adapters: the whole text at once,
 * trying every known place of each fact. The adapter's result must match it.
 */
export function upstreamAnswer(recording: { stream: string | null; body: unknown }): Answer {
  const bodies = recording.stream === null ? [recording.body as RawBody] : eventsOf(recording.stream);
  const answer: Answer = { choices: {}, usage: null };
  for (const body of bodies) {
    const usage = body.usage ?? body.x_groq?.usage;
    if (usage) answer.usage = usageOf(usage);
    for (const choice of body.choices ?? []) {
      answer.choices[choice.index] ??= emptyChoice();
      addTo(answer.choices[choice.index] as AnswerChoice, choice);
    }
  }
  for (const choice of Object.values(answer.choices)) {
    for (const call of choice.toolCalls) call.arguments ||= '{}';
    if (choice.finish === 'eos') choice.finish = 'stop';
    if (choice.toolCalls.length > 0 && choice.finish === 'stop') choice.finish = 'tool_calls';
  }
  return answer;
}

/** The error that an upstream reported inside a stream. */
export function streamError(stream: string): { message: string } | undefined {
  return eventsOf(stream).find((event) => event.error)?.error;
}

function eventsOf(stream: string): RawBody[] {
  return stream
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => JSON.parse(line.slice('data:'.length)));
}

function addTo(choice: AnswerChoice, raw: RawChoice): void {
  const part: RawMessage = raw.message ?? raw.delta ?? {};
  const { content } = part;
  const items: RawPart[] = Array.isArray(content) ? content : [{ type: 'text', text: content ?? '' }];
  for (const item of items) {
    if (item.type === 'text') choice.content += item.text;
    else choice.reasoning += item.thinking.map(({ text }) => text).join('');
  }
  choice.reasoning += part.reasoning_content ?? part.reasoning ?? '';
  choice.refusal += part.refusal ?? '';
  for (const call of part.tool_calls ?? []) addToolCall(choice, call);
  if (part.function_call) {
    choice.functionCall ??= { name: '', arguments: '' };
    choice.functionCall.name += part.function_call.name ?? '';
    choice.functionCall.arguments += part.function_call.arguments ?? '';
  }
  choice.finish ??= raw.finish_reason ?? null;
}

function addToolCall({ toolCalls }: AnswerChoice, call: RawToolCall): void {
  const known = call.index === undefined ? undefined : toolCalls[call.index];
  if (known) known.arguments += call.function.arguments ?? '';
  else toolCalls.push({ id: call.id, name: call.function.name, arguments: call.function.arguments ?? '' });
}

/** Tokens that only the total has are audio of the prompt if it has as much, else completion tokens. */
function usageOf(usage: RawUsage): AnswerUsage {
  const total = usage.total_tokens;
  const missing = total - usage.prompt_tokens - usage.completion_tokens;
  const audio = usage.prompt_tokens_details?.audio_tokens ?? 0;
  const prompt = usage.prompt_tokens + (missing === audio ? missing : 0);
  return {
    prompt,
    completion: total - prompt,
    total,
    cached: usage.prompt_tokens_details?.cached_tokens ?? usage.num_cached_tokens ?? usage.cached_tokens ?? 0,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  };
}
