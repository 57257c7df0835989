import { type ComponentProps, type ReactElement, useId, useRef, useState } from 'react';

/** A button; its ARIA attributes and click handler are added. */
export type DropTarget = ReactElement<ComponentProps<'button'>>;

/** A button that opens an overlay beside it. */
export function useDrop(kind: 'menu' | 'dialog') {
  const id = useId();
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  if (isOpen && !wasOpened) setWasOpened(true);
  return {
    id,
    anchor: anchor.current,
    isOpen,
    wasOpened,
    setOpen,
    targetProps: {
      id,
      ref: anchor,
      'aria-haspopup': kind,
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? `${id}-dropdown` : undefined,
      'data-expanded': isOpen || undefined,
      onClick: () => setOpen(!isOpen),
    },
  };
}
