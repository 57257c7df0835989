let isForgotten = false;

/** Data of this tab that survives a reload; other tabs and browsers do not see it. */
export function readTab(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** False if the storage is full, or the browser forbids it. */
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

/** Clears it permanently: later writes, while the page closes, are not stored either. */
export function forgetTab(): void {
  isForgotten = true;
  try {
    sessionStorage.clear();
  } catch {
    // A browser that forbids storage has nothing to clear.
  }
}
