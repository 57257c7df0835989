const LONGEST = 2000;
const NOWHERE = 'http://own.invalid';

/** A path of the console from a link; `/` if it would lead anywhere else. */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || next.length > LONGEST || !/^\/(?![/\\])/.test(next) || !URL.canParse(next, NOWHERE)) {
    return '/';
  }
  const { origin, pathname, search, hash } = new URL(next, NOWHERE);
  const isOwn = origin === NOWHERE && !pathname.startsWith('//') && !/^\/(api|v1|openai)(\/|$)/i.test(pathname);
  return isOwn ? pathname + search + hash : '/';
}
