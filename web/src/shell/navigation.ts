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
import Users from 'icon:users';
import Wallet from 'icon:wallet';
import type { Icon } from '../icons/icon';

export interface Destination {
  to: string;
  label: string;
  icon: Icon;
}

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

export const ADMIN_PAGES: Destination[] = [
  { to: '/users', label: 'Users', icon: Users },
  { to: '/plans', label: 'Plans', icon: Gem },
  { to: '/budgets', label: 'Budgets', icon: Wallet },
  { to: '/upstreams', label: 'Models & upstreams', icon: Network },
  { to: '/alerts', label: 'Alerts', icon: BellRing },
  { to: '/audit', label: 'Audit log', icon: ScrollText },
  { to: '/settings', label: 'Settings', icon: Settings },
];
