import { type HotkeyItem, useHotkeys } from '@mantine/hooks';

/** The name of the command key on this computer. */
export const commandKey = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** A whole key, or more of one than its display form shows. */
const WHOLE_KEY = /svc_(\w{4})\w{5,}(\w{4})/g;

/** A search text in which whole keys are cut to their display form, so that no secret leaves the browser. */
export function searchable(text: string): string {
  return text.replace(WHOLE_KEY, 'svc_$1…$2');
}

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
