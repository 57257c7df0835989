import type { JsonObject } from './json.js';

/** APIs other than Chat Completions that some upstreams speak themselves. */
export type NativeApiName = 'responses' | 'messages';

/** A client's request in the form of a native API: its own fields, unknown ones included, in their own order. */
export interface NativeBody {
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
