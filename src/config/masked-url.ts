/** An address without its possibly secret parts: user, password, query and fragment. */
export function maskedUrl(text: string): string {
  if (!URL.canParse(text)) return '…';
  const { protocol, host, pathname, username, password, search } = new URL(text);
  const who = username || password ? '…@' : '';
  return `${protocol}//${who}${host}${pathname === '/' ? '' : pathname}${search ? '?…' : ''}`;
}
