import type { ReadonlyJsonObject } from '../../../upstreams/contract/json.js';

/** The parts of Anthropic's Messages format that a translation reads. Source: the types of @anthropic-ai/sdk. */
export interface MessagesRequest {
  readonly model: string;
  /** Missing in requests that only count tokens. */
  readonly max_tokens?: number;
  readonly messages: readonly MessageParam[];
  readonly system?: string | readonly TextBlock[] | null;
  readonly stream?: boolean | null;
  readonly stop_sequences?: readonly string[] | null;
  readonly temperature?: number | null;
  readonly top_p?: number | null;
  readonly top_k?: number | null;
  readonly tools?: readonly ToolParam[] | null;
  readonly tool_choice?: ToolChoiceParam | null;
  readonly thinking?: ThinkingParam | null;
  readonly output_config?: { readonly effort?: string | null; readonly format?: JsonFormat | null } | null;
  readonly output_format?: JsonFormat | null;
  readonly metadata?: { readonly user_id?: string | null } | null;
  readonly speed?: string | null;
  readonly cache_control?: ReadonlyJsonObject | null;
  readonly [field: string]: unknown;
}

export interface MessageParam {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content?: string | readonly ContentBlock[] | null;
}

interface Cacheable {
  readonly cache_control?: ReadonlyJsonObject | null;
}

export interface TextBlock extends Cacheable {
  readonly type: 'text';
  readonly text: string;
}

export type MediaSource =
  | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly file_id: string };

export interface ImageBlock extends Cacheable {
  readonly type: 'image';
  readonly source: MediaSource;
}

export interface DocumentBlock extends Cacheable {
  readonly type: 'document';
  readonly source:
    | MediaSource
    | { readonly type: 'text'; readonly data: string }
    | { readonly type: 'content'; readonly content: string | readonly (TextBlock | ImageBlock)[] };
  readonly title?: string | null;
  readonly context?: string | null;
  readonly citations?: { readonly enabled?: boolean | null } | null;
}

export interface SearchResultBlock extends Cacheable {
  readonly type: 'search_result';
  readonly source: string;
  readonly title: string;
  readonly content: readonly TextBlock[];
}

export interface ToolUseBlock extends Cacheable {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: ReadonlyJsonObject;
}

export interface ToolResultBlock extends Cacheable {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly ContentBlock[] | null;
  readonly is_error?: boolean | null;
}

export type ThoughtBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature?: string | null }
  | { readonly type: 'redacted_thinking'; readonly data: string };

/** Blocks of other types are passed on unread. */
export type ContentBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | SearchResultBlock
  | ToolUseBlock
  | ToolResultBlock
  | ThoughtBlock;

/** A `type` other than `custom` is a tool that the API itself defines and usually also runs. */
export interface ToolParam extends Cacheable {
  readonly type?: string | null;
  readonly name: string;
  readonly description?: string | null;
  readonly input_schema: ReadonlyJsonObject;
  readonly strict?: boolean | null;
  readonly [field: string]: unknown;
}

export type ToolChoiceParam =
  | { readonly type: 'auto' | 'any' | 'none'; readonly disable_parallel_tool_use?: boolean | null }
  | { readonly type: 'tool'; readonly name: string; readonly disable_parallel_tool_use?: boolean | null };

export interface ThinkingParam {
  readonly type: string;
  readonly budget_tokens?: number | null;
  readonly display?: string | null;
}

export interface JsonFormat {
  readonly type: 'json_schema';
  readonly schema: ReadonlyJsonObject;
}
