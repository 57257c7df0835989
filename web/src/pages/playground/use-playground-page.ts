import { useEffect } from 'react';
import { useSession } from '../../api/session';
import { notifyDone } from '../../kit/notify';
import { useUrlState } from '../../kit/use-url-state';
import { answer, stopAnswer } from './answer-run';
import type { Draft, Image, ModelView, Turn } from './chat.types';
import type { ChatSettings } from './chat-settings';
import { chosenModel, rememberModel } from './chosen-model';
import { type Kept, keepHistory } from './history';
import {
  clearConversation,
  playgroundState,
  updatePlayground,
  updateSettings,
  usePlayground,
} from './playground-store';
import { keepInTab } from './tab-conversation';
import type { TurnCommands } from './turn-actions';
import { moved, openCalls, settled, toolTurn, upTo, userTurn, without, withText, withTurn, writtenTurn } from './turns';

/** The playground's state, and the actions of its buttons. */
export function usePlaygroundPage(models: readonly ModelView[]) {
  const { user } = useSession();
  const state = usePlayground();
  const [urlModel, setUrlModel] = useUrlState('model', '');
  const model = models.find(({ id }) => id === state.settings.model);
  useEffect(() => keepInTab(user.id), [user.id]);
  useEffect(() => keepHistory(user.id), [user.id]);
  useEffect(() => {
    const wanted = chosenModel(models, urlModel, playgroundState().settings.model);
    if (wanted !== undefined) updateSettings({ model: wanted });
  }, [models, urlModel]);

  const isRunning = state.runningId !== null;
  const run = (turns: readonly Turn[]) => {
    if (model) rememberModel(model.id);
    void answer(turns, model);
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
      const { turns, exchange, conversationId } = playgroundState();
      clearConversation();
      notifyDone('New conversation', () => updatePlayground({ turns: settled(turns), exchange, conversationId }));
    },
    open: ({ id, settings, turns }: Kept) => {
      stopAnswer();
      updatePlayground({ settings, turns, exchange: null, conversationId: id });
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
