import { type Detector, type Match, regexDetector, withoutOverlaps } from './detector.js';

const kind = 'a phone number';

/** Looked for where a text has a plus, as the search for it is slow. */
const international = regexDetector(
  'phone',
  kind,
  /(?<![\w+.])\+[1-9]\d{0,2}(?:[ .()/-]{0,3}\d){6,13}(?![\w-]|\.\d)/g,
  {
    longest: 48,
    needs: '0123456789',
    accepts: (candidate) => {
      const digits = candidate.replace(/\D/g, '');
      return digits.length >= 8 && digits.length <= 15;
    },
    character: /[\d+ .()/-]/,
    beginning: /[\d+(]/,
    hasBegun: (end) => end.replace(/\D/g, '').length >= 4 || /\+\d/.test(end),
  },
);

/** Begins with a digit, and what stands before it is looked at afterwards: V8 then skips most of a text. */
const NORTH_AMERICAN = /[2-9]\d\d(?:\) ?|[-. ])[2-9]\d\d[-. ]\d{4}(?![\w-]|\.\d)/g;
const PART_OF_MORE = /[\w+.]/;

/**
 * Numbers in the international form, with separators or not, and North American ones with separators. Other national
 * forms cannot be told from other numbers.
 */
export const phone: Detector = {
  ...international,
  find(text) {
    const matches = northAmericanIn(text);
    return text.includes('+') ? withoutOverlaps([...matches, ...international.find(text)]) : matches;
  },
};

function northAmericanIn(text: string): readonly Match[] {
  const matches: Match[] = [];
  NORTH_AMERICAN.lastIndex = 0;
  for (let found = NORTH_AMERICAN.exec(text); found !== null; found = NORTH_AMERICAN.exec(text)) {
    const { 0: candidate, index } = found;
    const before = text[index - 1] ?? '';
    if (PART_OF_MORE.test(before) || !/[-.)]/.test(candidate)) {
      // A shorter candidate may begin within the refused one.
      NORTH_AMERICAN.lastIndex = index + 1;
      continue;
    }
    const start = before === '(' && !PART_OF_MORE.test(text[index - 2] ?? '') ? index - 1 : index;
    matches.push({ start, end: index + candidate.length, kind });
  }
  return matches;
}
