import { type HotkeyItem, useHotkeys } from '@mantine/hooks';

/** Fields that take no letters: a switch that was clicked has the focus, and shortcuts go on working. */
const LETTERLESS = ['radio', 'checkbox', 'button', 'submit', 'reset', 'range', 'color', 'file', 'image'];

/** Single keys that do something on a page, unless somebody types. */
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
  if (target instanceof HTMLInputElement) return !LETTERLESS.includes(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName));
}
