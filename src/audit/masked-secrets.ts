const SECRET_NAME = /secret|password|token|hash|credential|^key$/i;
const KEY_TEXT = /svc_\w{8,}/g;

/**
 * A last check of the audit log: masks values that are named like a secret or look like an API key, and removes
 * characters that the database would reject, which would prevent the change.
 */
export function maskedSecrets(value: unknown, name = ''): unknown {
  if (value !== null && value !== undefined && SECRET_NAME.test(name)) return '…';
  if (typeof value === 'string') return value.replace(KEY_TEXT, 'svc_…').replaceAll('\0', '').toWellFormed();
  if (Array.isArray(value)) return value.map((item) => maskedSecrets(item));
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskedSecrets(item, key)]));
}
