import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ContentCipher } from './content-log.service.js';

const KEY = randomBytes(32);
const OTHER = randomBytes(32);
const TEXT = 'Who was Grace Hopper? '.repeat(100);

describe('the cipher of the content log', () => {
  it('decrypts what it encrypted, and the encrypted text reveals nothing', async () => {
    const cipher = new ContentCipher([KEY]);
    const sealed = await cipher.seal('chatcmpl-1', TEXT);
    expect(sealed.bytes.toString('latin1')).not.toContain('Hopper');
    expect(sealed.secretId).not.toContain(KEY.toString('hex').slice(0, 16));
    expect(String(await cipher.open('chatcmpl-1', sealed))).toBe(TEXT);
  });

  it('never seals the same text to the same bytes', async () => {
    const cipher = new ContentCipher([KEY]);
    const [one, two] = [await cipher.seal('chatcmpl-1', TEXT), await cipher.seal('chatcmpl-1', TEXT)];
    expect(one.bytes.equals(two.bytes)).toBe(false);
  });

  it('rejects bytes that were changed or moved to another call', async () => {
    const cipher = new ContentCipher([KEY]);
    const sealed = await cipher.seal('chatcmpl-1', TEXT);
    await expect(cipher.open('chatcmpl-2', sealed)).rejects.toThrow();
    const last = sealed.bytes.length - 1;
    sealed.bytes.writeUInt8(sealed.bytes.readUInt8(last) ^ 1, last);
    await expect(cipher.open('chatcmpl-1', sealed)).rejects.toThrow();
  });

  it('decrypts text of an older key as long as that key is configured', async () => {
    const sealed = await new ContentCipher([OTHER]).seal('chatcmpl-1', TEXT);
    expect(String(await new ContentCipher([KEY, OTHER]).open('chatcmpl-1', sealed))).toBe(TEXT);
    expect(await new ContentCipher([KEY]).open('chatcmpl-1', sealed)).toBeNull();
  });
});
