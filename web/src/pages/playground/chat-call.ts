import { createParser } from 'eventsource-parser';
import { ApiError, messageOf, toApiError } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import { CHAT_PATH } from './chat-request';
import type { ChatRequest, Chunk, Completion, Failure, Stats, ToolCall, Usage } from './chat-settings';

/** A key with a shorter remaining life is replaced. */
const SPARE_MS = 60_000;

let known: { key: string; expiresAt: number } | undefined;
let requesting: Promise<string> | undefined;

/** The playground's key for /v1. It exists only in this variable, for 15 minutes. */
function playgroundKey(): Promise<string> {
  if (known && known.expiresAt - Date.now() > SPARE_MS) return Promise.resolve(known.key);
  requesting ??= ask().finally(() => {
    requesting = undefined;
  });
  return requesting;
}

/** The gateway refused it: the next call gets a new one. */
function forgetPlaygroundKey(): void {
  known = undefined;
}

async function ask(): Promise<string> {
  const { key, expiresAt } = await unwrap(api.POST('/api/playground/key'));
  known = { key, expiresAt: Date.parse(expiresAt) };
  return key;
}

const TRIES = 8;
const FIRST_WAIT_MS = 150;

/**
 * The usage of a call that was stopped. Its stream ended before the usage; the ledger has it as soon as the gateway has
 * closed the row. Null if that took too long.
 */
export async function ledgerUsage(completionId: string): Promise<Pick<Stats, 'usage' | 'costUsd'> | null> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    await new Promise((resolve) => window.setTimeout(resolve, FIRST_WAIT_MS * 2 ** Math.min(attempt, 4)));
    const call = await callOf(completionId);
    if (call && call.status !== 'open') {
      const { inputTokens, outputTokens, costUsd } = call;
      const total = inputTokens + outputTokens;
      return { usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: total }, costUsd };
    }
  }
  return null;
}

function callOf(id: string) {
  return unwrap(api.GET('/api/usage/calls/{id}', { params: { path: { id } } })).catch(() => null);
}

type Delta = Chunk['choices'][number]['delta'];

/** The events of a call, in order. */
export type ChatEvent =
  | { kind: 'sent' }
  | { kind: 'head'; status: number; headers: [string, string][]; requestId: string | null }
  | { kind: 'raw'; text: string }
  | { kind: 'delta'; id: string; delta: Delta }
  | { kind: 'finish'; reason: string }
  | { kind: 'usage'; usage: Usage }
  | { kind: 'failed'; failure: Failure };

/** Calls the same /v1 as every client, with a short-lived key, so that limits and costs are real. */
export async function* chatEvents(request: ChatRequest, body: string, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  await playgroundKey();
  yield { kind: 'sent' };
  const response = await send(body, signal);
  const requestId = response.headers.get('x-request-id');
  yield { kind: 'head', status: response.status, headers: [...response.headers], requestId };
  if (response.ok && request.stream && response.body) {
    yield* streamEvents(response.body, requestId);
    return;
  }
  const text = await response.text();
  yield { kind: 'raw', text };
  if (response.ok) yield* completionEvents(JSON.parse(text) as Completion);
  else yield { kind: 'failed', failure: refusal(response, text) };
}

/** Why a call failed before there was a response. */
export function failureOf(error: unknown): Failure {
  const known = error instanceof ApiError ? error : null;
  return { message: messageOf(error), status: known?.status ?? null, requestId: known?.requestId ?? null, body: null };
}

/** An expired key is replaced once. */
async function send(body: string, signal: AbortSignal): Promise<Response> {
  const response = await post(body, signal);
  if (response.status !== 401) return response;
  forgetPlaygroundKey();
  return post(body, signal);
}

async function post(body: string, signal: AbortSignal): Promise<Response> {
  const authorization = `Bearer ${await playgroundKey()}`;
  signal.throwIfAborted();
  return fetch(CHAT_PATH, {
    method: 'POST',
    credentials: 'omit',
    cache: 'no-store',
    headers: { authorization, 'content-type': 'application/json' },
    body,
    signal,
  });
}

async function* streamEvents(body: ReadableStream<Uint8Array>, requestId: string | null): AsyncGenerator<ChatEvent> {
  const messages: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => messages.push(data) });
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      yield { kind: 'raw', text: read.value };
      parser.feed(read.value);
      for (const data of messages.splice(0)) {
        if (data === '[DONE]') return;
        const event = JSON.parse(data) as Chunk | { error: { message: string } };
        if ('error' in event) {
          yield { kind: 'failed', failure: { message: event.error.message, status: null, requestId, body: data } };
          return;
        }
        yield* chunkEvents(event);
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
  const message = 'The connection closed before the answer was complete.';
  yield { kind: 'failed', failure: { message, status: null, requestId, body: null } };
}

function* chunkEvents({ id, choices, usage }: Chunk): Generator<ChatEvent> {
  const [choice] = choices;
  if (choice) yield { kind: 'delta', id, delta: choice.delta };
  if (choice?.finish_reason) yield { kind: 'finish', reason: choice.finish_reason };
  if (usage) yield { kind: 'usage', usage };
}

function* completionEvents({ id, choices, usage }: Completion): Generator<ChatEvent> {
  const [choice] = choices;
  if (choice) {
    const { content, refusal: refused, reasoning_content, tool_calls } = choice.message;
    const calls = tool_calls?.flatMap((call, index) => (call.type === 'function' ? [{ ...call, index }] : []));
    yield { kind: 'delta', id, delta: { content, refusal: refused, reasoning_content, tool_calls: calls } };
    yield { kind: 'finish', reason: choice.finish_reason };
  }
  yield { kind: 'usage', usage };
}

function refusal(response: Response, text: string): Failure {
  const error = toApiError(response, parsed(text));
  return { message: error.message, status: response.status, requestId: error.requestId, body: text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The tool calls so far, with the next pieces added. */
export function withPieces(calls: readonly ToolCall[], pieces: Delta['tool_calls']): readonly ToolCall[] {
  const next = [...calls];
  for (const { index, id, function: called } of pieces ?? []) {
    const call = next[index] ?? { id: '', name: '', arguments: '' };
    next[index] = {
      id: id ?? call.id,
      name: call.name + (called?.name ?? ''),
      arguments: call.arguments + (called?.arguments ?? ''),
    };
  }
  return next;
}
