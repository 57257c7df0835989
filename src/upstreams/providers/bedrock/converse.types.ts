import type { JsonObject } from '../../contract/json.js';
import type { Turn } from '../shared/turns.js';

export type ConverseTurn = Turn<ContentBlock>;

export type ContentBlock =
  | TextBlock
  | ImageBlock
  | { document: { format: string; name: string; source: { bytes: string } } }
  | { toolUse: { toolUseId: string; name: string; input: JsonObject } }
  | ToolResultBlock
  | CachePoint
  | { reasoningContent: { reasoningText: { text: string; signature: string } } | { redactedContent: string } };

/** Everything before it is cached; for five minutes without `ttl`. */
export interface CachePoint {
  cachePoint: { type: 'default'; ttl?: '1h' };
}

export interface ImageBlock {
  image: { format: string; source: { bytes: string } };
}

/** Never blank: the API refuses that. */
export interface TextBlock {
  text: string;
}

export interface ToolResultBlock {
  toolResult: { toolUseId: string; content: (TextBlock | ImageBlock)[] };
}
