import { api, unwrap } from '../../api/client';
import type { Stats } from './chat.types';

const TRIES = 8;
const FIRST_WAIT_MS = 150;

/**
 * The usage of a call that was stopped. Its stream ended before the usage; the ledger has it as soon as the gateway has
 * closed the row. Null if that took too long.
 */
export async function ledgerUsage(completionId: string): Promise<Pick<Stats, 'usage' | 'costUsd'> | null> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    await new Promise((resolve) => window.setTimeout(resolve, FIRST_WAIT_MS * 2 ** Math.min(attempt, 4)));
    const call = await callOf(completionId);
    if (call && call.status !== 'open') {
      const { inputTokens, outputTokens, costUsd } = call;
      const total = inputTokens + outputTokens;
      return { usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: total }, costUsd };
    }
  }
  return null;
}

function callOf(id: string) {
  return unwrap(api.GET('/api/usage/calls/{id}', { params: { path: { id } } })).catch(() => null);
}
