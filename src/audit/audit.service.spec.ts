import { describe, expect, it } from '@jest/globals';
import { maskedSecrets } from './audit.service.js';

const KEY = `svc_${'a1'.repeat(18)}`;

describe('a value in the audit log', () => {
  it.each(['password', 'newPassword', 'clientSecret', 'token', 'key', 'keyHash', 'credentials'])(
    'contains no %s',
    (name) => {
      expect(maskedSecrets({ [name]: 'hidden', other: 1 })).toEqual({ [name]: '…', other: 1 });
      expect(maskedSecrets({ list: [{ deep: { [name]: ['hidden'] } }] })).toEqual({
        list: [{ deep: { [name]: '…' } }],
      });
    },
  );

  it('contains no API key anywhere, but keeps its display form', () => {
    expect(maskedSecrets({ name: `my ${KEY}`, list: [KEY] })).toEqual({ name: 'my svc_…', list: ['svc_…'] });
    expect(maskedSecrets(KEY)).toBe('svc_…');
    expect(maskedSecrets({ display: 'svc_ab12…9xYz' })).toEqual({ display: 'svc_ab12…9xYz' });
  });

  it('contains no text that the database would reject together with the change', () => {
    expect(maskedSecrets({ name: 'a\u0000b', list: ['half \ud83d'] })).toEqual({ name: 'ab', list: ['half \ufffd'] });
    expect(maskedSecrets('whole 👍')).toBe('whole 👍');
  });

  it('is otherwise unchanged', () => {
    const at = new Date();
    const change = { name: 'New', models: ['a', 'b'], until: at, none: null, password: null, count: 0, on: false };
    expect(maskedSecrets(change)).toEqual(change);
  });
});
