import type { EntryKeys, WhenCallerLeaves } from '../../../config/upstream-protocol.js';
import type { SigningScheme } from '../../client/auth/signer.js';
import type { ChatCompletionRequest, CompletionUsage, FinishReason } from '../../contract/chat.types.js';
import { isObject, type JsonObject, type ReadonlyJsonObject, textOf } from '../../contract/json.js';
import type { Capability, NativeTarget, ProviderCall } from '../../contract/provider.adapter.js';
import type { UpstreamFailure } from '../../contract/upstream.error.js';
import type { NameForm } from '../shared/tool-calls.js';

/** The fields that an API accepts: only a list, or all except a list. */
export type FieldRule = { readonly only: readonly string[] } | { readonly except: readonly string[] };

/** How an OpenAI-compatible API differs from OpenAI's own. */
export interface Dialect {
  readonly protocol: string;
  readonly capabilities: Readonly<Partial<Record<Capability, boolean>>>;

  /** Relative to the base URL of the vendor's SDK; `/chat/completions` by default. */
  readonly path?: string | ((call: ProviderCall) => string);
  /** OpenAI's older Completions API; absent: the API has none. */
  readonly textCompletions?: DialectTextCompletions;
  /** Absent: the API has no embeddings. */
  readonly embeddings?: DialectEmbeddings;
  /** `bearer` by default. */
  readonly auth?: SigningScheme;
  /** Additional schemes, which `auth:` of any upstream can name. */
  readonly namedAuths?: Readonly<Record<string, SigningScheme>>;
  /** Additional keys of entries in upstreams.yaml. */
  readonly entryKeys?: EntryKeys;
  /** As in `UpstreamProtocol`. */
  readonly whenCallerLeaves?: WhenCallerLeaves;
  /** Top-level request fields, with OpenAI's names and the API's own. */
  readonly fields: FieldRule;
  /** The only fields of models with a price, if `fields` leaves others open and the server reads unknown ones. */
  readonly pricedFields?: readonly string[];
  /** Message fields. Null fields other than `content` are dropped for APIs with `only`. */
  readonly messageFields: FieldRule;
  /** Whether the server certainly accepts `prompt_cache_key`; otherwise only the caller's is forwarded. */
  readonly takesCacheKey?: boolean;
  /** As in `ProviderAdapter`. */
  readonly searchesUnasked?: (upstreamModel: string, request: ChatCompletionRequest) => boolean;
  /** As in `ProviderAdapter`. */
  readonly fileTool?: string;
  /** As in `ProviderAdapter`. */
  readonly rereadsPrompt?: boolean;
  readonly outputLimit: 'max_tokens' | 'max_completion_tokens';
  /** Other renamed fields: OpenAI's name → the API's. */
  readonly renames?: Readonly<Record<string, string>>;
  /** How to request usage in a stream. `always`: it is always sent, and requesting it is an error. */
  readonly streamUsage: 'stream_options' | 'always';
  /** False: `developer` becomes `system`. */
  readonly developerRole: boolean;
  /** Content part fields; by default OpenAI's. */
  readonly partFields?: FieldRule;
  /** Converts a content part; returns the same object if nothing changes. */
  readonly adaptPart?: (part: ReadonlyJsonObject) => JsonObject;
  /** Supported values of an image's `detail`; by default all, or all before `original` with `messageFields.only`. */
  readonly imageDetails?: readonly string[];
  /** Roles whose content must be a string: lists of text are joined. */
  readonly textRoles?: readonly string[];
  /** Converts a message before roles and fields are adapted; returns the same object if nothing changes. */
  readonly adaptMessage?: (message: ReadonlyJsonObject) => ReadonlyJsonObject;
  /** Reorders the conversation, as the last step; returns the same list if nothing changes. */
  readonly adaptConversation?: (messages: readonly ReadonlyJsonObject[]) => readonly ReadonlyJsonObject[];
  /** Allowed function names; by default any. */
  readonly calledNames?: NameForm;
  /** True: a `json_schema` format needs no schema. False: without one it becomes JSON mode. */
  readonly schemaMayLack?: boolean;
  /** True: supports `allowed_tools`. False (default): only the allowed tools are offered. */
  readonly allowedTools?: boolean;
  /** Converts a function's description; returns the same object if nothing changes. */
  readonly adaptFunction?: (described: ReadonlyJsonObject) => ReadonlyJsonObject;
  /** Levels of `reasoning_effort` of a model that declares none; undefined if unknown. */
  readonly efforts?: (upstreamModel: string) => readonly string[] | undefined;
  /** Levels that this API refuses, also for models that have them. */
  readonly refusedEfforts?: readonly string[];
  /** Converts a tool call's id, always to the same result. */
  readonly toolCallId?: (id: string) => string;
  /** Makes final changes to the body; only its top level may be changed. */
  readonly adjust?: (body: JsonObject, call: ProviderCall) => void;

  /** Fields with reasoning; the first non-empty one counts. `reasoning_content` by default. */
  readonly reasoningFields?: readonly string[];
  /** Reads content that is a list; by default joins its text parts. */
  readonly readParts?: (parts: readonly unknown[]) => MessageText;
  /** Additional finish reasons; a number is the status of a failure reported this way. */
  readonly finishReasons?: Readonly<Record<string, FinishReason | number>>;
  /** `usage` by default. */
  readonly usageOf?: (body: JsonObject) => unknown;
  /** A chunk's error; `error` by default. */
  readonly errorOf?: (body: JsonObject) => unknown;
  /** Collects further fields of a message, for one answer. */
  readonly extras?: () => MessageExtras;
  /** The field with the number of cached tokens, if it differs from OpenAI's. */
  readonly cachedTokensField?: string;
  /** The count that lacks tokens which the total includes; `completion_tokens` by default. */
  readonly shortCount?: keyof Pick<CompletionUsage, 'prompt_tokens' | 'completion_tokens'>;
  /** The native Responses API; by default there is none. */
  readonly responses?: ResponsesOfDialect;
  /** Unwraps an error body that contains another API's. */
  readonly errorBody?: (body: unknown) => unknown;
  /** The answer's `service_tier` is the requested one, whichever served. */
  readonly echoesServiceTier?: boolean;
  /** Targets are deployments with names of their own, so that the answer's `model` says nothing about the requested one. */
  readonly namesDeployments?: boolean;
  /** Refines an error with the API's own codes and messages. */
  readonly refineFailure?: (failure: UpstreamFailure, facts: ErrorFacts) => UpstreamFailure;
}

export interface ResponsesOfDialect {
  /** `/responses` by default. */
  readonly path?: string;
  /** Fields that are left out, in addition to `fields.except`. */
  readonly withheld?: readonly string[];
  /** As in `Dialect`. */
  readonly adjust?: (body: JsonObject, call: ProviderCall) => void;
  /** Only upstreams with `responses: true` have it. */
  readonly onRequest?: boolean;
}

export interface DialectTextCompletions {
  /** `/completions` by default. */
  readonly path?: string | ((target: NativeTarget) => string);
  /** Whether models can fill gaps. */
  readonly takesSuffix: boolean;
  /** Whether no output tokens can be requested; for others, 0 may be no limit. */
  readonly takesZero?: boolean;
  /** Whether several prompts and token ids are accepted. */
  readonly takesLists: boolean;
  /** The accepted fields, if the API refuses others. */
  readonly only?: readonly string[];
}

/** How an API with OpenAI's embeddings differs from OpenAI's own. */
export interface DialectEmbeddings {
  /** `/embeddings` by default. */
  readonly path?: string | ((target: NativeTarget) => string);
  readonly mostInputs: number;
  readonly mostTokens?: number;
  readonly takesTokens: boolean;
  /** False: vectors are numbers, and `encoding_format` is not sent. */
  readonly takesBase64: boolean;
  /** Its field for the number of dimensions; `dimensions` by default. */
  readonly dimensionsField?: string;
}

/** Collects fields that must be sent once, as SDKs cannot merge streamed lists. */
export interface MessageExtras {
  /** Reads a delta or a whole message, and the body around it. */
  read(part: JsonObject, body: JsonObject): void;
  /** The fields to add to the message; in a stream they are sent with the finish reason. */
  fields(): JsonObject;
}

export interface MessageText {
  content: string;
  reasoning: string;
}

/** Never accepts `__proto__`, which would set the prototype. */
export function fieldTest(rule: FieldRule): (field: string) => boolean {
  if ('only' in rule) {
    const only = new Set(rule.only);
    return (field) => only.has(field);
  }
  const except = new Set([...rule.except, '__proto__']);
  return (field) => !except.has(field);
}

/**
 * Returns the function that drops unsupported fields; it returns the same object if nothing changes. For APIs with
 * `only` it also drops null fields, except the fields in `nullable`.
 */
export function fieldPicker(
  rule: FieldRule,
  nullable: readonly string[] = [],
): (object: ReadonlyJsonObject) => ReadonlyJsonObject {
  const accepts = fieldTest(rule);
  const strict = 'only' in rule;
  const isForwarded = (field: string, value: unknown) =>
    accepts(field) && !(strict && value === null && !nullable.includes(field));

  return (object) => {
    for (const field in object) {
      if (!isForwarded(field, object[field])) {
        return Object.fromEntries(Object.entries(object).filter(([name, value]) => isForwarded(name, value)));
      }
    }
    return object;
  };
}

/** The content of an error body in any of its formats. */
export interface ErrorFacts {
  message?: string | undefined;
  type?: string | undefined;
  code?: string | undefined;
  param?: string | undefined;
  /** An HTTP status in the body; inside a stream there is no other. */
  status?: number | undefined;
  /** What the model had written. */
  written?: string | undefined;
}

/**
 * Reads an error body: `{error: {…}}`, `{error: "…"}`, a flat `{message, …}`, `{detail: "…"}` or `detail` with a
 * validator's list of errors, any of these in a list, or plain text.
 */
export function errorFacts(body: unknown): ErrorFacts {
  if (typeof body === 'string') return { message: body };
  if (Array.isArray(body)) return errorFacts(body[0]);
  if (!isObject(body)) return {};
  const error = isObject(body.error) ? body.error : body;
  const { detail } = isObject(error.message) ? error.message : error;
  const fault = Array.isArray(detail) ? faultOf(detail[0]) : {};
  return {
    message: textOf(error.message) ?? textOf(body.error) ?? textOf(detail) ?? fault.message,
    param: textOf(error.param) ?? fault.param,
    type: textOf(error.type),
    code: codeOf(error) ?? codeOf(body),
    status: statusOf(error) ?? statusOf(body),
    written: textOf(error.failed_generation),
  };
}

/** A validator's error: `{loc: ["body", "messages", 0, "user", "name"], msg: "…"}`. */
function faultOf(fault: unknown): Pick<ErrorFacts, 'message' | 'param'> {
  if (!isObject(fault)) return {};
  const param = Array.isArray(fault.loc) ? pathOf(fault.loc) : undefined;
  const message = textOf(fault.msg);
  return { param, message: param && message ? `${param}: ${message}` : message };
}

function pathOf(location: readonly unknown[]): string | undefined {
  let path = '';
  for (const step of location) {
    if (typeof step === 'number') path += `[${step}]`;
    else if (path !== '') path += `.${step}`;
    else if (step !== 'body') path = String(step);
  }
  return path || undefined;
}

function codeOf({ code }: JsonObject): string | undefined {
  return typeof code === 'number' ? String(code) : textOf(code);
}

function statusOf(error: JsonObject): number | undefined {
  for (const value of [error.status_code, error.raw_status_code, error.status, error.code]) {
    const status = typeof value === 'string' ? Number(value) : value;
    if (typeof status === 'number' && status >= 400 && status < 600) return status;
  }
  return undefined;
}

/** Maps a list; returns the same list if no entry changes. */
export function changed<Entry>(list: readonly Entry[], change: (entry: Entry) => Entry): readonly Entry[] {
  let differs = false;
  const entries = list.map((entry) => {
    const result = change(entry);
    differs ||= result !== entry;
    return result;
  });
  return differs ? entries : list;
}
