import { describe, expect, it } from '@jest/globals';
import { maskedSecrets } from './masked-secrets.js';

const KEY = `svc_${'a1'.repeat(18)}`;

describe('what goes into the audit log', () => {
  it.each(['password', 'newPassword', 'clientSecret', 'token', 'key', 'keyHash', 'credentials'])(
    'has no %s',
    (name) => {
      expect(maskedSecrets({ [name]: 'hidden', other: 1 })).toEqual({ [name]: '…', other: 1 });
      expect(maskedSecrets({ list: [{ deep: { [name]: ['hidden'] } }] })).toEqual({
        list: [{ deep: { [name]: '…' } }],
      });
    },
  );

  it('has no API key, wherever it stands, and keeps the display form of one', () => {
    expect(maskedSecrets({ name: `my ${KEY}`, list: [KEY] })).toEqual({ name: 'my svc_…', list: ['svc_…'] });
    expect(maskedSecrets(KEY)).toBe('svc_…');
    expect(maskedSecrets({ display: 'svc_ab12…9xYz' })).toEqual({ display: 'svc_ab12…9xYz' });
  });

  it('has no text that the database would refuse, and the change with it', () => {
    expect(maskedSecrets({ name: 'a\u0000b', list: ['half \ud83d'] })).toEqual({ name: 'ab', list: ['half \ufffd'] });
    expect(maskedSecrets('whole 👍')).toBe('whole 👍');
  });

  it('keeps everything else as it is', () => {
    const at = new Date();
    const change = { name: 'New', models: ['a', 'b'], until: at, none: null, password: null, count: 0, on: false };
    expect(maskedSecrets(change)).toEqual(change);
  });
});
