import '@mantine/spotlight/styles.layer.css';
import KeyRound from 'icon:key-round';
import Keyboard from 'icon:keyboard';
import LogOut from 'icon:log-out';
import Monitor from 'icon:monitor';
import Moon from 'icon:moon';
import Search from 'icon:search';
import Sun from 'icon:sun';
import UserRound from 'icon:user-round';
import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useSession } from '../api/session';
import type { Icon } from '../icons/icon';
import { searchable } from '../kit/cut-key';
import type { TakeKeys } from './early-keys';
import { ADMIN_PAGES, type Destination, MEMBER_PAGES } from './navigation';
import { signOut } from './sign-out';
import { useFoundActions } from './use-found-actions';

interface PaletteProps {
  /** Opens it on every change. */
  openings: number;
  /** What was typed before the palette was ready. */
  takeKeys: TakeKeys;
  onHelp: () => void;
}

/** Every page and the most common actions, and requests, keys, users and models by their names and ids. */
export function Palette({ openings, takeKeys, onHelp }: PaletteProps) {
  const [query, setQuery] = useState('');
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
        placeholder: 'A page, request id, key, user or model',
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
  const { user } = useSession();
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
        ...MEMBER_PAGES.map(toPage),
        action('Profile and sessions', UserRound, () => navigate({ to: '/account' }), 'account password'),
      ],
    },
    ...(user.role === 'admin' ? [{ group: 'Admin', actions: ADMIN_PAGES.map(toPage) }] : []),
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
