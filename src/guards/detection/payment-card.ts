import { asciiSet, countFrom, type Detector, type Match, startOfEnd } from './detector.js';

/** The prefixes and lengths that the networks issue: Visa, Mastercard, Amex, Discover, Diners, JCB, UnionPay, Maestro. */
const CARD =
  /^(?:4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:2(?:2[1-9]|[3-9]\d)|[3-6]\d\d|7(?:[01]\d|20))\d{12}|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12,15}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}|6(?:304|7\d\d)\d{12}(?:\d{2,3})?|5(?:0\d\d|[6-9]\d\d)\d{12})$/;

/**
 * Looks at a digit first, then at what stands before it, as most characters are no digits. Twelve digits in a row of their
 * own instead of `{12,}`: V8 then skips text without thirteen digits at a tenth of the time.
 */
const DIGITS = new RegExp(`\\d(?<![\\w.+-]\\d)${'[ -]?\\d'.repeat(12)}(?:[ -]?\\d)*(?![\\w-]|\\.\\d)`, 'g');

const CARD_CHARACTERS = asciiSet(/[\d -]/);
const DIGIT = asciiSet(/\d/);

/** Digits without separators, or in groups of 2 to 8: `4111 1111 1111 1111`, `3782-822463-10005`. */
export const paymentCard: Detector = {
  name: 'payment_card',
  longest: 40,
  needs: '0123456789',
  find(text) {
    const matches: Match[] = [];
    DIGITS.lastIndex = 0;
    for (let found = DIGITS.exec(text); found !== null; found = DIGITS.exec(text)) {
      const { 0: run, index } = found;
      for (const [start, end] of numbersIn(run)) {
        matches.push({ start: index + start, end: index + end, kind: 'a payment card number' });
      }
    }
    return matches;
  },
  openFrom(text, isQuiet) {
    const start = startOfEnd(text, 40, CARD_CHARACTERS);
    const digits = countFrom(text, start, DIGIT);
    return digits >= (isQuiet ? 6 : 1) ? start : text.length;
  },
};

/** The valid numbers in a run of groups of digits, which may have other groups before and after them. */
function numbersIn(run: string): readonly (readonly [start: number, end: number])[] {
  const numbers: [number, number][] = [];
  const groups = run.split(/[ -]/);
  let start = 0;
  for (let first = 0; first < groups.length; first++) {
    const end = longestNumber(groups, first, start);
    if (end !== null) {
      numbers.push([start, end.end]);
      first += end.groups - 1;
      start = end.end + 1;
    } else start += (groups[first] as string).length + 1;
  }
  return numbers;
}

function longestNumber(groups: readonly string[], first: number, start: number) {
  let digits = '';
  let found: { end: number; groups: number } | null = null;
  for (let next = first; next < groups.length; next++) {
    const group = groups[next] as string;
    if (next > first && (group.length < 2 || group.length > 8 || digits.length > 8 * (next - first))) break;
    digits += group;
    if (digits.length > 19) break;
    const count = next - first + 1;
    if (isCardNumber(digits)) found = { end: start + digits.length + count - 1, groups: count };
  }
  return found;
}

const isCardNumber = (digits: string): boolean =>
  digits.length >= 13 && CARD.test(digits) && !/^(\d)\1+$/.test(digits) && hasLuhnDigit(digits);

function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const value = index % 2 === 0 ? digit : digit * 2;
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
