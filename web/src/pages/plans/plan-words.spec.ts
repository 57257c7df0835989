import { describe, expect, it } from '@jest/globals';
import { changeText, type PlanHolder, type PlanView, sourceText, type TierView } from './plan-words';

const tiers = [
  { id: 'free', models: 1 },
  { id: 'pro', models: 12 },
] as TierView[];

function plan(users: number, ...of: string[]): PlanView {
  return { users, tiers: of } as PlanView;
}

describe('the effect of changed tiers', () => {
  it.each([
    [plan(1, 'free'), ['free', 'pro'], '1 user is affected. They gain 12 models within a second.'],
    [plan(1200, 'free', 'pro'), ['pro'], '1,200 users are affected. They lose 1 model within a second.'],
    [plan(0, 'free'), ['pro'], '0 users are affected. They gain 12 models and lose 1 model within a second.'],
    [plan(2, 'free'), ['free'], '2 users are affected.'],
  ])('%j to %j: %s', (before, chosen, text) => {
    expect(changeText(before, chosen, tiers)).toBe(text);
  });
});

describe('the source of a plan', () => {
  it('is named, even if it is unknown to the console', () => {
    expect(sourceText({ source: 'cli' } as PlanHolder)).toBe('Command line');
    expect(sourceText({ source: 'import' } as unknown as PlanHolder)).toBe('import');
  });
});
