import { invalidRequest } from '../../../common/gateway.error.js';
import type { JsonObject } from '../../contract/json.js';
import type { Base64Data } from '../data-url.js';

const IMAGE_TYPES = new Map([
  ['image/jpeg', 'image/jpeg'],
  ['image/jpg', 'image/jpeg'],
  ['image/png', 'image/png'],
  ['image/gif', 'image/gif'],
  ['image/webp', 'image/webp'],
]);

export function imageBlock({ mediaType, data }: Base64Data, path: string): JsonObject {
  const type = IMAGE_TYPES.get(mediaType);
  if (!type) {
    throw invalidRequest('unsupported_value', path, 'This model takes images of the types JPEG, PNG, GIF and WebP.');
  }
  return { type: 'image', source: { type: 'base64', media_type: type, data } };
}
