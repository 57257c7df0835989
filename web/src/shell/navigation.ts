import BellRing from 'icon:bell-ring';
import Blocks from 'icon:blocks';
import BookOpen from 'icon:book-open';
import ChartColumn from 'icon:chart-column';
import FolderKanban from 'icon:folder-kanban';
import Gem from 'icon:gem';
import House from 'icon:house';
import KeyRound from 'icon:key-round';
import ListTree from 'icon:list-tree';
import MessagesSquare from 'icon:messages-square';
import Network from 'icon:network';
import ScrollText from 'icon:scroll-text';
import Settings from 'icon:settings';
import ShieldCheck from 'icon:shield-check';
import Users from 'icon:users';
import Wallet from 'icon:wallet';
import { api, unwrap } from '../api/client';
import { mayAll, type Permission, type SignedIn } from '../api/session';
import type { Icon } from '../icons/icon';
import { forgetTab } from '../kit/url-state';

export interface Destination {
  to: string;
  label: string;
  icon: Icon;
}

/** A page for people who have this permission for everything. */
interface AdminDestination extends Destination {
  permission: Permission;
}

const BUDGETS: AdminDestination = { to: '/budgets', label: 'Budgets', icon: Wallet, permission: 'usage.read' };

export const MEMBER_PAGES: Destination[] = [
  { to: '/', label: 'Overview', icon: House },
  { to: '/keys', label: 'API Keys', icon: KeyRound },
  { to: '/projects', label: 'Projects', icon: FolderKanban },
  { to: '/usage', label: 'Usage', icon: ChartColumn },
  { to: '/requests', label: 'Requests', icon: ListTree },
  { to: '/models', label: 'Models', icon: Blocks },
  { to: '/playground', label: 'Playground', icon: MessagesSquare },
  { to: '/docs', label: 'Docs', icon: BookOpen },
];

export const ADMIN_PAGES: AdminDestination[] = [
  { to: '/users', label: 'Users', icon: Users, permission: 'users.read' },
  { to: '/plans', label: 'Plans', icon: Gem, permission: 'plans.write' },
  BUDGETS,
  { to: '/guards', label: 'Guards', icon: ShieldCheck, permission: 'guards.read' },
  { to: '/upstreams', label: 'Models & upstreams', icon: Network, permission: 'upstreams.read' },
  { to: '/alerts', label: 'Alerts', icon: BellRing, permission: 'alerts.read' },
  { to: '/audit', label: 'Audit log', icon: ScrollText, permission: 'audit.read' },
  { to: '/settings', label: 'Settings', icon: Settings, permission: 'settings.read' },
];

/** The pages that a person can see; those of projects also see their budgets. */
export function pagesOf(session: SignedIn): { own: Destination[]; admin: Destination[] } {
  const admin = ADMIN_PAGES.filter(({ permission }) => mayAll(session, permission));
  if (session.projectRole === null || admin.includes(BUDGETS)) return { own: MEMBER_PAGES, admin };
  const at = MEMBER_PAGES.findIndex(({ to }) => to === '/models');
  return { own: MEMBER_PAGES.toSpliced(at, 0, BUDGETS), admin };
}

/** Whether the person can see the page at this path of a route, such as `/users/$id`. */
export function maySee(session: SignedIn, path: string): boolean {
  const page = ADMIN_PAGES.find(({ to }) => path === to || path.startsWith(`${to}/`));
  return page === undefined || mayAll(session, page.permission);
}

/** Ends the session and reloads the page, so that nothing stays in memory. */
export async function signOut(): Promise<void> {
  await unwrap(api.DELETE('/api/session')).catch(() => undefined);
  forgetTab();
  window.location.assign('/login');
}

/** Ends the collection and returns its text; later calls return nothing. */
export type TakeKeys = () => string;

/** If the field has not loaded by then, the page gets its keys back. */
const LIMIT_MS = 5000;
const FIELDS = 'input, textarea, select, [contenteditable]';

/** Collects what is typed or pasted outside of fields, for a field that is still loading. Escape ends it. */
export function collectKeys(): TakeKeys {
  let text = '';
  const end = new AbortController();
  const options = { capture: true, signal: AbortSignal.any([end.signal, AbortSignal.timeout(LIMIT_MS)]) };
  const add = (event: Event, more: string) => {
    text += more;
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape' || isInField(event)) return end.abort();
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) add(event, event.key);
    },
    options,
  );
  window.addEventListener(
    'paste',
    (event) => {
      if (isInField(event)) return end.abort();
      add(event, event.clipboardData?.getData('text') ?? '');
    },
    options,
  );
  return () => {
    end.abort();
    const taken = text;
    text = '';
    return taken;
  };
}

function isInField({ target }: Event): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null;
}
