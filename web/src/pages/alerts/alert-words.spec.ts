import { describe, expect, it } from '@jest/globals';
import { type Alert, alertTitle, answerText, deliveryState, placeOf, toAlertRows } from './alert-words';

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

describe('the rows of alerts', () => {
  const at = (id: string, type: string, subject: string, hour: number): Alert => ({
    ...{ ...alert, id, type, subject },
    at: new Date(Date.UTC(2026, 10, 24, hour)).toISOString(),
  });

  it('are one for an upstream that fails and works by turns, and one for each other alert', () => {
    const alerts = [
      at('6', 'target_back', 'openai', 12),
      at('5', 'budget_100', 'ada@example.com', 11),
      at('4', 'target_aside', 'openai', 11),
      at('3', 'target_aside', 'groq', 11),
      at('2', 'budget_80', 'ada@example.com', 10),
      at('1', 'target_aside', 'openai', 2),
    ];
    const rows = toAlertRows(alerts).map(({ alert: { id }, earlier }) => [id, ...earlier.map((one) => one.id)].join());
    expect(rows).toEqual(['6,4', '5', '3', '2', '1']);
  });

  it('lead to the page of what they are about', () => {
    expect(placeOf(at('1', 'target_aside', 'openai', 1))).toEqual({ to: '/upstreams', search: { upstream: 'openai' } });
    expect(placeOf(at('1', 'budget_80', 'ada@example.com', 1))?.to).toBe('/users');
    expect(placeOf(at('1', 'budget_80', '0f8fad5b-d9cb-469f-a165-70867728950e', 1))?.to).toMatch(/^\/keys\//);
    expect(placeOf(at('1', 'ledger_down', 'host', 1))).toBeNull();
  });
});
