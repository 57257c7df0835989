type Overlays = typeof import('./overlays');

let overlays: Overlays | null = null;

/** What opens above a page is no part of what the page waits for: it comes when somebody reaches for it. */
export async function loadOverlays(): Promise<Overlays> {
  overlays ??= await import('./overlays');
  return overlays;
}

/** On the way, since it is about to be asked for. */
export function fetchOverlays(): void {
  loadOverlays().catch(() => undefined);
}

/** Null until they have come. */
export function overlaysNow(): Overlays | null {
  return overlays;
}
