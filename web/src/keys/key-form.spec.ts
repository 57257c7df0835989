import { describe, expect, it } from '@jest/globals';
import { NO_LIMIT_TEXTS } from '../kit/limits';
import { dayFromNow, defaultChoice, expiryChoices, expiryOf, toKeyInput } from './key-form';

const now = new Date('2026-11-21T12:00:00Z');
const free = { maxLifetimeDays: null, defaultLifetimeDays: null };

function choiceValues(policy: Parameters<typeof expiryChoices>[0]): string[] {
  return expiryChoices(policy).map(({ value }) => value);
}

describe('the choices of an expiry', () => {
  it('are the usual ones, a day, and never', () => {
    expect(choiceValues(free)).toEqual(['30', '90', '365', 'custom', 'never']);
  });

  it('go up to the longest allowed lifetime, which is one of them; never is not', () => {
    expect(choiceValues({ maxLifetimeDays: 60, defaultLifetimeDays: 7 })).toEqual(['7', '30', '60', 'custom']);
  });

  it('use the singular for one day', () => {
    expect(expiryChoices({ ...free, maxLifetimeDays: 1 })[0]).toEqual({ value: '1', label: 'In 1 day' });
  });

  it('start with the gateway’s suggestion, if it allows that', () => {
    expect(defaultChoice(free)).toBe('90');
    expect(defaultChoice({ maxLifetimeDays: null, defaultLifetimeDays: 14 })).toBe('14');
    expect(defaultChoice({ maxLifetimeDays: 30, defaultLifetimeDays: null })).toBe('30');
  });
});

describe('an expiry', () => {
  it('is a number of days from now, or never', () => {
    expect(expiryOf('30', '', now)).toEqual(new Date('2026-12-21T12:00:00Z'));
    expect(expiryOf('never', '', now)).toBeNull();
  });

  it('is the end of a chosen day in the person’s time zone', () => {
    expect(expiryOf('custom', '2026-12-01', now)).toEqual(new Date(2026, 11, 1, 23, 59, 59));
  });

  it('is offered as a local day', () => {
    expect(dayFromNow(1, new Date(2026, 11, 31, 12))).toBe('2027-01-01');
  });
});

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
