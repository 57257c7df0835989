import type { JsonObject } from './json.js';
import type { UpstreamFailure } from './upstream.error.js';

/** APIs other than Chat Completions that some upstreams have natively. */
export type NativeApiName = 'responses' | 'messages';

/** A client's request for a native API. */
interface ClientBody {
  /** All fields, including unknown ones, in their order. */
  readonly fields: Readonly<JsonObject>;
  /** `anthropic-beta`, `anthropic-version`. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface PassedBody extends ClientBody {
  readonly api: NativeApiName;
}

/** A request without a part that the upstream refused, and the paths of the omitted fields. */
export interface ReducedBody {
  readonly body: NativeBody;
  readonly leftOut: readonly string[];
  /** What the upstream refuses in other requests, too. */
  readonly lasting?: readonly LastingRefusal[];
}

/** A refused part, as an adapter read it from a failure, or a field. */
export type LastingRefusal =
  | { readonly refusedPart: NonNullable<UpstreamFailure['refusedPart']>; readonly message?: string }
  | FieldPattern;

/** The way to a field: names, and entries of a list by their type and role. */
export type FieldPattern = readonly FieldStep[];
export type FieldStep = string | { readonly type: unknown; readonly role: unknown };

/** A request for embeddings, which are always native. */
export interface EmbeddingBody extends ClientBody {
  readonly api: 'embeddings';
  /** Texts, or lists of token ids; none is empty. */
  readonly inputs: readonly string[] | readonly (readonly number[])[];
  /** The position of the first input in the client's request, which may be split into several upstream requests. */
  readonly offset: number;
  /** Null: the model's default. */
  readonly dimensions: number | null;
  readonly encoding: 'float' | 'base64';
}

/** A request of OpenAI's older Completions API, which is never translated. */
export interface TextCompletionBody extends ClientBody {
  readonly api: 'completions';
}

export type NativeBody = PassedBody | EmbeddingBody | TextCompletionBody;
