import { isIPv4, isIPv6 } from 'node:net';
import { asciiSet, type Detector, type Match, startOfEnd } from './detector.js';

/** Loopback, broadcast, "any", and four single digits, which are a version more often, unless they are equal. */
const NOT_PERSONAL = /^(?:0|127|255)\.|^(?!(\d)(?:\.\1){3}$)\d\.\d\.\d\.\d$/;
const VERSION_BEFORE = /(?:version|release|section|§|\bv) ?$/i;
/** Looks at a digit first, then at what stands before it, as most characters are no digits; `{3}` is slower. */
const V4 = /\d(?<![\w.:@/-]\d)\d{0,2}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\w-]|\.\d)/g;
const V6_PART = /:[\da-f]{0,4}:/gi;
/** Most texts have none, which this finds in half the time of `V4`. */
const V4_MIDDLE = /\d\.\d{1,3}\.\d{1,3}\.\d/;
/** An address without `::` has seven colons, and at most four characters between two of them. */
const V6_COLONS = 7;
const V6_LONGEST_GROUP = 4;

const IP_CHARACTERS = asciiSet(/[\da-f:.]/i);

const kind = 'an IP address';

/** IPv6 needs at least three groups, as `a::b` is code more often. */
export const ipAddress: Detector = {
  name: 'ip_address',
  longest: 45,
  needs: '0123456789',
  find(text) {
    const matches = V4_MIDDLE.test(text) ? v4In(text) : [];
    if (!text.includes('::') && !hasColonsInRow(text)) return matches;
    return [...matches, ...v6In(text)].sort((a, b) => a.start - b.start);
  },
  openFrom(text, isQuiet) {
    const start = startOfEnd(text, 45, IP_CHARACTERS);
    if (start === text.length) return start;
    const isOpen = (isQuiet ? /\d+\.\d+\.|:[\da-f]*:/i : /[\da-f:]/i).test(text.slice(start));
    return isOpen ? start : text.length;
  },
};

function v4In(text: string): readonly Match[] {
  const matches: Match[] = [];
  V4.lastIndex = 0;
  for (let found = V4.exec(text); found !== null; found = V4.exec(text)) {
    const { 0: address, index } = found;
    if (!isIPv4(address) || NOT_PERSONAL.test(address)) continue;
    if (VERSION_BEFORE.test(text.slice(Math.max(0, index - 9), index))) continue;
    matches.push({ start: index, end: index + address.length, kind });
  }
  return matches;
}

function v6In(text: string): readonly Match[] {
  const matches: Match[] = [];
  V6_PART.lastIndex = 0;
  for (let part = V6_PART.exec(text); part !== null; part = V6_PART.exec(text)) {
    let start = part.index;
    while (start > part.index - 5 && /[\da-f:]/i.test(text[start - 1] ?? '')) start--;
    let end = part.index;
    while (end < start + 46 && /[\da-f:]/i.test(text[end] ?? '')) end++;
    const address = text.slice(start, end).replace(/:$/, '');
    const groups = address.split(':').filter((group) => group !== '');
    const isAlone = !/[\w.:]/.test(text[start - 1] ?? '') && !/\w/.test(text[end] ?? '');
    if (isAlone && groups.length >= 3 && /\d/.test(address) && isIPv6(address)) {
      matches.push({ start, end: start + address.length, kind });
    }
    V6_PART.lastIndex = Math.max(end, part.index + 1);
  }
  return matches;
}

function hasColonsInRow(text: string): boolean {
  let count = 0;
  let last = -1;
  for (let at = text.indexOf(':'); at !== -1 && count < V6_COLONS; at = text.indexOf(':', at + 1)) {
    count = count > 0 && at - last <= V6_LONGEST_GROUP + 1 ? count + 1 : 1;
    last = at;
  }
  return count >= V6_COLONS;
}
