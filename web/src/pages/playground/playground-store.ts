import { useSyncExternalStore } from 'react';
import {
  type AssistantTurn,
  type ChatSettings,
  DEFAULT_SETTINGS,
  type Draft,
  type Exchange,
  type Turn,
} from './chat-settings';

export interface PlaygroundState {
  readonly settings: ChatSettings;
  readonly turns: readonly Turn[];
  readonly draft: Draft;
  /** The current answer. */
  readonly runningId: string | null;
  /** The answers of the second model, by the id of the first model's answer beside which they stand. */
  readonly rivals: Readonly<Record<string, AssistantTurn>>;
  readonly exchange: Exchange | null;
  /** The conversation's title in the history. */
  readonly conversationId: string | null;
}

export const NO_DRAFT: Draft = { text: '', images: [] };

const EMPTY: PlaygroundState = {
  settings: DEFAULT_SETTINGS,
  turns: [],
  draft: NO_DRAFT,
  runningId: null,
  rivals: {},
  exchange: null,
  conversationId: null,
};

let state = EMPTY;
const listeners = new Set<() => void>();

/** The state of the playground, kept while other pages are open. */
export function usePlayground(): PlaygroundState {
  return useSyncExternalStore(subscribe, playgroundState);
}

export function playgroundState(): PlaygroundState {
  return state;
}

/** Whether the first model or the second still answers. */
export function isAnswering({ runningId, rivals }: PlaygroundState): boolean {
  return runningId !== null || Object.values(rivals).some(({ state }) => state === 'running');
}

export function updatePlayground(changes: Partial<PlaygroundState>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) listener();
}

export function updateSettings(changes: Partial<ChatSettings>): void {
  updatePlayground({ settings: { ...state.settings, ...changes } });
}

/** A new conversation with the same settings. */
export function clearConversation(): void {
  updatePlayground({ turns: [], rivals: {}, exchange: null, conversationId: null });
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
