import { Burger, FocusTrap, Group, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useFocusReturn, useMediaQuery } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useShortcuts } from '../kit/use-shortcuts';
import { AccountMenu } from './account-menu';
import { BaseUrl } from './base-url';
import { CommandBar } from './command-bar';
import { GatewayBanner } from './gateway-banner';
import { Wordmark } from './logo';
import { NavLinks } from './nav-links';
import { SessionWatch } from './session-watch';
import classes from './shell.module.css';
import { SignInAgain } from './sign-in-again';
import { ThemeSwitch } from './theme-switch';

const KeyboardHelp = lazy(() => import('./keyboard-help').then((module) => ({ default: module.KeyboardHelp })));

/** Keeps the width of the header when a dialog hides the window's scroll bar. */
const NO_SCROLL_BAR = 'right-scroll-bar-position';

/** The frame of every page of the console. */
export function Shell() {
  const [isNavOpen, nav] = useDisclosure(false);
  const [isHelpOpen, help] = useDisclosure(false);
  const isSmall = useMediaQuery('(max-width: 47.99em)');
  useFocusReturn({ opened: isNavOpen });
  useShortcuts([
    ['shift+?', help.open],
    ['?', help.open],
    ['Escape', nav.close],
  ]);
  return (
    <>
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <header className={`${classes.header} ${NO_SCROLL_BAR}`}>
        <Group gap="xs" wrap="nowrap" className={classes.start}>
          <Burger opened={isNavOpen} onClick={nav.toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
          <BaseUrl />
        </Group>
        <Group gap={6} wrap="nowrap">
          <CommandBar onHelp={help.open} />
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
        <FocusTrap active={isNavOpen && isSmall}>
          <div className={classes.sidebar}>
            <Group justify="space-between" wrap="nowrap" className={classes.brand}>
              <Link to="/" className={classes.home} onClick={nav.close}>
                <Wordmark />
                <VisuallyHidden>: go to the overview</VisuallyHidden>
              </Link>
              <Burger opened onClick={nav.close} hiddenFrom="sm" size="sm" aria-label="Close the menu" />
            </Group>
            <NavLinks onNavigate={nav.close} />
          </div>
        </FocusTrap>
      </nav>
      <main id="main" tabIndex={-1} className={classes.main}>
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
