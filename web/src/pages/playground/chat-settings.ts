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

export type Effort = NonNullable<ChatRequest['reasoning_effort']>;
export type Format = 'text' | 'json_object' | 'json_schema';

/** The values of the settings form; null and empty use the model's default. */
export interface ChatSettings {
  readonly model: string;
  readonly system: string;
  readonly stream: boolean;
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly maxTokens: number | null;
  readonly stop: readonly string[];
  readonly seed: number | null;
  readonly effort: Effort | null;
  readonly format: Format;
  /** JSON text: the schema of the answer. */
  readonly schema: string;
  /** JSON text: a list of tools. */
  readonly tools: string;
  /** The model that answers beside the first one; absent or empty: none. */
  readonly rival?: string;
}

export const DEFAULT_SETTINGS: ChatSettings = {
  model: '',
  system: '',
  stream: true,
  temperature: null,
  topP: null,
  maxTokens: null,
  stop: [],
  seed: null,
  effort: null,
  format: 'text',
  schema: '',
  tools: '',
};

/** Whether a model supports something; if unknown, it may. */
export function can(model: ModelView | undefined, capability: string): boolean {
  return !model?.capabilities || model.capabilities.includes(capability);
}

/** The error in a JSON field; null if it is valid or empty. */
export function schemaFault(text: string): string | null {
  return fault(text, (value) => (isObject(value) ? null : 'A JSON Schema is an object: { "type": "object", … }'));
}

export function toolsFault(text: string): string | null {
  return fault(text, (value) => (Array.isArray(value) ? null : 'Tools are a list: [ { "type": "function", … } ]'));
}

/** Why a request cannot be sent with these settings; null if it can. */
export function settingsFault(settings: ChatSettings, model: ModelView | undefined): string | null {
  if (!model) return 'Choose a model.';
  if (!model.callable) return 'You cannot call this model.';
  if (settings.format === 'json_schema' && can(model, 'json_schema')) {
    if (settings.schema.trim() === '') return 'Write the JSON Schema of the answer.';
    if (schemaFault(settings.schema)) return 'The JSON Schema is not valid JSON.';
  }
  return can(model, 'tools') && toolsFault(settings.tools) ? 'The tools are not valid JSON.' : null;
}

function fault(text: string, check: (value: unknown) => string | null): string | null {
  if (text.trim() === '') return null;
  try {
    return check(JSON.parse(text));
  } catch (error) {
    return error instanceof Error ? error.message : 'This is not JSON.';
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
