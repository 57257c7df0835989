import { isIPv4, isIPv6 } from 'node:net';
import type { Request } from 'express';

/**
 * Groups addresses by client: an IPv4 address, or the /64 network of an IPv6 address, which belongs to one client. All
 * invalid addresses count as one client.
 */
export function clientNetwork(address: string | null): string {
  const [bare = ''] = (address ?? '').toLowerCase().split('%');
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIPv4(bare)) return bare;
  return isIPv6(bare) ? `${firstGroups(bare, 4).join(':')}::/64` : 'unknown';
}

function firstGroups(address: string, count: number): string[] {
  const [head = '', tail] = address.split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(8 - before.length - after.length, 0)).fill('0');
  return [...before, ...zeros, ...after].slice(0, count).map((group) => Number.parseInt(group, 16).toString(16));
}

/** An IPv4 address at the end (`::203.0.113.7`) counts as two groups. */
function groupsOf(text: string): string[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}

/** Express's `ip`. Skips its expensive proxy check if there is no proxy header. */
export function clientAddress(request: Request): string | undefined {
  return request.headers['x-forwarded-for'] === undefined ? request.socket.remoteAddress : request.ip;
}
