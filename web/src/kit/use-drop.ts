import { type ComponentProps, type ReactElement, useId, useRef, useState } from 'react';

/** A button; what it says of itself and what a click does are added to it. */
export type DropTarget = ReactElement<ComponentProps<'button'>>;

/** A button with something that opens beside it. */
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
