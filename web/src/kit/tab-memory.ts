let isForgotten = false;

/** What this tab was told before it was reloaded; another tab, or another browser, does not know it. */
export function readTab(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** False where there is no room for it, or the browser forbids it. */
export function writeTab(name: string, value: string | null): boolean {
  if (isForgotten) return false;
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}

/** For good: what is written afterwards, while the page goes away, is not kept either. */
export function forgetTab(): void {
  isForgotten = true;
  try {
    sessionStorage.clear();
  } catch {
    // A browser that forbids storage has nothing to forget.
  }
}
