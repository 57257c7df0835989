import * as schema from '../../common/json-schema.js';
import type { Check } from './checks.js';
import { wrongType, wrongValue } from './fault.js';

/** Only the head of a value is checked, as media may be megabytes of base64. */
const HEAD_LENGTH = 256;

const IMAGE_DATA_URL = /^data:image\/[\w.+-]+(?:;[^;,]*)*;base64,/i;
const FILE_DATA_URL = /^data:[\w.+-]+\/[\w.+-]+(?:;[^;,]*)*;base64,/i;
const WEB_ADDRESS = /^https?:\/\/[^\s/?#]/i;

/** A `data:image/…;base64,` URL with content, or a web address, which the gateway itself never fetches. */
export const imageUrl = textByHead(
  "a web address, or a data URL that begins with 'data:image/' and a type, then ';base64,' and the encoded image",
  (head) => WEB_ADDRESS.test(head) || hasPayload(IMAGE_DATA_URL, head),
);

export const audioData = textByHead("the base64-encoded audio without a 'data:' prefix", isPayload);

export const base64Data = textByHead("base64-encoded data without a 'data:' prefix", isPayload);

/** The gateway itself never fetches it. */
export const webAddress = textByHead('a web address', (head) => WEB_ADDRESS.test(head));

export const fileData = textByHead(
  'the base64-encoded file, alone or as a data URL',
  (head) => isPayload(head) || hasPayload(FILE_DATA_URL, head),
);

function textByHead(expected: string, isValid: (head: string) => boolean): Check {
  return {
    schema: schema.text(`${expected.charAt(0).toUpperCase()}${expected.slice(1)}.`),
    expected,
    faultIn(value) {
      if (typeof value !== 'string') return wrongType(expected, value);
      return isValid(value.slice(0, HEAD_LENGTH)) ? null : wrongValue(expected);
    },
  };
}

function isPayload(head: string): boolean {
  return head !== '' && !/^data:/i.test(head);
}

function hasPayload(prefix: RegExp, head: string): boolean {
  const found = prefix.exec(head);
  return found !== null && found[0].length < head.length;
}
