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
