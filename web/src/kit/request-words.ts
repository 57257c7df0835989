/** By the API's names of statuses. `unauthorized` requests are some of the refused ones. */
export const STATUS_LABELS: Record<string, string> = {
  open: 'Running',
  settled: 'Succeeded',
  failed: 'Failed',
  aborted: 'Aborted',
  interrupted: 'Interrupted',
  refused: 'Refused',
  unauthorized: 'Refused: invalid key (401)',
};

/** As in the ledger. */
export const API_LABELS: Record<string, string> = {
  'chat.completions': 'Chat Completions',
  responses: 'Responses',
  messages: 'Messages',
  embeddings: 'Embeddings',
  completions: 'Completions',
};
