/** Ends the collection and returns its text; later calls return nothing. */
export type TakeKeys = () => string;

/** If the field has not loaded by then, the page gets its keys back. */
const LIMIT_MS = 5000;
const FIELDS = 'input, textarea, select, [contenteditable]';

/** Collects what is typed or pasted outside of fields, for a field that is still loading. Escape ends it. */
export function collectKeys(): TakeKeys {
  let text = '';
  const end = new AbortController();
  const options = { capture: true, signal: AbortSignal.any([end.signal, AbortSignal.timeout(LIMIT_MS)]) };
  const add = (event: Event, more: string) => {
    text += more;
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape' || isInField(event)) return end.abort();
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) add(event, event.key);
    },
    options,
  );
  window.addEventListener(
    'paste',
    (event) => {
      if (isInField(event)) return end.abort();
      add(event, event.clipboardData?.getData('text') ?? '');
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

function isInField({ target }: Event): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null;
}
