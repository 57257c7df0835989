import { asciiSet, countFrom, type Detector, type Match, startOfEnd } from './detector.js';

/** ISO 13616: the length of the number in each country. */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

const IBAN_CHARACTERS = asciiSet(/[A-Za-z0-9 -]/);
const DIGIT = asciiSet(/\d/);
const IBAN_LETTERS = asciiSet(/[A-Za-z]/);
const IBAN_START = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?=[ -]?[A-Z0-9])/gi;

/** The length is the country's, so the end is not looked for: what follows may be more text. */
export const iban: Detector = {
  name: 'iban',
  longest: 50,
  needs: '0123456789',
  find(text) {
    const matches: Match[] = [];
    IBAN_START.lastIndex = 0;
    for (let found = IBAN_START.exec(text); found !== null; found = IBAN_START.exec(text)) {
      const end = ibanEnd(text, found.index);
      if (end === null) continue;
      matches.push({ start: found.index, end, kind: 'an IBAN' });
      IBAN_START.lastIndex = end;
    }
    return matches;
  },
  openFrom(text, isQuiet) {
    const first = startOfEnd(text, 50, IBAN_CHARACTERS);
    if (first === text.length) return first;
    if (countFrom(text, first, DIGIT) === 0) {
      // Two letters can be a country.
      const word = startOfEnd(text, 3, IBAN_LETTERS);
      return text.length - word <= 2 && !isQuiet ? word : text.length;
    }
    const end = text.slice(Math.max(0, first - 1));
    const token = end.search(/(?<![A-Za-z0-9])[A-Za-z]{1,2}$|(?<![A-Za-z0-9])[A-Za-z]{2}\d(?:[ -]?[A-Za-z0-9])*[ -]?$/);
    if (token === -1 || (isQuiet && !/\d/.test(end.slice(token)))) return text.length;
    return text.length - end.length + token;
  },
};

/** The end of the valid number that starts at `start`; null: there is none. */
function ibanEnd(text: string, start: number): number | null {
  const length = IBAN_LENGTHS.get(text.slice(start, start + 2).toUpperCase());
  if (length === undefined) return null;
  const characters: number[] = [];
  let at = start;
  for (; characters.length < length && at < text.length; at++) {
    const value = valueAt(text, at);
    if (value !== null) characters.push(value);
    else if (!isSeparator(text, at) || isSeparator(text, at - 1)) return null;
    // With hyphens, only in fours: other groups are those of a UUID.
    else if (text[at] === '-' && at - start !== fours(characters.length)) return null;
  }
  if (characters.length < length || valueAt(text, at) !== null) return null;
  let rest = 0;
  for (let index = 0; index < length; index++) {
    const value = characters[(index + 4) % length] as number;
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1 ? at : null;
}

/** The length of so many characters in groups of four with separators. */
const fours = (characters: number): number => characters + Math.floor((characters - 1) / 4);

/** 0 to 9 for digits, 10 to 35 for letters of either case; null for other characters. */
function valueAt(text: string, at: number): number | null {
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code & ~32;
  return letter >= 65 && letter <= 90 ? letter - 55 : null;
}

const isSeparator = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '-';
