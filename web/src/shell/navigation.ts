import {
  Blocks,
  BookOpen,
  ChartColumn,
  Gem,
  House,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  Network,
  ScrollText,
  Settings,
  Users,
} from 'lucide-react';

export interface Destination {
  to: string;
  label: string;
  icon: LucideIcon;
  /** Not one of the console's own pages: a plain link. */
  isPlain?: boolean;
}

export const MEMBER_PAGES: Destination[] = [
  { to: '/', label: 'Overview', icon: House },
  { to: '/keys', label: 'API Keys', icon: KeyRound },
  { to: '/usage', label: 'Usage', icon: ChartColumn },
  { to: '/models', label: 'Models', icon: Blocks },
  { to: '/playground', label: 'Playground', icon: MessagesSquare },
  { to: '/docs', label: 'Docs', icon: BookOpen, isPlain: true },
];

export const ADMIN_PAGES: Destination[] = [
  { to: '/users', label: 'Users', icon: Users },
  { to: '/plans', label: 'Plans', icon: Gem },
  { to: '/upstreams', label: 'Models & upstreams', icon: Network },
  { to: '/audit', label: 'Audit log', icon: ScrollText },
  { to: '/settings', label: 'Settings', icon: Settings },
];
