import { describe, expect, it } from '@jest/globals';
import { matchingGroups, type Setting } from './settings-filter';

function setting(name: string, source: Setting['source'], description = ''): Setting {
  return { name, source, description, value: null, secret: null, setBy: name };
}

const groups = [
  { title: 'Network', settings: [setting('PORT', 'default', 'Where it listens'), setting('HOST', 'environment')] },
  { title: 'Database', settings: [setting('DATABASE_URL', 'default')] },
];

function names(search: string, shown: 'all' | 'set' = 'all'): string[] {
  return matchingGroups(groups, search, shown).flatMap(({ settings }) => settings.map(({ name }) => name));
}

describe('the shown settings', () => {
  it('contain every word of the search, anywhere', () => {
    expect(names('network LISTENS')).toEqual(['PORT']);
    expect(names('network database')).toEqual([]);
    expect(names('  ')).toEqual(['PORT', 'HOST', 'DATABASE_URL']);
  });

  it('are the set ones, if requested, without empty groups', () => {
    expect(matchingGroups(groups, '', 'set').map(({ title }) => title)).toEqual(['Network']);
    expect(names('', 'set')).toEqual(['HOST']);
  });
});
