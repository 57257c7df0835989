import type { ReadonlyJsonObject } from '../../../upstreams/contract/json.js';

/**
 * The parts of a valid request of OpenAI's Responses API that the gateway reads (`CreateResponse` of OpenAI's published
 * document). Shares the values of the body, including unknown fields. Null means "not set".
 */
export interface ResponsesRequest {
  readonly model: string;
  readonly input: string | readonly InputItem[];
  readonly instructions?: string | null;
  readonly stream?: boolean | null;
  readonly max_output_tokens?: number | null;
  readonly temperature?: number | null;
  readonly top_p?: number | null;
  readonly top_logprobs?: number | null;
  readonly parallel_tool_calls?: boolean | null;
  readonly tools?: readonly ResponsesTool[] | null;
  readonly tool_choice?: string | ReadonlyJsonObject | null;
  readonly text?: { readonly format?: TextFormat | null; readonly verbosity?: string | null } | null;
  readonly reasoning?: {
    readonly effort?: string | null;
    readonly summary?: string | null;
    /** The older name of `summary`. */
    readonly generate_summary?: string | null;
  } | null;
  readonly include?: readonly string[] | null;
  readonly truncation?: string | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly [field: string]: unknown;
}

export type InputItem = ReadonlyJsonObject;

export type TextFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly name: string;
      readonly description?: string | null;
      readonly schema: ReadonlyJsonObject;
      readonly strict?: boolean | null;
    };

/** Tools that the provider runs have other types and fields of their own. */
export type ResponsesTool = OwnTool | NamespaceTool | (ReadonlyJsonObject & { readonly type: string });

export type OwnTool = FunctionTool | CustomTool;

export interface FunctionTool {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string | null;
  readonly parameters?: ReadonlyJsonObject | null;
  readonly strict?: boolean | null;
}

export interface CustomTool {
  readonly type: 'custom';
  readonly name: string;
  readonly description?: string | null;
  readonly format?: ReadonlyJsonObject | null;
}

/** Functions whose names share a prefix. */
export interface NamespaceTool {
  readonly type: 'namespace';
  readonly name: string;
  readonly description?: string | null;
  readonly tools: readonly OwnTool[];
}

/** Whether it is a single tool that the client runs. */
export function isOwnTool(tool: ResponsesTool): tool is OwnTool {
  return tool.type === 'function' || tool.type === 'custom';
}

export function isNamespaceTool(tool: ResponsesTool): tool is NamespaceTool {
  return tool.type === 'namespace';
}

/** `web_search`, `web_search_preview`, `web_search_2025_08_26` … */
export function isWebSearch(type: unknown): boolean {
  return typeof type === 'string' && /^web_search(?:_|$)/.test(type);
}

/** Whether the request offers web search without insisting on it; many clients always offer it. */
export function canDoWithoutSearch({ tools, tool_choice: choice }: ResponsesRequest): boolean {
  const insists = typeof choice === 'object' && choice !== null && isWebSearch(choice.type);
  return !insists && (tools?.some(({ type }) => isWebSearch(type)) ?? false);
}

export function includes({ include }: ResponsesRequest, entry: string): boolean {
  return include?.includes(entry) ?? false;
}
