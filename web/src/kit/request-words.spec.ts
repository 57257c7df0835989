import { describe, expect, it } from '@jest/globals';
import { type RequestRow, toRows } from './request-words';

type Call = RequestRow['call'];

const call = (id: string, rest: Partial<Call>) => ({ id, model: 'm', keyId: 'k', ...rest }) as Call;

describe('the rows of the list', () => {
  const calls = [
    call('a', { status: 'refused', httpStatus: 429 }),
    call('b', { status: 'settled' }),
    call('c', { status: 'refused', httpStatus: 429 }),
    call('d', { status: 'refused', httpStatus: 401 }),
    call('e', { status: 'settled' }),
    call('f', { status: 'refused', httpStatus: 429, keyId: 'other' }),
  ];

  it('are the requests', () => {});

  it('are one for identical errors, with the newest of them', () => {
    const rows = toRows(calls).map(({ call: { id }, count }) => `${id} ${count}`);
    expect(rows).toEqual(['a 2', 'b 1', 'd 1', 'e 1', 'f 1']);
  });

  it('are one for errors that differ only in the seconds to wait', () => {
    const limited = (id: string, message: string) => call(id, { status: 'refused', httpStatus: 429, message });
    const reported = [limited('a', 'Try again in 20 s.'), limited('b', 'Try again in 9 s.'), limited('c', 'No money.')];
    expect(toRows(reported).map(({ call: { id }, count }) => `${id} ${count}`)).toEqual(['a 2', 'c 1']);
  });
});
