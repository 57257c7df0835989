import { describe, expect, it } from '@jest/globals';
import { actionChoices, actionText } from './audit-words';

describe('what was done, in words', () => {
  it('is readable also where the gateway knows more than the console', () => {
    expect(actionText('key.create')).toBe('Created a key');
    expect(actionText('budget.was_raised')).toBe('Budget was raised');
  });

  it('can be chosen by its kind, and one by one', () => {
    expect(actionChoices(['key.create', 'user.role', 'key.revoke'])).toEqual([
      {
        group: 'Key',
        items: [
          { value: 'key', label: 'All key actions' },
          { value: 'key.create', label: 'Created a key' },
          { value: 'key.revoke', label: 'Revoked a key' },
        ],
      },
      {
        group: 'User',
        items: [
          { value: 'user', label: 'All user actions' },
          { value: 'user.role', label: 'Changed a role' },
        ],
      },
    ]);
  });
});
