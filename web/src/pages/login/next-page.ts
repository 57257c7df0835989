import { ADMIN_PAGES, MEMBER_PAGES } from '../../shell/navigation';

const PAGES = [...MEMBER_PAGES, ...ADMIN_PAGES].map(({ to }) => to.slice(1));
const ALLOWED = new Set([...PAGES, 'account']);

/** The page after signing in. It is always a page of the console, whatever the address contains. */
export function nextPage(next: string | undefined, origin = window.location.origin): string {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  const [, first = ''] = url.pathname.split('/');
  return url.origin === origin && ALLOWED.has(first) ? url.pathname + url.search + url.hash : '/';
}
