import { type GatewayError, gatewayError } from '../../common/gateway.error.js';
import { BODY_BOUNDS, type JsonBounds } from '../../json/json-bounds.js';

const COMPLEX: Readonly<Record<keyof JsonBounds, readonly [what: string, remedy: string]>> = {
  values: ['values', 'Send fewer messages, tools or fields.'],
  depth: ['levels of nesting', 'Use fewer levels.'],
  fields: ['top-level fields', 'Send fewer.'],
  layouts: ['different names in objects', 'Use the same names in the same order, or fewer of them.'],
  nameLength: ['bytes in a name', 'Shorten it.'],
  shortBytes: ['bytes in short values, names and white space', 'Send fewer of them.'],
};

export function tooComplex(bound: keyof JsonBounds): GatewayError {
  const [what, remedy] = COMPLEX[bound];
  const message = `The JSON of the request body has more than ${BODY_BOUNDS[bound].toLocaleString('en')} ${what}. ${remedy}`;
  return gatewayError(413, 'request_too_large', message);
}
