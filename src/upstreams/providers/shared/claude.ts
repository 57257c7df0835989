import type { FunctionTool, ToolCall } from '../../contract/chat.types.js';
import { type JsonObject, objectOf, objectsOf, textOf } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { claudeSchema, hasOpenObjects } from './claude-schema.js';
import { unsupported } from './ignored-fields.js';
import { type ExtraContent, extraContent } from './request-fields.js';
import { type AnswerTool, answerTool, nearestEffort, objectSchema } from './requested-tools.js';
import { hasPrefill, unsupportedPrefill } from './turns.js';

export interface ClaudeThinking {
  /** `adaptive`: the model decides, guided by an effort; `budget`: a number of tokens. */
  readonly form: 'adaptive' | 'budget';
  /** Whether it thinks unless that is disabled. */
  readonly byDefault: boolean;
  /** Whether thoughts are only returned on request. */
  readonly hidden: boolean;
  /** Whether it can think if a tool is forced. */
  readonly withForcedTool: boolean;
  readonly efforts: readonly string[];
  /** The mode with the least thinking; null: it cannot be turned off, and the lowest effort is the least. */
  readonly off: 'disabled' | 'between_tools' | null;
}

/** Minimum thinking tokens. */
export const MIN_BUDGET = 1024;

/** As declared for the model; otherwise 4.6 and later think adaptively. */
export function claudeThinking({ upstreamModel, traits }: ProviderCall): ClaudeThinking {
  const version = claudeVersion(upstreamModel);
  const isAdaptive = version >= 406 || traits.thinking !== null || traits.efforts !== null;
  return {
    form: isAdaptive ? 'adaptive' : 'budget',
    byDefault: version >= 500,
    hidden: version >= 407,
    withForcedTool: version >= 408,
    // "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium." (4.6)
    efforts: traits.efforts ?? (version >= 407 ? [...EFFORTS, 'xhigh', 'max'] : [...EFFORTS, 'max']),
    off: traits.thinking === null ? 'disabled' : traits.thinking === 'always' ? null : traits.thinking,
  };
}

const EFFORTS = ['low', 'medium', 'high'];

/** 4.5 and later, and Opus 4.1. */
function hasStructuredOutputs(model: string): boolean {
  const version = claudeVersion(model);
  return version >= 405 || version === 401;
}

export interface GuidedThinking {
  readonly thinking?: JsonObject;
  readonly effort?: string;
}

/** Thinking guided by an effort. The effort `none` becomes the least thinking that the model has. */
export function adaptiveThinking(model: ClaudeThinking, effort: string): GuidedThinking {
  if (effort === 'none' && model.off !== null) {
    return model.byDefault || model.off !== 'disabled' ? { thinking: { type: model.off } } : {};
  }
  const thinking = { type: 'adaptive', ...(model.hidden && { display: 'summarized' }) };
  return { thinking, effort: nearestEffort(effort, model.efforts) };
}

/** The caller's own `thinking` in a mode that the model has, with the requested effort as far as it is allowed there. */
export function ownThinking(model: ClaudeThinking, thinking: JsonObject, effort: string | undefined): GuidedThinking {
  if (model.form === 'budget') return { thinking };
  const { type, budget_tokens: budget, ...options } = thinking;
  const isOff = type === 'disabled' || type === 'between_tools';
  if (isOff && model.off === null) return adaptiveThinking(model, 'none');
  const required = effort === 'none' ? undefined : effort;
  if (type === 'enabled' && model.off !== 'disabled') {
    const given = required ?? effortOfBudget(budget);
    return {
      thinking: { ...options, type: 'adaptive' },
      ...(given && { effort: nearestEffort(given, model.efforts) }),
    };
  }
  const mode = type === 'disabled' && model.off !== null ? model.off : type;
  const efforts = mode === 'between_tools' ? model.efforts.filter((level) => EFFORTS.includes(level)) : model.efforts;
  return { thinking: isOff ? { type: mode } : thinking, ...(required && { effort: nearestEffort(required, efforts) }) };
}

/** Thinking tokens for each effort. */
export const BUDGETS: ReadonlyMap<string, number> = new Map([
  ['minimal', MIN_BUDGET],
  ['low', 2048],
  ['medium', 8192],
  ['high', 16_384],
  ['xhigh', 32_768],
  ['max', 65_536],
]);

/** The effort with the nearest budget; of two, the higher one. */
function effortOfBudget(budget: unknown): string | undefined {
  if (typeof budget !== 'number') return undefined;
  const distance = ([, tokens]: readonly [string, number]) => Math.abs(tokens - budget);
  return [...BUDGETS].reverse().sort((one, other) => distance(one) - distance(other))[0]?.[0];
}

/**
 * `claude-opus-4-7` → 407, `claude-3-7-sonnet-20250219` → 307, `claude-sonnet-4-20250514` → 400, with any provider's
 * prefix; a name without a version counts as new.
 */
export function claudeVersion(model: string): number {
  const [, major, minor] = /claude-(?:[a-z]+-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? [];
  return major === undefined ? Number.POSITIVE_INFINITY : Number(major) * 100 + Number(minor ?? 0);
}

/** For models that follow it, at APIs whose JSON mode requires a schema. */
export const JSON_INSTRUCTION =
  'Answer with exactly one JSON object: no other text before or after it, and no code fence around it.';

/** JSON with a schema, or only with an instruction. */
interface ClaudeFormat {
  schema?: JsonObject;
  instruction?: string;
}

/** Undefined if the answer is text or comes from the answer tool. Throws for a strict schema that is not supported. */
export function claudeFormat(call: ProviderCall): ClaudeFormat | undefined {
  const { response_format: format } = call.request;
  if (format?.type === 'json_object') return { instruction: JSON_INSTRUCTION };
  if (format?.type !== 'json_schema') return undefined;
  const { schema, strict } = format.json_schema;
  if (!schema) return { instruction: JSON_INSTRUCTION };
  if (canEnforce(schema, call)) return { schema: claudeSchema(schema) };
  if (strict === true && enforcesSchemas(call)) {
    throw openObjects('response_format.json_schema.schema', call.model);
  }
  return undefined;
}

/** The answer tool for schemas that structured outputs do not support, or for models without them. */
export function claudeAnswerTool(call: ProviderCall): AnswerTool | undefined {
  const tool = answerTool(call);
  return tool && !canEnforce(tool.schema, call) ? tool : undefined;
}

function canEnforce(schema: JsonObject, call: ProviderCall): boolean {
  return enforcesSchemas(call) && !hasOpenObjects(schema);
}

/** Whether the model has structured outputs and strict tools: as it declares, else by its version. */
export function enforcesSchemas({ traits, upstreamModel }: ProviderCall): boolean {
  return traits.strictSchemas ?? hasStructuredOutputs(upstreamModel);
}

/** The schema of a strict function; undefined if the model cannot enforce it. */
export function strictSchema(tool: FunctionTool, call: ProviderCall): JsonObject | undefined {
  const { strict, parameters } = tool.function;
  if (strict !== true || !enforcesSchemas(call)) return undefined;
  // Parameters are a closed object that is not nullable.
  const { nullable: _, ...schema }: JsonObject = { properties: {}, ...objectSchema(parameters) };
  if (hasOpenObjects(schema))
    throw openObjects(`tools[${call.request.tools?.indexOf(tool) ?? 0}].function.parameters`, call.model);
  return claudeSchema(schema);
}

function openObjects(field: string, model: string): Error {
  const message =
    `The model '${model}' follows a schema exactly only if each object lists all of its properties ` +
    "('additionalProperties': false). Close its objects, or remove 'strict'.";
  return unsupported(field, message);
}

/** First version (4.6) with "This model does not support assistant message prefill." */
const FIRST_WITHOUT_PREFILL = 406;

/** Throws if the API requires a user message at the end. */
export function hasClaudePrefill(call: ProviderCall): boolean {
  if (!hasPrefill(call)) return false;
  const { upstreamModel, traits } = call;
  const isContinued = traits.prefill ?? claudeVersion(upstreamModel) < FIRST_WITHOUT_PREFILL;
  if (!isContinued) throw unsupportedPrefill(call);
  if (call.request.response_format?.type === 'json_schema')
    throw unsupportedPrefill(call, ' together with a JSON schema');
  return true;
}

/** "final assistant content cannot end with trailing whitespace". */
export function trimEnd(blocks: readonly object[] = []): void {
  const last = blocks.at(-1);
  if (last && 'text' in last && typeof last.text === 'string') last.text = last.text.trimEnd();
}

/** Claude's reasoning, which its API requires back unchanged, before the tool call that followed it. */
export type Thought =
  | { type: 'thinking'; thinking: string; signature: string }
  /** Readable only by the API. */
  | { type: 'redacted_thinking'; data: string };

/**
 * Adds thoughts to a tool call, so that the client returns them and the gateway need not store them. The same for all
 * providers of Claude.
 */
export function withThoughts(thoughts: readonly Thought[]): ExtraContent {
  return thoughts.length > 0 ? { extra_content: { anthropic: { thinking_blocks: thoughts } } } : {};
}

/**
 * The valid thoughts of an earlier tool call. If the first call of a message has none, the message's
 * `reasoning_details` are used, which other routers send.
 */
export function returnedThoughts(call: ToolCall, message: JsonObject = {}): Thought[] {
  const { thinking_blocks: stored } = extraContent(call, 'anthropic');
  if (Array.isArray(stored)) return objectsOf(stored).flatMap(signedThought);
  return objectsOf(message.reasoning_details).flatMap(({ type, text, signature, data }) => {
    if (type === 'reasoning.text') return signedThought({ type: 'thinking', thinking: text, signature });
    return type === 'reasoning.encrypted' ? signedThought({ type: 'redacted_thinking', data }) : [];
  });
}

export function isThinking(block: unknown): boolean {
  const { type } = objectOf(block);
  return type === 'thinking' || type === 'redacted_thinking';
}

/** A thought with only the fields that the API accepts; empty without a signature. */
export function signedThought({ type, thinking, signature, data }: JsonObject): Thought[] {
  const redacted = textOf(data);
  const signed = textOf(signature);
  if (type === 'redacted_thinking' && redacted !== undefined) return [{ type, data: redacted }];
  if (type !== 'thinking' || signed === undefined) return [];
  return [{ type, thinking: textOf(thinking) ?? '', signature: signed }];
}
