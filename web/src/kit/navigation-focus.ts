let pages = 0;

/** True for the first page that the browser opened: the focus stays where the browser put it. */
export function isFirstPage(): boolean {
  pages += 1;
  return pages <= (import.meta.env.DEV ? 2 : 1);
}
