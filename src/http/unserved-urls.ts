const SERVED =
  'This gateway serves POST /v1/chat/completions, /v1/responses, /v1/messages and /v1/embeddings, and GET /v1/models.';
const BASE_URL = "Set your client's base URL to this gateway's address followed by /v1.";
const CHAT_INSTEAD = "Set your client to OpenAI's Chat Completions API (often called an OpenAI-compatible provider).";

/** Known URLs that are not served, by their path after `/v1/`. */
const UNSERVED: readonly (readonly [RegExp, string])[] = [
  [
    /^responses\/(?:compact|input_tokens)\/?$/,
    'Of the Responses API, only POST /v1/responses is served. Turn this feature off in your client.',
  ],
  [
    /^responses(\/|$)/,
    "The gateway stores no responses, so none can be read, cancelled or deleted. Keep them in your client, and send the whole conversation in 'input'.",
  ],
  [/^messages\/batches(\/|$)/, 'Batches are not served. Send each request to POST /v1/messages.'],
  [/^rerank(\/|$)/, 'Reranking is not served, only chat and embeddings. Name another provider for it in your client.'],
  [
    /^(images|audio|videos|moderations|realtime)(\/|$)/,
    'Only chat and embeddings are served. Turn this feature off in your client.',
  ],
  [
    /^(assistants|threads|conversations|vector_stores|files|uploads|batches|fine_tuning|evals|containers)(\/|$)/,
    `The gateway stores nothing, so this part is not served. ${CHAT_INSTEAD}`,
  ],
  [/^v1(\/|$)/, "The path contains /v1 twice. End your client's base URL before or after /v1, as the client expects."],
];

/** Paths without `/v1`, or in Azure's form. */
const WITHOUT_BASE = /^\/(?:openai\/)?(?:chat\/completions|models|responses|messages|embeddings|completions)(?:\/|$)/i;
const AZURE = /^\/openai\/deployments\//i;

/** Tells clients of unknown paths what is served and what to change. */
export function unservedUrlHint(path: string): string {
  const rest = /^\/(?:openai\/)?v1\/(.*)$/i.exec(path)?.[1]?.toLowerCase();
  const known = rest === undefined ? undefined : UNSERVED.find(([pattern]) => pattern.test(rest));
  if (known) return `${known[1]} ${SERVED}`;
  if (AZURE.test(path)) return `Only Azure's URLs for chat and embeddings are served. ${SERVED}`;
  return WITHOUT_BASE.test(path) ? `The API begins at /v1. ${BASE_URL} ${SERVED}` : `The API begins at /v1. ${SERVED}`;
}
