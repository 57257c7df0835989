import { describe, expect, it } from '@jest/globals';
import { readPeople } from './people-text';

const PLANS = [
  { id: 'free', name: 'Free', isDefault: true },
  { id: 'pro', name: 'Pro plan', isDefault: false },
];

const people = (text: string) => readPeople(text, PLANS).map(({ person }) => person);
const faults = (text: string) => readPeople(text, PLANS).map(({ line, fault }) => [line, fault]);

describe('a list of people', () => {
  it('has e-mail address, name, role and plan on each line, and blank lines do not count', () => {
    const text = 'ada@example.com, Ada Lovelace, admin, pro\r\n\r\ngrace@example.com\nmia@example.com,,,Free\n';
    expect(people(text)).toEqual([
      { email: 'ada@example.com', name: 'Ada Lovelace', role: 'admin', planId: 'pro' },
      { email: 'grace@example.com', role: 'member' },
      { email: 'mia@example.com', role: 'member' },
    ]);
    expect(faults(text)).toEqual([
      [1, null],
      [3, null],
      [4, null],
    ]);
  });

  it('can have headings in any order, and unknown columns', () => {
    const text = '\uFEFFName;Team;E-mail;Plan\nAda;Research;ada@example.com;PRO PLAN';
    expect(people(text)).toEqual([{ email: 'ada@example.com', name: 'Ada', role: 'member', planId: 'pro' }]);
  });

  it('can be copied from a spreadsheet', () => {
    expect(people('ada@example.com\tAda, Countess\tuser')).toEqual([
      { email: 'ada@example.com', name: 'Ada, Countess', role: 'member' },
    ]);
  });

  it('can have commas, quotes and line breaks between quotes', () => {
    const text = 'ada@example.com,"Lovelace, ""Ada""\nCountess" ,admin\ngrace@example.com,Grace "Amazing" Hopper';
    expect(people(text)).toEqual([
      { email: 'ada@example.com', name: 'Lovelace, "Ada"\nCountess', role: 'admin' },
      { email: 'grace@example.com', name: 'Grace "Amazing" Hopper', role: 'member' },
    ]);
    expect(faults(text)[1]).toEqual([3, null]);
  });

  it('names the fault of each line', () => {
    const text = ',Nobody\na@example.com,A,king\nb@example.com,,,gold\nA@Example.com\nquote "open,x';
    expect(faults(text)).toEqual([
      [1, 'The e-mail address is missing.'],
      [2, 'The role must be member or admin, not ‘king’.'],
      [3, 'There is no plan ‘gold’.'],
      [4, 'Line 2 has the same e-mail address.'],
      [5, null],
    ]);
  });

  it('is empty without text', () => {
    expect(people(' \n\n')).toEqual([]);
  });
});
