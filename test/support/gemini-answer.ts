import { type Answer, type AnswerChoice, type AnswerUsage, emptyChoice } from './answer.js';
import type { Exchange } from './exchanges.js';
import type { UpstreamReader } from './upstream-reader.js';

interface Part {
  text?: string;
  thought?: boolean;
  functionCall?: { id?: string; name?: string; args?: object; partialArgs?: PartialArg[] };
}

interface PartialArg {
  jsonPath: string;
  stringValue?: string;
  numberValue?: number;
  boolValue?: boolean;
}

interface Body {
  candidates?: { index?: number; content?: { parts?: Part[] }; finishReason?: string | number }[];
  promptFeedback?: { blockReason?: string };
  usageMetadata?: Record<string, number | undefined>;
  error?: unknown;
}

const FINISH: readonly (readonly [RegExp, string])[] = [
  [/MAX_TOKENS|^2$/, 'length'],
  [/SAFETY|RECITATION|BLOCKLIST|PROHIBITED|SPII|ARMOR|^[346]$/, 'content_filter'],
];

/** Reads Google's generateContent: every part of every event in turn. */
export const geminiReader: UpstreamReader = {
  answer: ({ stream, body }) => reported(stream === null ? [body as Body] : eventsOf(stream)),
  streamError: (stream) => eventsOf(stream).find(({ error }) => error)?.error,
  isChat,
  finishMark: /"finishReason":/,
  imageMark: '"inlineData"',
  speaksOpenAi: false,
};

function reported(bodies: Body[]): Answer {
  const answer: Answer = { choices: {}, usage: null };
  for (const { candidates, promptFeedback, usageMetadata } of bodies) {
    if (promptFeedback?.blockReason && !candidates) answer.choices[0] = { ...emptyChoice(), finish: 'content_filter' };
    if (usageMetadata?.totalTokenCount !== undefined) answer.usage = usageOf(usageMetadata);
    for (const { index = 0, content, finishReason } of candidates ?? []) {
      answer.choices[index] ??= emptyChoice();
      const choice = answer.choices[index] as AnswerChoice;
      for (const part of content?.parts ?? []) addPart(choice, part, index);
      if (finishReason) choice.finish = finishOf(String(finishReason), choice);
    }
  }
  return answer;
}

function addPart(choice: AnswerChoice, { text = '', thought, functionCall }: Part, index: number): void {
  choice[thought ? 'reasoning' : 'content'] += text;
  if (functionCall?.name) {
    const { id = `call_abc_${index}_${choice.toolCalls.length}`, name, args = {} } = functionCall;
    choice.toolCalls.push({ id, name, arguments: JSON.stringify(args) });
  }
  const last = choice.toolCalls.at(-1);
  for (const piece of functionCall?.partialArgs ?? []) if (last) last.arguments = withPiece(last.arguments, piece);
}

/** Sets a value at a path, one object at a time. */
function withPiece(text: string, { jsonPath, stringValue, numberValue, boolValue }: PartialArg): string {
  const args: Record<string, unknown> = JSON.parse(text);
  const steps = jsonPath.match(/[^$.[\]]+/g) ?? [];
  let place = args;
  for (const [position, step] of steps.slice(0, -1).entries()) {
    place[step] ??= /^\d+$/.test(steps[position + 1] ?? '') ? [] : {};
    place = place[step] as Record<string, unknown>;
  }
  const name = steps.at(-1) ?? '';
  place[name] = stringValue === undefined ? (numberValue ?? boolValue) : `${place[name] ?? ''}${stringValue}`;
  return JSON.stringify(args);
}

function finishOf(reason: string, { toolCalls }: AnswerChoice): string {
  const plain = toolCalls.length > 0 ? 'tool_calls' : 'stop';
  return FINISH.find(([pattern]) => pattern.test(reason))?.[1] ?? plain;
}

/** Completion tokens are the total without the prompt. */
function usageOf(usage: Record<string, number | undefined>): AnswerUsage {
  const total = usage.totalTokenCount ?? 0;
  const prompt = (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0);
  return {
    prompt,
    completion: total - prompt,
    total,
    cached: usage.cachedContentTokenCount ?? 0,
    reasoning: usage.thoughtsTokenCount ?? 0,
  };
}

function eventsOf(stream: string): Body[] {
  return stream
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => JSON.parse(line.slice('data:'.length)));
}

function isChat({ url, body, stream, status }: Exchange): boolean {
  if (url !== null) return /:(?:g|streamG)enerateContent\b/.test(url);
  if (stream !== null) return stream.includes('"candidates"');
  return status >= 400 || (body as Body).candidates !== undefined;
}
