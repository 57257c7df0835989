import { describe, expect, it } from '@jest/globals';
import { NO_LIMIT_TEXTS } from '../limits';
import { toKeyInput } from './key-form';

const values = {
  name: ' CI ',
  expiry: 'never',
  day: '',
  models: null,
  addresses: [],
  note: ' ',
  limits: NO_LIMIT_TEXTS,
};

describe('the request for a key', () => {
  it('has no surrounding spaces, and no empty list of addresses', () => {
    expect(toKeyInput(values)).toEqual({ name: 'CI', note: '', models: null, addresses: null, expiresAt: null });
    expect(toKeyInput({ ...values, addresses: ['10.0.0.0/8'] }).addresses).toEqual(['10.0.0.0/8']);
  });

  it('has no expiry if that is kept', () => {
    expect(toKeyInput({ ...values, expiry: 'keep' })).not.toHaveProperty('expiresAt');
  });

  it('has the changed limits', () => {
    const limits = { ...NO_LIMIT_TEXTS, requestsPerMinute: '60' };
    expect(toKeyInput({ ...values, limits }).limits).toEqual({ requestsPerMinute: '60' });
    expect(toKeyInput({ ...values, limits }, limits)).not.toHaveProperty('limits');
    expect(toKeyInput(values, limits).limits).toEqual({ requestsPerMinute: null });
  });

  it('has the end of a chosen day', () => {
    const { expiresAt } = toKeyInput({ ...values, expiry: 'custom', day: '2026-12-01' });
    expect(expiresAt).toBe(new Date(2026, 11, 1, 23, 59, 59).toISOString());
  });
});
