import {
  type ApiClient,
  CHAT_CLIENT,
  EMBEDDINGS_CLIENT,
  MESSAGES_CLIENT,
  onAzure,
  RESPONSES_CLIENT,
  TEXT_CLIENT,
} from './api-clients.js';
import {
  CHAT_WIRE,
  COMPATIBLE_WIRE,
  EMBEDDINGS_WIRE,
  MESSAGES_WIRE,
  RESPONSES_WIRE,
  TEXT_WIRE,
  type UpstreamWire,
} from './api-wires.js';

/** An API, and one of the ways in which its calls are served. */
export interface ApiRow {
  /** The id of its model in `ApiTest`, which other models' ids begin with. */
  readonly model: string;
  readonly client: ApiClient;
  readonly wire: UpstreamWire;
  readonly streams: boolean;
}

const row = (model: string, client: ApiClient, wire: UpstreamWire): ApiRow => ({
  model,
  client,
  wire,
  streams: wire !== EMBEDDINGS_WIRE,
});

const AZURE_CHAT = onAzure(CHAT_CLIENT, (model) => `/openai/deployments/${model}/chat/completions`);
const AZURE_RESPONSES = onAzure(RESPONSES_CLIENT, () => '/openai/responses');
const AZURE_EMBEDDINGS = onAzure(EMBEDDINGS_CLIENT, (model) => `/openai/deployments/${model}/embeddings`);

type ApiTable = readonly (readonly [string, ApiRow])[];

/** Every API and way. The guarantees for calls apply to each row. */
export const CALL_TABLE: ApiTable = [
  ['chat', row('openai', CHAT_CLIENT, CHAT_WIRE)],
  ['native Responses', row('openai', RESPONSES_CLIENT, RESPONSES_WIRE)],
  ['translated Responses', row('compatible', RESPONSES_CLIENT, COMPATIBLE_WIRE)],
  ['native Messages', row('anthropic', MESSAGES_CLIENT, MESSAGES_WIRE)],
  ['translated Messages', row('compatible', MESSAGES_CLIENT, COMPATIBLE_WIRE)],
  ['text completions', row('openai', TEXT_CLIENT, TEXT_WIRE)],
  ['embeddings', row('embed', EMBEDDINGS_CLIENT, EMBEDDINGS_WIRE)],
];

/** Also at Azure's paths, where only the model and the key are read differently; for the guarantees of the entrance. */
export const API_TABLE: ApiTable = [
  ...CALL_TABLE,
  ["Azure's chat", row('openai', AZURE_CHAT, CHAT_WIRE)],
  ["Azure's Responses", row('openai', AZURE_RESPONSES, RESPONSES_WIRE)],
  ["Azure's embeddings", row('embed', AZURE_EMBEDDINGS, EMBEDDINGS_WIRE)],
];

export const STREAMED_TABLE = CALL_TABLE.filter(([, { streams }]) => streams);

/** Each row with JSON, and with a stream where there is one. */
export function answersOf(table: ApiTable): readonly (readonly [string, ApiRow, boolean])[] {
  return [
    ...table.map(([name, one]) => [`${name}, JSON`, one, false] as const),
    ...table.filter(([, { streams }]) => streams).map(([name, one]) => [`${name}, a stream`, one, true] as const),
  ];
}

export const ANSWER_TABLE = answersOf(CALL_TABLE);

/**
 * A native request (with errors in Anthropic's format) and embeddings: the paths through the code that all APIs share,
 * besides the inner form, which the specs of Chat Completions test (chat-*, failover, hedging, idempotency, limits and
 * errors-body). For guarantees in which no API has code of its own.
 */
export const SHARED_TABLE = CALL_TABLE.filter(([name]) => ['native Messages', 'embeddings'].includes(name));

export const SHARED_STREAMED_TABLE = SHARED_TABLE.filter(([, { streams }]) => streams);

export const SHARED_ANSWER_TABLE = answersOf(SHARED_TABLE);
