import { readTab, writeTab } from '../../kit/url-state';
import { settled, settledTurn } from './chat-request';
import type { ChatSettings, Draft, Turn } from './chat-settings';
import { isAnswering, type PlaygroundState, playgroundState, subscribe, updatePlayground } from './playground-store';

const KEY = 'playground-history';
const MAX = 30;
const TITLE_LENGTH = 80;

/** A conversation that is kept in this browser. */
export interface StoredConversation {
  readonly id: string;
  readonly title: string;
  readonly savedAt: string;
  readonly settings: ChatSettings;
  readonly turns: readonly Turn[];
  /** The answers of the second model, by the id of the first model's; older conversations have none. */
  readonly rivals?: PlaygroundState['rivals'];
}

/** The kept conversations, the latest first; null if the person does not keep them. */
export function readHistory(userId: string): readonly StoredConversation[] | null {
  try {
    const text = localStorage.getItem(nameOf(userId));
    return text === null ? null : (JSON.parse(text) as StoredConversation[]);
  } catch {
    return null;
  }
}

/** Starts to keep conversations; null forgets them all and stops. */
export function writeHistory(userId: string, conversations: readonly StoredConversation[] | null): void {
  try {
    if (conversations === null) localStorage.removeItem(nameOf(userId));
    else localStorage.setItem(nameOf(userId), JSON.stringify(conversations.slice(0, MAX)));
  } catch {
    // The browser's storage is full or forbidden: the conversation is not kept.
  }
}

/** Keeps each conversation after each answer, while that is on. */
export function keepHistory(userId: string): () => void {
  let wasRunning = isAnswering(playgroundState());
  return subscribe(() => {
    const isRunning = isAnswering(playgroundState());
    if (wasRunning && !isRunning) keep(userId);
    wasRunning = isRunning;
  });
}

function keep(userId: string): void {
  const known = readHistory(userId);
  const { turns, rivals, settings, conversationId } = playgroundState();
  if (!known || turns.length === 0) return;
  const id = conversationId ?? new Date().toISOString();
  if (conversationId === null) updatePlayground({ conversationId: id });
  const stored = {
    id,
    title: titleOf(turns),
    savedAt: new Date().toISOString(),
    settings,
    turns: turns.map(withoutImageData),
    rivals,
  };
  writeHistory(userId, [withoutKeys(stored), ...known.filter((other) => other.id !== id)]);
}

function titleOf(turns: readonly Turn[]): string {
  const text = turns.find(({ role }) => role === 'user')?.text.trim() ?? '';
  return text.slice(0, TITLE_LENGTH) || 'A conversation';
}

/** Images would soon fill the browser's storage. */
function withoutImageData(turn: Turn): Turn {
  return turn.role === 'user' ? { ...turn, images: [] } : turn;
}

/** Text that looks like an API key is not stored. */
export function withoutKeys<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replace(/svc_[A-Za-z0-9]+/g, 'svc_…')) as T;
}

function nameOf(userId: string): string {
  return `${KEY}-${userId}`;
}

interface TabConversation {
  readonly settings: ChatSettings;
  readonly turns: readonly Turn[];
  readonly rivals?: PlaygroundState['rivals'];
  readonly draft: Draft;
  readonly conversationId: string | null;
}

let owner: string | null = null;

/** Keeps the conversation over a reload, only in this tab; signing out forgets it. */
export function keepInTab(userId: string): void {
  if (owner === userId) return;
  if (owner === null) window.addEventListener('pagehide', () => owner !== null && write(owner));
  owner = userId;
  const stored = read(userId);
  if (stored && isEmpty(playgroundState())) updatePlayground(stored);
}

function isEmpty({ turns, draft }: PlaygroundState): boolean {
  return turns.length === 0 && draft.text === '' && draft.images.length === 0;
}

function read(userId: string): TabConversation | null {
  try {
    return JSON.parse(readTab(tabNameOf(userId)) ?? 'null') as TabConversation | null;
  } catch {
    return null;
  }
}

function settledRivals(rivals: PlaygroundState['rivals']): PlaygroundState['rivals'] {
  return Object.fromEntries(Object.entries(rivals).map(([id, turn]) => [id, settledTurn(turn)]));
}

/** Without its images if the browser has no room for them. */
function write(userId: string): void {
  const { settings, turns, rivals, draft, conversationId } = playgroundState();
  const stored = withoutKeys({
    settings,
    turns: settled(turns),
    rivals: settledRivals(rivals),
    draft,
    conversationId,
  });
  const name = tabNameOf(userId);
  if (isEmpty(playgroundState())) writeTab(name, null);
  else if (!writeTab(name, JSON.stringify(stored))) writeTab(name, JSON.stringify(withoutImages(stored)));
}

function withoutImages(stored: TabConversation): TabConversation {
  const turns = stored.turns.map((turn) => (turn.role === 'user' ? { ...turn, images: [] } : turn));
  return { ...stored, turns, draft: { ...stored.draft, images: [] } };
}

function tabNameOf(userId: string): string {
  return `playground-${userId}`;
}
