let region: HTMLElement | undefined;

/** Makes screen readers say a short text after the current one. */
export function announce(text: string): void {
  region ??= createRegion();
  const target = region;
  target.textContent = '';
  window.setTimeout(() => {
    target.textContent = text;
  }, 50);
}

function createRegion(): HTMLElement {
  const element = document.createElement('div');
  element.setAttribute('role', 'status');
  element.setAttribute('aria-live', 'polite');
  Object.assign(element.style, {
    position: 'fixed',
    width: '1px',
    height: '1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
  });
  document.body.append(element);
  return element;
}
