import { describe, expect, it } from '@jest/globals';
import { BodyBudget, HeldBody } from './body-budget.js';

const full = { status: 503, headers: { 'retry-after': '1' }, body: { code: 'overloaded' } };
const keyIsFull = { status: 429, headers: { 'retry-after': '1' }, body: { code: 'rate_limit_exceeded' } };

describe('the budget of bodies', () => {
  it('gives one key half of the bytes, and others the rest', () => {
    const budget = new BodyBudget(100);
    const [first, second, other] = [new HeldBody(budget, 'a'), new HeldBody(budget, 'a'), new HeldBody(budget, 'b')];
    expect(first.take(30)).toBeNull();
    expect(second.take(20)).toBeNull();
    expect(second.take(1)).toMatchObject(keyIsFull);
    expect(new HeldBody(budget, 'a').refusal(1)).toMatchObject(keyIsFull);
    expect(other.take(50)).toBeNull();
    expect(new HeldBody(budget, 'c').refusal(1)).toMatchObject(full);
  });

  it('gives all bytes to a key’s only body', () => {
    const budget = new BodyBudget(100);
    const only = new HeldBody(budget, 'a');
    for (let i = 0; i < 10; i++) expect(only.take(10)).toBeNull();
    expect(only.take(1)).toMatchObject(full);
  });

  it('is free again after the requests have ended', () => {
    const budget = new BodyBudget(100);
    const bodies = [new HeldBody(budget, 'a'), new HeldBody(budget, 'b'), new HeldBody(budget, 'a')];
    for (const body of bodies) expect(body.take(20)).toBeNull();
    for (const body of bodies) body.release();
    expect(new HeldBody(budget, 'a').refusal(100)).toBeNull();
  });

  it('accepts nothing for a request that has ended', () => {
    const budget = new BodyBudget(100);
    const body = new HeldBody(budget, 'a');
    body.release();
    expect(body.take(10)).toMatchObject({ status: 400 });
    expect(new HeldBody(budget, 'b').refusal(100)).toBeNull();
  });
});
