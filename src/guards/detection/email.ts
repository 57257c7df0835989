import { asciiSet, type Detector, type Match, startOfEnd } from './detector.js';

const EMAIL_LOCAL = /[\w.%+'-]/;
const EMAIL_DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,24}/u;

const EMAIL_TOKEN = asciiSet(/[^\s"<>(),;:]/);

/**
 * Addresses as people write them: a local part without quotes, and a domain with a dot. Looks around each `@`, which
 * is rare, instead of starting at each letter.
 */
export const email: Detector = {
  name: 'email',
  longest: 256,
  needs: '@',
  find(text) {
    const matches: Match[] = [];
    let last = 0;
    for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
      let start = at;
      while (start > Math.max(last, at - 64) && isLocal(text, start - 1)) start--;
      while (start < at && /[.%+'-]/.test(text[start] as string)) start++;
      const domain = start < at && text[at - 1] !== '.' ? EMAIL_DOMAIN.exec(text.slice(at + 1, at + 255)) : null;
      if (!domain || NO_DOMAIN.test(domain[0])) continue;
      last = at + 1 + domain[0].length;
      matches.push({ start, end: last, kind: 'an email address' });
    }
    return matches;
  },
  openFrom(text, isQuiet) {
    const start = startOfEnd(text, 256, EMAIL_TOKEN, true);
    return isQuiet && !text.includes('@', start) ? text.length : start;
  },
};

/** Packages, decorators and files have the form of an address too: `icon@2x.png`, `lodash@4.17.21`. */
const NO_DOMAIN =
  /(?:^\d+(?:\.\d+)*x?\.|\.)(?:png|jpe?g|gif|svg|webp|js|mjs|ts|tsx|css|json|html?|py|md|ya?ml|local)$/i;

function isLocal(text: string, at: number): boolean {
  const character = text[at] as string;
  return EMAIL_LOCAL.test(character) || (character > '\u007f' && /[\p{L}\p{N}]/u.test(character));
}
