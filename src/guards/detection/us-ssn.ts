import { regexDetector } from './detector.js';

/** With separators only; the ranges that are never issued do not count. */
export const usSsn = regexDetector(
  'us_ssn',
  'a US social security number',
  /(?<![\w.+-])(?!000|666|9)\d{3}([- ])(?!00)\d\d\1(?!0000)\d{4}(?![\w-]|\.\d)/g,
  {
    longest: 11,
    needs: '0123456789',
    character: /[\d -]/,
    beginning: /\d/,
    hasBegun: (end) => /\d{3}[- ]/.test(end),
  },
);
