import type { TooltipProps } from '@mantine/core';
import {
  type ComponentProps,
  type ComponentType,
  cloneElement,
  lazy,
  type ReactElement,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { fetchOverlays, loadOverlays } from './load-overlays';
import type { OverlayTipProps } from './overlays';

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
