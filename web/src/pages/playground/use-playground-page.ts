import { useEffect } from 'react';
import { useSession } from '../../api/session';
import { notifyDone } from '../../kit/notify';
import { PLAYGROUND_REQUEST, readTab, useUrlState, writeTab } from '../../kit/url-state';
import { defaultModel } from '../../kit/words';
import {
  moved,
  openCalls,
  runningTurn,
  settled,
  toChatRequest,
  toolTurn,
  upTo,
  userTurn,
  without,
  withText,
  withTurn,
  writtenTurn,
} from './chat-request';
import type { AssistantTurn, ChatSettings, Draft, Image, ModelView, Turn } from './chat-settings';
import { keepHistory, keepInTab, type StoredConversation } from './history';
import {
  clearConversation,
  isAnswering,
  playgroundState,
  updatePlayground,
  updateSettings,
  usePlayground,
} from './playground-store';
import type { TurnCommands } from './turn-view';

const LAST_USED = 'playground-model';

/** Not preselected while another model works. */
const UNRELIABLE: ReadonlySet<ModelView['health']['status']> = new Set(['simulated', 'failing']);

/**
 * The first model: the address's if it can be called, otherwise the previous choice, the last one used in this browser
 * unless a better one answers by now, or the default; undefined: no change.
 */
function chosenModel(models: readonly ModelView[], inUrl: string, before: string): string | undefined {
  const callable = models.filter((model) => model.callable);
  const suggested = defaultModel(callable);
  const used = callable.find(({ id }) => id === lastUsed());
  const isWorse =
    used !== undefined && UNRELIABLE.has(used.health.status) && !UNRELIABLE.has(suggested?.health.status ?? 'failing');
  const again = isWorse || used?.health.status === 'failing' ? undefined : used?.id;
  const required = [inUrl, before, again, suggested?.id];
  const chosen = required.find((id) => callable.some((model) => model.id === id));
  return chosen === before ? undefined : chosen;
}

function rememberModel(id: string): void {
  try {
    localStorage.setItem(LAST_USED, id);
  } catch {
    // If the browser forbids storage, start with the default.
  }
}

function lastUsed(): string | undefined {
  try {
    return localStorage.getItem(LAST_USED) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Loaded while the person types, so that the page does not wait for it. */
export const loadAnswerSteps = () => import('./answer-steps');

let controller: AbortController | undefined;

/** Lets the model answer the conversation that ends with these turns. */
async function answer(turns: readonly Turn[], model: ModelView | undefined, rival: ModelView | undefined) {
  stopAnswer();
  const own = new AbortController();
  controller = own;
  const { settings, rivals } = playgroundState();
  const request = toChatRequest(settings, turns, model);
  const turn = runningTurn();
  const beside = rival && runningTurn();
  updatePlayground({
    turns: [...turns, turn],
    runningId: turn.id,
    ...(beside && { rivals: { ...rivals, [turn.id]: beside } }),
  });
  try {
    const { AnswerRun } = await loadAnswerSteps();
    const runs = [new AnswerRun(request, model, turn)];
    if (beside) {
      // Each model gets its own earlier answers.
      const requested = turns.map((one) => rivals[one.id] ?? one);
      runs.push(
        new AnswerRun(toChatRequest({ ...settings, model: rival.id }, requested, rival), rival, beside, turn.id),
      );
    }
    await Promise.all(runs.map((run) => run.follow(own.signal)));
  } catch {
    fail(turn, beside);
  }
  if (controller === own) controller = undefined;
}

/** Ends the answer here and at the provider; the received part is kept. */
export function stopAnswer(): void {
  controller?.abort();
  controller = undefined;
}

/** The code could not be loaded: the gateway may have been updated. */
function fail({ id }: AssistantTurn, beside: AssistantTurn | undefined): void {
  const message = 'This page is out of date, or you are offline. Reload it; the conversation stays.';
  const failure = { message, status: null, requestId: null, body: null };
  const turns = playgroundState().turns.map((turn) =>
    turn.id === id && turn.role === 'assistant' ? { ...turn, state: 'failed' as const, failure } : turn,
  );
  const rivals = {
    ...playgroundState().rivals,
    ...(beside && { [id]: { ...beside, state: 'failed' as const, failure } }),
  };
  updatePlayground({ turns, rivals, runningId: null });
}

/** Opens the request that someone has taken from the log. */
async function openRequest(): Promise<void> {
  const text = readTab(PLAYGROUND_REQUEST);
  if (text === null) return;
  writeTab(PLAYGROUND_REQUEST, null);
  stopAnswer();
  const { fromRequest } = await import('./from-request');
  updatePlayground({ ...fromRequest(JSON.parse(text)), rivals: {}, exchange: null, conversationId: null });
}

/** The playground's state, and the actions of its buttons. */
export function usePlaygroundPage(models: readonly ModelView[]) {
  const { user } = useSession();
  const state = usePlayground();
  const [urlModel, setUrlModel] = useUrlState('model', '');
  const model = models.find(({ id }) => id === state.settings.model);
  const rival = models.find(({ id, callable }) => callable && id === state.settings.rival && id !== model?.id);
  useEffect(() => keepInTab(user.id), [user.id]);
  useEffect(() => keepHistory(user.id), [user.id]);
  useEffect(() => void openRequest(), []);
  useEffect(() => {
    const required = chosenModel(models, urlModel, playgroundState().settings.model);
    if (required !== undefined) updateSettings({ model: required });
  }, [models, urlModel]);

  const isRunning = isAnswering(state);
  const run = (turns: readonly Turn[]) => {
    if (model) rememberModel(model.id);
    void answer(turns, model, rival);
  };
  const commands: TurnCommands = {
    change: isRunning ? null : (id, text) => updatePlayground({ turns: withText(playgroundState().turns, id, text) }),
    move: (id, step) => updatePlayground({ turns: moved(playgroundState().turns, id, step) }),
    remove: (id) => removeWithUndo(id),
    regenerate: (id) => run(upTo(playgroundState().turns, id)),
  };
  return {
    state,
    model,
    rival,
    isRunning,
    commands,
    calls: openCalls(state.turns),
    changeSettings: (changes: Partial<ChatSettings>) => {
      updateSettings(changes);
      if (changes.model !== undefined) setUrlModel(changes.model);
    },
    write: (draft: Draft) => updatePlayground({ draft }),
    send: (text: string, images: readonly Image[]) => run(withMessage(state.turns, text, images)),
    add: (role: 'user' | 'assistant', text: string, images: readonly Image[]) =>
      updatePlayground({ turns: [...state.turns, role === 'user' ? userTurn(text, images) : writtenTurn(text)] }),
    addToolResults: () => updatePlayground({ turns: [...state.turns, ...openCalls(state.turns).map(toolTurn)] }),
    clear: () => {
      stopAnswer();
      const { turns, rivals, exchange, conversationId } = playgroundState();
      clearConversation();
      notifyDone('New conversation', () =>
        updatePlayground({ turns: settled(turns), rivals, exchange, conversationId }),
      );
    },
    open: ({ id, settings, turns, rivals = {} }: StoredConversation) => {
      stopAnswer();
      updatePlayground({ settings, turns, rivals, exchange: null, conversationId: id });
      setUrlModel(settings.model);
    },
  };
}

function withMessage(turns: readonly Turn[], text: string, images: readonly Image[]): readonly Turn[] {
  return text.trim() === '' && images.length === 0 ? turns : [...turns, userTurn(text, images)];
}

function removeWithUndo(id: string): void {
  const { turns } = playgroundState();
  const index = turns.findIndex((turn) => turn.id === id);
  const removed = turns[index];
  if (!removed) return;
  updatePlayground({ turns: without(turns, id) });
  notifyDone('Message deleted', () => {
    updatePlayground({ turns: withTurn(playgroundState().turns, removed, index) });
  });
}
