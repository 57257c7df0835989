import Check from 'icon:check';
import ChevronDown from 'icon:chevron-down';
import Copy from 'icon:copy';
import Keyboard from 'icon:keyboard';
import LogOut from 'icon:log-out';
import Monitor from 'icon:monitor';
import Moon from 'icon:moon';
import Sun from 'icon:sun';
import UserRound from 'icon:user-round';
import { ActionIcon, Burger, Group, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useFocusReturn, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { noticesQuery } from '../api/lists';
import { useSession } from '../api/session';
import { useCopy } from '../kit/copy-button';
import { DropMenu, Tip } from '../kit/on-demand';
import { useShortcuts } from '../kit/shortcuts';
import { Wordmark } from './card-page';
import { CommandBar } from './command-bar';
import { GatewayBanner } from './gateway-banner';
import { type Destination, pagesOf, signOut } from './navigation';
import { SessionWatch, SignInAgain } from './session-watch';
import classes from './shell.module.css';

function AccountMenu({ onHelp }: { onHelp: () => void }) {
  const { user, plan } = useSession();
  const navigate = useNavigate();
  const shown = user.name || user.email;
  return (
    <DropMenu
      width={240}
      target={
        <UnstyledButton aria-label={`${initialsOf(shown)}: account of ${shown}`} style={{ borderRadius: '50%' }}>
          <span className={classes.avatar} aria-hidden="true">
            {initialsOf(shown)}
          </span>
        </UnstyledButton>
      }
    >
      {(Menu) => (
        <>
          <div style={{ padding: '0.5rem 0.75rem 0.625rem' }}>
            <Text size="sm" fw={600} truncate>
              {shown}
            </Text>
            {user.name && (
              <Text size="xs" c="dimmed" truncate>
                {user.email}
              </Text>
            )}
            <Text size="xs" c="dimmed" mt={4}>
              Plan {plan.name}
              {user.role === 'admin' && ' · Administrator'}
            </Text>
          </div>
          <Menu.Divider />
          <Menu.Item
            leftSection={<UserRound size={15} aria-hidden="true" />}
            onClick={() => navigate({ to: '/account' })}
          >
            Profile and sessions
          </Menu.Item>
          <Menu.Item leftSection={<Keyboard size={15} aria-hidden="true" />} onClick={onHelp}>
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<LogOut size={15} aria-hidden="true" />} onClick={() => signOut()}>
            Sign out
          </Menu.Item>
        </>
      )}
    </DropMenu>
  );
}

function initialsOf(text: string): string {
  const words = text.split(/[\s@._-]+/).filter(Boolean);
  const [first, second] = text.includes('@') ? words : [words[0], words.at(-1)];
  return `${first?.[0] ?? ''}${words.length > 1 ? (second?.[0] ?? '') : ''}`.toUpperCase();
}

/** The base URL for clients, one click from the clipboard on every page, with that for apps that list models. */
function BaseUrl() {
  const { baseUrl, listBaseUrl } = useSession();
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <>
      <Tip label={copied ? 'Copied' : 'Copy the base URL'}>
        <UnstyledButton className={classes.chip} onClick={() => copy(baseUrl)}>
          <VisuallyHidden>Copy</VisuallyHidden>
          <span className={classes.label}>Base URL</span>
          <code className={classes.url}>{baseUrl}</code>
          <Icon size={14} aria-hidden="true" className={classes.icon} />
        </UnstyledButton>
      </Tip>
      <DropMenu
        position="bottom-start"
        target={
          <ActionIcon aria-label="Another base URL">
            <ChevronDown size={14} aria-hidden="true" />
          </ActionIcon>
        }
      >
        {(Menu) => (
          <Menu.Item leftSection={<Copy size={15} aria-hidden="true" />} onClick={() => copy(listBaseUrl)}>
            <Text size="xs" c="dimmed">
              For apps that list models
            </Text>
            <code className={classes.url}>{listBaseUrl}</code>
          </Menu.Item>
        )}
      </DropMenu>
    </>
  );
}

const schemes = [
  { value: 'auto', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const;

function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = schemes.find(({ value }) => value === colorScheme)?.icon ?? Monitor;
  return (
    <DropMenu
      width={160}
      target={
        <ActionIcon size="lg" aria-label="Theme">
          <Current size={17} aria-hidden="true" />
        </ActionIcon>
      }
    >
      {(Menu) =>
        schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={15} aria-hidden="true" />}
            rightSection={value === colorScheme && <Check size={15} aria-hidden="true" />}
            onClick={() => setColorScheme(value)}
          >
            {label}
            {value === colorScheme && <VisuallyHidden>, chosen</VisuallyHidden>}
          </Menu.Item>
        ))
      }
    </DropMenu>
  );
}

/** Links to every page that the person can see. */
function NavLinks({ onNavigate }: { onNavigate: () => void }) {
  const { own, admin } = pagesOf(useSession());
  return (
    <div className={classes.nav}>
      <Links pages={own} onNavigate={onNavigate} />
      {admin.length > 0 && (
        <>
          <Text className={classes.group} id="nav-admin">
            Admin
          </Text>
          <Links pages={admin} labelledBy="nav-admin" onNavigate={onNavigate} />
        </>
      )}
    </div>
  );
}

interface LinksProps {
  pages: Destination[];
  labelledBy?: string;
  onNavigate: () => void;
}

function Links({ pages, labelledBy, onNavigate }: LinksProps) {
  return (
    <ul className={classes.list} aria-labelledby={labelledBy}>
      {pages.map((page) => (
        <li key={page.to}>
          <NavLink {...page} onNavigate={onNavigate} />
        </li>
      ))}
    </ul>
  );
}

function NavLink({ to, label, icon: Icon, onNavigate }: Destination & { onNavigate: () => void }) {
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      className={classes.link}
      onClick={onNavigate}
    >
      <Icon size={17} strokeWidth={1.75} aria-hidden="true" />
      <span>{label}</span>
    </Link>
  );
}

const Notices = lazy(() => import('./notices').then((module) => ({ default: module.Notices })));
const KeyboardHelp = lazy(() => import('./keyboard-help').then((module) => ({ default: module.KeyboardHelp })));

/** Keeps the width of the header when a dialog hides the window's scroll bar. */
const NO_SCROLL_BAR = 'right-scroll-bar-position';

/** The frame of every page of the console. */
export function Shell() {
  const [isNavOpen, nav] = useDisclosure(false);
  const [isHelpOpen, help] = useDisclosure(false);
  const { data: notices } = useQuery(noticesQuery);
  const isSmall = useMediaQuery('(max-width: 47.99em)');
  /** The menu of a small screen covers the page, which is then out of reach for the keyboard, too. */
  const isCovered = isNavOpen && isSmall === true;
  const home = useRef<HTMLAnchorElement>(null);
  useFocusReturn({ opened: isNavOpen });
  useEffect(() => {
    if (isCovered) home.current?.focus({ preventScroll: true });
  }, [isCovered]);
  useShortcuts([
    ['shift+?', help.open],
    ['?', help.open],
    ['Escape', nav.close],
  ]);
  return (
    <>
      <a href="#main" className={classes.skip} inert={isCovered}>
        Skip to the content
      </a>
      <header className={`${classes.header} ${NO_SCROLL_BAR}`} inert={isCovered}>
        <Group gap="xs" wrap="nowrap" className={classes.start}>
          <Burger opened={isNavOpen} onClick={nav.toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
          <BaseUrl />
        </Group>
        <Group gap={6} wrap="nowrap">
          <CommandBar onHelp={help.open} />
          {(notices?.items.length ?? 0) > 0 && (
            <Suspense>
              <Notices />
            </Suspense>
          )}
          <ThemeSwitch />
          <AccountMenu onHelp={help.open} />
        </Group>
      </header>
      <nav
        className={classes.navbar}
        aria-label="Main"
        data-open={isNavOpen || undefined}
        inert={isSmall && !isNavOpen}
      >
        <div className={classes.sidebar}>
          <Group justify="space-between" wrap="nowrap" className={classes.brand}>
            <Link to="/" className={classes.home} onClick={nav.close} ref={home}>
              <Wordmark />
              <VisuallyHidden>: go to the overview</VisuallyHidden>
            </Link>
            <Burger opened onClick={nav.close} hiddenFrom="sm" size="sm" aria-label="Close the menu" />
          </Group>
          <NavLinks onNavigate={nav.close} />
        </div>
      </nav>
      <main id="main" tabIndex={-1} className={classes.main} inert={isCovered}>
        <GatewayBanner className={classes.status} />
        <Outlet />
      </main>
      {isHelpOpen && (
        <Suspense fallback={null}>
          <KeyboardHelp opened onClose={help.close} />
        </Suspense>
      )}
      <SignInAgain />
      <SessionWatch />
    </>
  );
}
