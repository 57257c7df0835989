import type { MenuProps, Popover, PopoverProps, TooltipProps } from '@mantine/core';
import {
  type ComponentProps,
  type ComponentType,
  cloneElement,
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { MenuParts, OverlayTipProps } from './overlays';

type Overlays = typeof import('./overlays');

let overlays: Overlays | null = null;

/** A page does not wait for the code of its overlays, which is loaded when someone is about to use them. */
export async function loadOverlays(): Promise<Overlays> {
  overlays ??= await import('./overlays');
  return overlays;
}

/** Starts loading it early. */
function fetchOverlays(): void {
  loadOverlays().catch(() => undefined);
}

/** Null until it is loaded. */
export function loadedOverlays(): Overlays | null {
  return overlays;
}

/** The focused element; for a menu item the menu's button, which still exists when the menu has closed. */
export function currentOpener(): HTMLElement | null {
  const focused = document.activeElement;
  const button = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = button ? document.getElementById(button) : focused;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}

/** Returns the focus to the element that opened a dialog, or to the page's title if that is gone. */
export function returnFocus(opener: HTMLElement | null): void {
  const target = opener?.isConnected ? opener : document.querySelector<HTMLElement>('h1');
  target?.focus({ preventScroll: true });
}

/**
 * A dialog or drawer that is loaded when it is first opened. It is rendered closed first, so that opening it is a
 * change, and it stays mounted to fade out.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  isRequired: (props: P) => boolean,
  shut: Partial<P>,
): (props: P) => React.ReactNode {
  const Part = lazy(async () => ({ default: await load() })) as unknown as ComponentType<P>;
  function Opening(props: P) {
    const [isDrawn, setDrawn] = useState(false);
    useEffect(() => setDrawn(true), []);
    return <Part {...props} {...(!isDrawn && shut)} />;
  }
  return function OnDemand(props: P) {
    const [wasRequired, setRequired] = useState(false);
    if (!wasRequired && isRequired(props)) setRequired(true);
    return wasRequired ? (
      <Suspense fallback={null}>
        <Opening {...props} />
      </Suspense>
    ) : null;
  };
}

const DELAY_MS = 250;

/** If its code cannot be loaded, for example after an update of the gateway, the page goes on without the hint. */
const OverlayTip = lazy(() =>
  loadOverlays().then(
    ({ OverlayTip }): { default: ComponentType<OverlayTipProps> } => ({ default: OverlayTip }),
    () => ({ default: () => null }),
  ),
);

interface TipProps extends Pick<TooltipProps, 'label' | 'multiline' | 'maw' | 'styles'> {
  /** Whether a tap shows it, too; set this if nothing else gives the same information. */
  forTouch?: boolean;
  children: ReactElement<ComponentProps<'button'>>;
}

/** A short hint above the element under the pointer. */
export function Tip({ forTouch = false, children, ...bubble }: TipProps) {
  const id = useId();
  const anchor = useRef<HTMLButtonElement>(null);
  const pointer = useRef('');
  const { isOpen, wasOpened, setOver } = useHover();
  return (
    <>
      {wasOpened && anchor.current && (
        <Suspense fallback={null}>
          <OverlayTip id={id} anchor={anchor.current} isOpen={isOpen} {...bubble} />
        </Suspense>
      )}
      {cloneElement(children, {
        ref: anchor,
        'aria-describedby': isOpen ? id : undefined,
        onPointerEnter: ({ pointerType }) => {
          pointer.current = pointerType;
          fetchOverlays();
        },
        onMouseEnter: () => setOver(forTouch || pointer.current === 'mouse'),
        onMouseLeave: () => setOver(false),
      })}
    </>
  );
}

/** True when the pointer has rested there for a moment, until it leaves or Escape is pressed. */
function useHover() {
  const [isOver, setOver] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  if (isOpen && !wasOpened) setWasOpened(true);
  if (isOpen && !isOver) setOpen(false);
  useEffect(() => {
    if (!isOver) return;
    const timer = setTimeout(() => setOpen(true), DELAY_MS);
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && setOver(false);
    window.addEventListener('keydown', onKeyDown);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [isOver]);
  return { isOpen, wasOpened, setOver };
}

/** A button; its ARIA attributes and click handler are added. */
type DropTarget = ReactElement<ComponentProps<'button'>>;

/** A button that opens an overlay beside it. */
function useDrop(kind: 'menu' | 'dialog') {
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
