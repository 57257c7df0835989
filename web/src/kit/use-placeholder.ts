import { type ChangeEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { loadedOverlays, loadOverlays } from './load-overlays';

/** Keys that open a list. */
const OPENING = ['ArrowDown', 'ArrowUp', 'Enter', ' '];

/** The user's input before the real field was there. */
interface UserInput {
  hasFocus: boolean;
  isClicked: boolean;
  typed: string | null;
}

const NONE: UserInput = { hasFocus: false, isClicked: false, typed: null };

/**
 * A field that looks like one with a list, until someone uses it. Then the real one replaces it and receives the focus,
 * the click and the typed text.
 */
export function usePlaceholder({ loadsEarly = false, takesText = false }) {
  const [overlays, setOverlays] = useState(loadedOverlays);
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  if (error !== null) throw error;
  const field = useRef<HTMLInputElement>(null);
  const userInput = useRef(NONE);
  const taken = useRef(NONE);
  const load = useCallback(() => {
    const swap = (parts: Awaited<ReturnType<typeof loadOverlays>>) => {
      taken.current = userInput.current;
      setOverlays(parts);
    };
    loadOverlays().then(swap, setError);
  }, []);
  useEffect(() => {
    if (loadsEarly) load();
  }, [loadsEarly, load]);
  useEffect(() => {
    if (!overlays || !field.current) return;
    repeat(taken.current, field.current);
    setTyped(null);
  }, [overlays]);
  const note = (more: Partial<UserInput>) => {
    userInput.current = { ...userInput.current, ...more };
    if (more.typed !== undefined) setTyped(more.typed);
  };
  return {
    overlays,
    field,
    typed,
    placeholderProps: {
      readOnly: !takesText,
      onPointerEnter: load,
      onMouseDown: () => note({ isClicked: true }),
      onClick: ({ currentTarget }: { currentTarget: HTMLInputElement }) => takesText && currentTarget.select(),
      onFocus: () => {
        note({ hasFocus: true });
        load();
      },
      onBlur: () => note(NONE),
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => note({ typed: currentTarget.value }),
      onKeyDown: ({ key }: KeyboardEvent) => OPENING.includes(key) && note({ isClicked: true }),
    },
  };
}

function repeat({ hasFocus, isClicked, typed }: UserInput, field: HTMLInputElement): void {
  if (!hasFocus) return;
  field.focus();
  if (isClicked) field.click();
  if (typed !== null) type(field, typed);
}

/** As typed by a person: React only notices text that it did not set itself. */
function type(field: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
