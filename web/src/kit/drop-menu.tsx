import type { MenuProps } from '@mantine/core';
import { cloneElement, lazy, type ReactNode, Suspense } from 'react';
import { fetchOverlays, loadOverlays } from './load-overlays';
import type { MenuParts } from './overlays';
import { type DropTarget, useDrop } from './use-drop';

const OverlayMenu = lazy(async () => ({ default: (await loadOverlays()).OverlayMenu }));

interface DropMenuProps extends Pick<MenuProps, 'position' | 'width'> {
  target: DropTarget;
  children: (parts: MenuParts) => ReactNode;
}

/** A button that opens a menu. */
export function DropMenu({ target, children, ...place }: DropMenuProps) {
  const { id, anchor, isOpen, wasOpened, setOpen, targetProps } = useDrop('menu');
  return (
    <>
      {cloneElement(target, { ...targetProps, onPointerEnter: fetchOverlays, onFocus: fetchOverlays })}
      {wasOpened && anchor && (
        <Suspense fallback={null}>
          <OverlayMenu id={id} anchor={anchor} isOpen={isOpen} onChange={setOpen} place={place}>
            {children}
          </OverlayMenu>
        </Suspense>
      )}
    </>
  );
}
