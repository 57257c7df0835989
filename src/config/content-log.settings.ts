import type { Environment } from './environment.js';

const BYTES = 32;

/** The keys that encrypt the content log; the first one encrypts, all decrypt. Empty: content is never logged. */
export function readContentLogKeys(environment: Environment): Buffer[] {
  const text = environment.readSecret('CONTENT_LOG_KEY');
  if (text === undefined) return [];
  const keys = text.split(',').map((one) => Buffer.from(one.trim(), 'base64'));
  if (keys.every(({ length }) => length === BYTES)) return keys;
  const problem =
    'must be 32 random bytes in base64, for example from `openssl rand -base64 32`; older keys can follow, separated by commas';
  environment.fault('CONTENT_LOG_KEY', problem);
  return [];
}
