import Search from 'icon:search';
import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useRef, useState } from 'react';
import { commandKey } from '../kit/shortcuts';
import { collectKeys, type TakeKeys } from './navigation';
import classes from './shell.module.css';

const Palette = lazy(() => import('./palette').then((module) => ({ default: module.Palette })));

/** Opens the palette, whose code is loaded on first use. */
export function CommandBar({ onHelp }: { onHelp: () => void }) {
  const [openings, setOpenings] = useState(0);
  const takeKeys = useRef<TakeKeys>(null);
  const open = () => {
    takeKeys.current?.();
    takeKeys.current = collectKeys();
    setOpenings((times) => times + 1);
  };
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <UnstyledButton className={classes.bar} onClick={open} visibleFrom="md">
        <Search size={15} aria-hidden="true" />
        <span className={classes.text}>Go to…</span>
        <Kbd size="xs">{commandKey} K</Kbd>
      </UnstyledButton>
      <ActionIcon size="lg" hiddenFrom="md" onClick={open} aria-label="Go to a page or an action">
        <Search size={17} aria-hidden="true" />
      </ActionIcon>
      {openings > 0 && (
        <Suspense fallback={null}>
          <Palette openings={openings} takeKeys={() => takeKeys.current?.() ?? ''} onHelp={onHelp} />
        </Suspense>
      )}
    </>
  );
}
