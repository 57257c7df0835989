import Blocks from 'icon:blocks';
import FolderKanban from 'icon:folder-kanban';
import KeyRound from 'icon:key-round';
import ListTree from 'icon:list-tree';
import Network from 'icon:network';
import Users from 'icon:users';
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import type { Icon } from '../icons/icon';
import { type Found, useFound } from '../kit/use-found';
import '@mantine/spotlight/styles.layer.css';
import Keyboard from 'icon:keyboard';
import LogOut from 'icon:log-out';
import Monitor from 'icon:monitor';
import Moon from 'icon:moon';
import Search from 'icon:search';
import Sun from 'icon:sun';
import UserRound from 'icon:user-round';
import { useMantineColorScheme } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { mayAll, useSession } from '../api/session';
import { searchable } from '../kit/shortcuts';
import { type Destination, pagesOf, signOut, type TakeKeys } from './navigation';

const KINDS: readonly [Found['kind'], string, Icon][] = [
  ['request', 'Requests', ListTree],
  ['key', 'Keys', KeyRound],
  ['user', 'Users', Users],
  ['model', 'Models', Blocks],
  ['project', 'Projects', FolderKanban],
  ['upstream', 'Upstreams', Network],
];

/** The results for the text of the palette, by kind. */
function useFoundActions(text: string): SpotlightActionGroupData[] {
  const { found } = useFound(text);
  const navigate = useNavigate();
  const go = ({ kind, id }: Found) => {
    if (kind === 'request') return navigate({ to: '/requests', search: { range: '30d', call: id } });
    if (kind === 'model') return navigate({ to: '/models/$', params: { _splat: id } });
    if (kind === 'user') return navigate({ to: '/users/$id', params: { id } });
    if (kind === 'project') return navigate({ to: '/projects/$id', params: { id } });
    if (kind === 'upstream') return navigate({ to: '/upstreams', search: { upstream: id } });
    return navigate({ to: '/keys/$id', params: { id } });
  };
  return KINDS.map(([kind, group, Icon]) => ({
    group,
    actions: found
      .filter((one) => one.kind === kind)
      .map((one) => ({
        id: `${kind} ${one.id}`,
        label: one.label,
        description: one.detail === one.label ? undefined : one.detail,
        // The gateway has found it, so that the palette's own search must not leave it out.
        keywords: text,
        leftSection: <Icon size={17} aria-hidden="true" />,
        onClick: () => void go(one),
      })),
  })).filter(({ actions }) => actions.length > 0);
}

interface PaletteProps {
  /** Opens it on every change. */
  openings: number;
  /** What was typed before the palette was ready. */
  takeKeys: TakeKeys;
  onHelp: () => void;
}

/** Every page and the most common actions, and requests, keys, users, models, projects and upstreams by names and ids. */
export function Palette({ openings, takeKeys, onHelp }: PaletteProps) {
  const [query, setQuery] = useState('');
  const isAdmin = mayAll(useSession(), 'users.read');
  useEffect(() => {
    if (openings === 0) return;
    setQuery('');
    spotlight.open();
  }, [openings]);
  return (
    <Spotlight
      actions={useActions(query, onHelp)}
      shortcut={null}
      query={query}
      onQueryChange={(text) => setQuery(searchable(text))}
      attributes={{ content: { 'aria-label': 'Go to a page or an action' } }}
      nothingFound="Nothing found"
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <Search size={17} aria-hidden="true" />,
        placeholder: isAdmin ? 'A page, request id, key, user, project…' : 'A page, request id, key, project or model',
        'aria-label': 'Go to a page or an action',
        onFocus: () => {
          const early = takeKeys();
          if (early !== '') setQuery((text) => searchable(text + early));
        },
        onKeyDown: takeFirst,
      }}
    />
  );
}

/** Results arrive after the text was typed, so none is selected: Enter takes the first one. */
function takeFirst({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void {
  const palette = currentTarget.closest('[role="dialog"]');
  if (key !== 'Enter' || !palette || palette.querySelector('[data-selected]')) return;
  palette.querySelector<HTMLElement>('[data-action]')?.click();
}

function useActions(query: string, onHelp: () => void): SpotlightActionGroupData[] {
  const { own, admin } = pagesOf(useSession());
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const toPage = ({ to, label, icon }: Destination) => action(label, icon, () => void navigate({ to }));
  const preferences = [
    action('Use the light theme', Sun, () => setColorScheme('light')),
    action('Use the dark theme', Moon, () => setColorScheme('dark')),
    action('Use the system theme', Monitor, () => setColorScheme('auto')),
    action('Keyboard shortcuts', Keyboard, onHelp),
    action('Sign out', LogOut, () => signOut(), 'log out'),
  ];
  return [
    ...useFoundActions(query),
    {
      group: 'Actions',
      actions: [
        action('Create key', KeyRound, () => navigate({ to: '/keys', search: { create: '1' } }), 'new api key'),
      ],
    },
    {
      group: 'Pages',
      actions: [
        ...own.map(toPage),
        action('Profile and sessions', UserRound, () => navigate({ to: '/account' }), 'account password'),
      ],
    },
    ...(admin.length > 0 ? [{ group: 'Admin', actions: admin.map(toPage) }] : []),
    { group: 'Preferences', actions: preferences },
  ];
}

function action(label: string, Icon: Icon, onClick: () => unknown, keywords = ''): SpotlightActionData {
  return {
    id: label,
    label,
    keywords,
    leftSection: <Icon size={17} aria-hidden="true" />,
    onClick: () => void onClick(),
  };
}
