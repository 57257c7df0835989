import { type HotkeyItem, useHotkeys } from '@mantine/hooks';

/** Inputs that take no text: shortcuts still work while a clicked switch has the focus. */
const WITHOUT_TEXT = ['radio', 'checkbox', 'button', 'submit', 'reset', 'range', 'color', 'file', 'image'];

/** Single keys with an action on a page, except while typing. */
export function useShortcuts(shortcuts: readonly [key: string, run: () => void][]): void {
  const items = shortcuts.map(
    ([key, run]): HotkeyItem => [
      key,
      (event) => {
        if (isTypedInto(event.target)) return;
        event.preventDefault();
        run();
      },
      { preventDefault: false },
    ],
  );
  useHotkeys(items, []);
}

function isTypedInto(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.includes(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName));
}
