/** What has the focus now; of a menu's item the button of the menu, which is there yet when the menu has closed. */
export function openerNow(): HTMLElement | null {
  const focused = document.activeElement;
  const button = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = button ? document.getElementById(button) : focused;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}

/** Gives the focus back to what opened a dialog, or to the page's title when that is gone. */
export function returnFocus(opener: HTMLElement | null): void {
  const target = opener?.isConnected ? opener : document.querySelector<HTMLElement>('h1');
  target?.focus({ preventScroll: true });
}
