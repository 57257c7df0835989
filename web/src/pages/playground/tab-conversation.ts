import { readTab, writeTab } from '../../kit/tab-memory';
import type { Draft, Turn } from './chat.types';
import type { ChatSettings } from './chat-settings';
import { withoutKeys } from './history';
import { type PlaygroundState, playgroundState, updatePlayground } from './playground-store';
import { settled } from './turns';

interface Kept {
  readonly settings: ChatSettings;
  readonly turns: readonly Turn[];
  readonly draft: Draft;
  readonly conversationId: string | null;
}

let owner: string | null = null;

/** Keeps the conversation over a reload, only in this tab; signing out forgets it. */
export function keepInTab(userId: string): void {
  if (owner === userId) return;
  if (owner === null) window.addEventListener('pagehide', () => owner !== null && write(owner));
  owner = userId;
  const kept = read(userId);
  if (kept && isEmpty(playgroundState())) updatePlayground(kept);
}

function isEmpty({ turns, draft }: PlaygroundState): boolean {
  return turns.length === 0 && draft.text === '' && draft.images.length === 0;
}

function read(userId: string): Kept | null {
  try {
    return JSON.parse(readTab(nameOf(userId)) ?? 'null') as Kept | null;
  } catch {
    return null;
  }
}

/** Without its images if the browser has no room for them. */
function write(userId: string): void {
  const { settings, turns, draft, conversationId } = playgroundState();
  const kept = withoutKeys({ settings, turns: settled(turns), draft, conversationId });
  const name = nameOf(userId);
  if (isEmpty(playgroundState())) writeTab(name, null);
  else if (!writeTab(name, JSON.stringify(kept))) writeTab(name, JSON.stringify(withoutImages(kept)));
}

function withoutImages(kept: Kept): Kept {
  const turns = kept.turns.map((turn) => (turn.role === 'user' ? { ...turn, images: [] } : turn));
  return { ...kept, turns, draft: { ...kept.draft, images: [] } };
}

function nameOf(userId: string): string {
  return `playground-${userId}`;
}
