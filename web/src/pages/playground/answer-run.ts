import type { AssistantTurn, ModelView, Turn } from './chat.types';
import { toChatRequest } from './chat-request';
import { playgroundState, updatePlayground } from './playground-store';
import { runningTurn } from './turns';

/** Loaded while the person types, so that the page does not wait for it. */
export const loadAnswerSteps = () => import('./answer-steps');

let controller: AbortController | undefined;

/** Lets the model answer the conversation that ends with these turns. */
export async function answer(turns: readonly Turn[], model: ModelView | undefined): Promise<void> {
  stopAnswer();
  const own = new AbortController();
  controller = own;
  const request = toChatRequest(playgroundState().settings, turns, model);
  const turn = runningTurn();
  updatePlayground({ turns: [...turns, turn], runningId: turn.id });
  try {
    const { AnswerRun } = await loadAnswerSteps();
    await new AnswerRun(request, model, turn).follow(own.signal);
  } catch {
    fail(turn);
  }
  if (controller === own) controller = undefined;
}

/** Ends the answer here and at the provider; the received part is kept. */
export function stopAnswer(): void {
  controller?.abort();
  controller = undefined;
}

/** The code could not be loaded: the gateway may have been updated. */
function fail({ id }: AssistantTurn): void {
  const message = 'This page is out of date, or you are offline. Reload it; the conversation stays.';
  const failure = { message, status: null, requestId: null, body: null };
  const turns = playgroundState().turns.map((turn) =>
    turn.id === id && turn.role === 'assistant' ? { ...turn, state: 'failed' as const, failure } : turn,
  );
  updatePlayground({ turns, runningId: null });
}
