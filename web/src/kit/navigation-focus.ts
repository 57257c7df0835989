let pages = 0;

/** True for the page that the browser was opened on: the focus stays where the browser has put it. */
export function isFirstPage(): boolean {
  pages += 1;
  return pages <= (import.meta.env.DEV ? 2 : 1);
}
