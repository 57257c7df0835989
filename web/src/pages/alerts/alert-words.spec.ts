import { describe, expect, it } from '@jest/globals';
import { type Alert, alertTitle, answerText, deliveryState } from './alert-words';

const alert: Alert = {
  id: '1',
  type: 'budget_80',
  subject: 'ada@example.com',
  text: 'ada@example.com has spent 80 % of the budget.',
  at: '2026-11-24T10:00:00Z',
  delivery: 'sent',
  attempts: 1,
  triedAt: '2026-11-24T10:00:01Z',
  answerStatus: 200,
  answer: 'ok',
};

describe('the words for alerts', () => {
  it('name a type, or show an unknown one', () => {
    expect([alertTitle('ledger_down'), alertTitle('news')]).toEqual(['Ledger not writable', 'news']);
  });

  it.each([
    [{}, 'Sent'],
    [{ delivery: 'waiting', attempts: 0, answerStatus: null, answer: null }, 'Sending'],
    [{ delivery: 'waiting', answerStatus: 500 }, 'Trying again'],
    [{ delivery: 'failed', answerStatus: 500 }, 'Not delivered'],
    [{ delivery: 'not_sent' }, 'Not sent'],
  ] as const)('describe the delivery of %j', (change, text) => {
    expect(deliveryState({ ...alert, ...change }).text).toBe(text);
  });

  it('describe the response of the webhook', () => {
    expect(answerText({ status: 404, answer: 'no_team' })).toBe('HTTP 404: no_team');
    expect(answerText({ status: 204, answer: '' })).toBe('HTTP 204');
    expect(answerText({ status: null, answer: 'connect ECONNREFUSED' })).toBe('No response: connect ECONNREFUSED');
    expect(answerText({ status: null, answer: null })).toBe('Not tried yet');
  });
});
