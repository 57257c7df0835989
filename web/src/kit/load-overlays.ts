type Overlays = typeof import('./overlays');

let overlays: Overlays | null = null;

/** A page does not wait for the code of its overlays, which is loaded when someone is about to use them. */
export async function loadOverlays(): Promise<Overlays> {
  overlays ??= await import('./overlays');
  return overlays;
}

/** Starts loading it early. */
export function fetchOverlays(): void {
  loadOverlays().catch(() => undefined);
}

/** Null until it is loaded. */
export function loadedOverlays(): Overlays | null {
  return overlays;
}
