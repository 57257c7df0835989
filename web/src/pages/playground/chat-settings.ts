import type { ChatRequest, ModelView } from './chat.types';

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
