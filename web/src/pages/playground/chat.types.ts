import type { components } from '../../api/schema';

export type ChatRequest = components['schemas']['ChatCompletionRequest'];
export type ChatMessage = components['schemas']['ChatMessage'];
export type Chunk = components['schemas']['ChatCompletionChunk'];
export type Completion = components['schemas']['ChatCompletion'];
export type Usage = components['schemas']['Usage'];
export type ModelView = components['schemas']['ModelView'];

export interface Image {
  readonly id: string;
  readonly name: string;
  /** `data:image/png;base64,…` */
  readonly url: string;
  readonly bytes: number;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, as the model wrote it. */
  readonly arguments: string;
}

export interface UserTurn {
  readonly id: string;
  readonly role: 'user';
  readonly text: string;
  readonly images: readonly Image[];
}

/** The result of a tool call. */
export interface ToolTurn {
  readonly id: string;
  readonly role: 'tool';
  readonly text: string;
  readonly call: ToolCall;
}

export interface AssistantTurn {
  readonly id: string;
  readonly role: 'assistant';
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  /** `written`: the person wrote it in place of the model. */
  readonly state: 'running' | 'done' | 'stopped' | 'failed' | 'written';
  readonly failure: Failure | null;
  readonly stats: Stats | null;
}

export type Turn = UserTurn | ToolTurn | AssistantTurn;

/** The unsent next message. */
export interface Draft {
  readonly text: string;
  readonly images: readonly Image[];
}

/** Why there is no answer, or only part of one. */
export interface Failure {
  readonly message: string;
  readonly status: number | null;
  readonly requestId: string | null;
  /** The gateway's message. */
  readonly body: string | null;
}

/** Measurements of an answer in the browser. */
export interface Stats {
  readonly model: string;
  readonly requestId: string | null;
  readonly firstTokenMs: number | null;
  readonly totalMs: number | null;
  readonly finishReason: string | null;
  /** Null until the answer's last chunk. */
  readonly usage: Usage | null;
  readonly costUsd: number | null;
}

/** The last request and its answer, as sent and received; neither contains the key. */
export interface Exchange {
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  readonly request: ChatRequest;
  readonly status: number | null;
  readonly responseHeaders: readonly (readonly [name: string, value: string])[];
  readonly responseBody: string;
}
