import type { EntryKeys } from '../../../config/upstream-protocol.js';
import type { SigningScheme } from '../../client/auth/signer.js';
import type { CompletionUsage, FinishReason } from '../../contract/chat.types.js';
import type { JsonObject, ReadonlyJsonObject } from '../../contract/json.js';
import type { Capability, NativeTarget, ProviderCall } from '../../contract/provider.adapter.js';
import type { UpstreamFailure } from '../../contract/upstream.error.js';
import type { NameForm } from '../shared/tool-renaming.js';
import type { ErrorFacts } from './error-facts.js';

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
  /** Additional keys of entries in upstreams.yaml. */
  readonly entryKeys?: EntryKeys;
  /** Top-level request fields, with OpenAI's names and the API's own. */
  readonly fields: FieldRule;
  /** Message fields. Null fields other than `content` are dropped for APIs with `only`. */
  readonly messageFields: FieldRule;
  /** Whether the server certainly accepts `prompt_cache_key`; otherwise only the caller's is forwarded. */
  readonly takesCacheKey?: boolean;
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
  /** Supported levels of `reasoning_effort`; undefined if unknown. */
  readonly efforts?: (upstreamModel: string) => readonly string[] | undefined;
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
  /** Refines an error with the API's own codes and messages. */
  readonly refineFailure?: (failure: UpstreamFailure, facts: ErrorFacts) => UpstreamFailure;
}

export interface ResponsesOfDialect {
  /** `/responses` by default. */
  readonly path?: string;
  /** Fields that are left out, in addition to `fields.except`. */
  readonly withheld?: readonly string[];
  /** Only upstreams with `responses: true` have it. */
  readonly onRequest?: boolean;
}

export interface DialectTextCompletions {
  /** `/completions` by default. */
  readonly path?: string | ((target: NativeTarget) => string);
  /** Whether models can fill gaps. */
  readonly takesSuffix: boolean;
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
