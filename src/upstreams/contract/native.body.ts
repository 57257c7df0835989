import type { JsonObject } from './json.js';

/** APIs other than Chat Completions that some upstreams speak themselves. */
export type NativeApiName = 'responses' | 'messages';

/** A client's request in the form of a native API: its own fields, unknown ones included, in their own order. */
export interface PassedBody {
  readonly api: NativeApiName;
  readonly fields: Readonly<JsonObject>;
  /** `anthropic-beta`, `anthropic-version`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A request without a part that the upstream refused, with the paths of what was left out. */
export interface ReducedBody {
  readonly body: NativeBody;
  readonly leftOut: readonly string[];
}

/** A request for embeddings, which no upstream takes in the inner form. */
export interface EmbeddingBody {
  readonly api: 'embeddings';
  readonly fields: Readonly<JsonObject>;
  readonly headers: Readonly<Record<string, string>>;
  /** Texts, or lists of token ids; none is empty. */
  readonly inputs: readonly string[] | readonly (readonly number[])[];
  /** The position of the first input in the client's request: a part of it may go upstream at a time. */
  readonly offset: number;
  /** Null: those of the model. */
  readonly dimensions: number | null;
  readonly encoding: 'float' | 'base64';
}

/** A request of OpenAI's older Completions, which have no translation. */
export interface TextCompletionBody {
  readonly api: 'completions';
  readonly fields: Readonly<JsonObject>;
  readonly headers: Readonly<Record<string, string>>;
}

export type NativeBody = PassedBody | EmbeddingBody | TextCompletionBody;
