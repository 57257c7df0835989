import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { AuditEntry } from './audit-api';
import { actionChoices, actionText, changesOf, entryText } from './audit-words';

describe('an action in words', () => {
  it('is readable even if the console does not know it', () => {
    expect(actionText('key.create')).toBe('Created a key');
    expect(actionText('budget.was_raised')).toBe('Budget was raised');
  });

  it.each([
    ['key.content_log', true, 'Turned the content log of a key on'],
    ['project.content_log', false, 'Turned the content log of a project off'],
  ])('tells whether %s turned it on (%j)', (action, contentLog, text) => {
    expect(entryText({ action, after: { contentLog } })).toBe(text);
  });

  it('can be chosen by kind, and individually', () => {
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

const SOURCES = join(import.meta.dirname, '../../../../src');
/** Permissions have similar names. */
const PERMISSION_NAMES = ['audit.read', 'usage.read'];
const ACTION = /'((?:audit|key|link|plan|session|setup|token|upstream|usage|user)\.[a-z_]+)'/g;

/** Every action of the audit log. */
function writtenActions(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => /^(accounts|audit|auth|billing|console)\/.*(?<!\.spec)\.ts$/.test(file))
    .map((file) => readFileSync(join(SOURCES, file), 'utf8'));
  const found = texts.flatMap((text) => [...text.matchAll(ACTION)].map(([, action = '']) => action));
  return [...new Set(found)].filter((action) => !PERMISSION_NAMES.some((permission) => permission === action));
}

it('every action of the audit log has its own words', () => {
  const actions = writtenActions();
  expect(actions).toContain('session.sign_out');
  const wordless = actions.filter((action) => actionText(action).toLowerCase() === action.replaceAll(/[._]/g, ' '));
  expect(wordless).toEqual([]);
  expect(actionText('session.sign_out')).toBe('Signed out');
});

function changes(before: AuditEntry['before'], after: AuditEntry['after']) {
  return changesOf({ before, after } as AuditEntry);
}

describe('the changes of an audit entry', () => {
  it('are shown field by field, including unchanged ones', () => {
    expect(changes({ name: 'A', role: 'member' }, { name: 'B', role: 'member' })).toEqual([
      { field: 'name', before: 'A', after: 'B', isChanged: true },
      { field: 'role', before: 'member', after: 'member', isChanged: false },
    ]);
  });

  it('are complete additions or removals if there is only one side', () => {
    expect(changes(null, { name: 'B' })).toEqual([{ field: 'name', before: null, after: 'B', isChanged: true }]);
    expect(changes({ name: 'A' }, null)).toEqual([{ field: 'name', before: 'A', after: null, isChanged: true }]);
    expect(changes(null, null)).toEqual([]);
  });

  it.each([
    [null, 'none'],
    ['', '(empty)'],
    [false, 'false'],
    [['a'], '[\n  "a"\n]'],
  ])('show %p as %j', (value, text) => {
    expect(changes(null, { field: value })[0]?.after).toBe(text);
  });
});
