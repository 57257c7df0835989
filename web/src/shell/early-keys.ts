/** Ends the collection and returns its text; later calls return nothing. */
export type TakeKeys = () => string;

/**
 * Collects what is typed or pasted from now on, for a field that is still loading. Ends when Escape is
 * pressed or a field has the focus.
 */
export function collectKeys(): TakeKeys {
  let text = '';
  const end = new AbortController();
  const options = { capture: true, signal: end.signal };
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape' || event.target instanceof HTMLInputElement) return end.abort();
      if (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return;
      text += event.key;
      event.preventDefault();
      event.stopPropagation();
    },
    options,
  );
  window.addEventListener(
    'paste',
    (event) => {
      text += event.clipboardData?.getData('text') ?? '';
      event.preventDefault();
    },
    options,
  );
  return () => {
    end.abort();
    const taken = text;
    text = '';
    return taken;
  };
}
