import type { Popover, PopoverProps } from '@mantine/core';
import { cloneElement, lazy, type ReactNode, Suspense } from 'react';
import { fetchOverlays, loadOverlays } from './load-overlays';
import { type DropTarget, useDrop } from './use-drop';

const OverlayPanel = lazy(async () => ({ default: (await loadOverlays()).OverlayPanel }));

interface DropPanelProps extends Pick<PopoverProps, 'position' | 'width'> {
  target: DropTarget;
  /** Props of the panel itself. */
  dropdown?: Parameters<typeof Popover.Dropdown>[0];
  children: ReactNode;
}

/** A button that opens a small panel beside it. */
export function DropPanel({ target, dropdown = {}, children, ...place }: DropPanelProps) {
  const { id, anchor, isOpen, wasOpened, setOpen, targetProps } = useDrop('dialog');
  return (
    <>
      {cloneElement(target, { ...targetProps, onPointerEnter: fetchOverlays, onFocus: fetchOverlays })}
      {wasOpened && anchor && (
        <Suspense fallback={null}>
          <OverlayPanel id={id} anchor={anchor} isOpen={isOpen} onChange={setOpen} place={place} dropdown={dropdown}>
            {children}
          </OverlayPanel>
        </Suspense>
      )}
    </>
  );
}
