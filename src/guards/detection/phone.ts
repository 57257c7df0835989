import { regexDetector } from './detector.js';

/**
 * Numbers in the international form, with separators or not, and North American ones with separators. Other national
 * forms cannot be told from other numbers.
 */
export const phone = regexDetector(
  'phone',
  'a phone number',
  /(?<![\w+.])(?:\+[1-9]\d{0,2}(?:[ .()/-]{0,3}\d){6,13}|\(?[2-9]\d\d(?:\) ?|[-. ])[2-9]\d\d[-. ]\d{4})(?![\w-]|\.\d)/g,
  {
    longest: 48,
    needs: '0123456789',
    accepts: (candidate) => {
      const digits = candidate.replace(/\D/g, '');
      return candidate.startsWith('+') ? digits.length >= 8 && digits.length <= 15 : /[-.)]/.test(candidate);
    },
    character: /[\d+ .()/-]/,
    beginning: /[\d+(]/,
    hasBegun: (end) => end.replace(/\D/g, '').length >= 4 || /\+\d/.test(end),
  },
);
