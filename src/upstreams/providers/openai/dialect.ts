import type { AuthScheme, EntryKeys } from '../../../config/upstream-protocol.js';
import type { CompletionUsage, FinishReason } from '../../contract/chat.types.js';
import type { JsonObject, ReadonlyJsonObject } from '../../contract/json.js';
import type { Capability, ProviderCall } from '../../contract/provider.adapter.js';
import type { UpstreamFailure } from '../../contract/upstream.error.js';
import type { NameForm } from '../shared/tool-renaming.js';
import type { ErrorFacts } from './error-facts.js';

/** Which fields an API takes: a strict one only those that it knows, a lax one all but a few. */
export type FieldRule = { readonly only: readonly string[] } | { readonly except: readonly string[] };

/** What sets an API that speaks OpenAI's format apart from OpenAI's own. */
export interface Dialect {
  readonly protocol: string;
  readonly capabilities: Readonly<Partial<Record<Capability, boolean>>>;

  /** Behind the base URL in the form that the vendor's own SDK takes; `/chat/completions` by default. */
  readonly path?: string | ((call: ProviderCall) => string);
  /** How a request is given its key; `bearer` by default. */
  readonly auth?: AuthScheme;
  /** Further keys of its entry in upstreams.yaml. */
  readonly entryKeys?: EntryKeys;
  /** Top-level fields of a request, by the names that OpenAI gives them, and the API's own. */
  readonly fields: FieldRule;
  /** Fields of a message. Null ones, `content` apart, do not go to an API that takes `only` some. */
  readonly messageFields: FieldRule;
  /** A `prompt_cache_key` is known to be taken by every server that speaks it; by default it goes on only from the caller. */
  readonly takesCacheKey?: boolean;
  /** What the output limit is called. */
  readonly outputLimit: 'max_tokens' | 'max_completion_tokens';
  /** Other fields under another name here: OpenAI's name → the API's. */
  readonly renames?: Readonly<Record<string, string>>;
  /** How a stream is made to tell its usage; `always`: it does so unasked, and refuses to be asked. */
  readonly streamUsage: 'stream_options' | 'always';
  /** Whether the API knows the role `developer`; else it becomes `system`. */
  readonly developerRole: boolean;
  /** Fields of a content part; by default those of the format. */
  readonly partFields?: FieldRule;
  /** A content part in the API's own form; the very one where nothing differs. */
  readonly adaptPart?: (part: ReadonlyJsonObject) => JsonObject;
  /** Which `detail` of an image the API knows; by default all, or those before `original` where `messageFields` are listed. */
  readonly imageDetails?: readonly string[];
  /** Roles whose content, where it is a list of texts alone, must be one text. */
  readonly textRoles?: readonly string[];
  /** A message in the API's own form, before the rules for roles and fields; the very one where nothing differs. */
  readonly adaptMessage?: (message: ReadonlyJsonObject) => ReadonlyJsonObject;
  /** The whole conversation in the order that the API takes, last of all; the very list where nothing differs. */
  readonly adaptConversation?: (messages: readonly ReadonlyJsonObject[]) => readonly ReadonlyJsonObject[];
  /** Which names a called function may have; by default any. */
  readonly calledNames?: NameForm;
  /** Whether a `json_schema` format may lack its schema; else it becomes JSON mode. */
  readonly schemaMayLack?: boolean;
  /** Whether the API knows the tool choice `allowed_tools`; by default only the allowed tools are offered. */
  readonly allowedTools?: boolean;
  /** A tool in the API's own form; the very one where nothing differs. */
  readonly adaptTool?: (tool: unknown) => unknown;
  /** The levels of `reasoning_effort` that a model knows; undefined where they are not known. */
  readonly efforts?: (upstreamModel: string) => readonly string[] | undefined;
  /** The id of a tool call in the form that the API takes; always the same for one id. */
  readonly toolCallId?: (id: string) => string;
  /** Last changes to a request's body, which is the adapter's own at its top level. */
  readonly adjust?: (body: JsonObject, call: ProviderCall) => void;

  /** Where the model's thoughts are: the first of these fields that has some; `reasoning_content` by default. */
  readonly reasoningFields?: readonly string[];
  /** Reads content that is a list; by default its text parts. */
  readonly readParts?: (parts: readonly unknown[]) => MessageText;
  /** Finish reasons that OpenAI does not have; a number is the status of a failure that is told in this way. */
  readonly finishReasons?: Readonly<Record<string, FinishReason | number>>;
  /** Where an answer or a chunk has its usage; `usage` by default. */
  readonly usageOf?: (body: JsonObject) => unknown;
  /** Where a chunk has an error; `error` by default. */
  readonly errorOf?: (body: JsonObject) => unknown;
  /** What else a message of this API tells, for one answer. */
  readonly extras?: () => MessageExtras;
  /** A further place for the number of cached tokens. */
  readonly cachedTokensField?: string;
  /** Which count leaves tokens out that the total has; `completion_tokens` by default. */
  readonly shortCount?: keyof Pick<CompletionUsage, 'prompt_tokens' | 'completion_tokens'>;
  /** The error body to read where another API's stands within this one's. */
  readonly errorBody?: (body: unknown) => unknown;
  /** A second look at a refusal whose meaning only this API's words tell. */
  readonly refineFailure?: (failure: UpstreamFailure, facts: ErrorFacts) => UpstreamFailure;
}

/** Gathers of an answer what is told at once: the SDKs cannot put together a list that comes in parts. */
export interface MessageExtras {
  /** Reads a delta of the message, or the whole of it, and the body that it stands in. */
  read(part: JsonObject, body: JsonObject): void;
  /** The fields to add to the message; in a stream they come with the finish reason. */
  fields(): JsonObject;
}

export interface MessageText {
  content: string;
  reasoning: string;
}
