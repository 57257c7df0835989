import { describe, expect, it } from '@jest/globals';
import { AddressList } from './address-list.js';

describe('an address list', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.1.2.3/8', '10.9.9.9', true],
    ['203.0.113.7/32', '203.0.113.7', true],
    ['0.0.0.0/0', '198.51.100.1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:DB8::1', '2001:db8:0:0:0:0:0:1', true],
    ['fe80::/10', 'fe80::1%eth0', true],
  ])('%s and the address %s: %s', (entry, address, included) => {
    expect(new AddressList([entry]).includes(address)).toBe(included);
  });

  it.each(['::ffff:10.1.2.3', '::FFFF:10.1.2.3', '::ffff:a01:203'])(
    'matches an IPv4 address written as %s',
    (address) => {
      expect(new AddressList(['10.0.0.0/8']).includes(address)).toBe(true);
      expect(new AddressList(['11.0.0.0/8']).includes(address)).toBe(false);
    },
  );

  it('accepts entries in that form, too', () => {
    expect(new AddressList(['::ffff:10.0.0.1']).includes('10.0.0.1')).toBe(true);
  });

  it.each(['unknown', '10.0.0.1:443', '[2001:db8::1]', '010.0.0.1'])(
    'never includes an invalid address: %j',
    (address) => {
      expect(new AddressList(['0.0.0.0/0', '::/0']).includes(address)).toBe(false);
    },
  );

  it('includes nothing when empty, and otherwise the addresses of all entries', () => {
    expect(new AddressList([]).includes('127.0.0.1')).toBe(false);
    expect(new AddressList(['10.0.0.0/8', '2001:db8::/32', '127.0.0.1']).includes('127.0.0.1')).toBe(true);
  });

  it.each([
    ['10.0.0.7', true],
    ['10.0.0.0/8', true],
    ['10.1.2.0/24', true],
    ['10.0.0.0/7', false],
    ['11.0.0.0/8', false],
    ['0.0.0.0/0', false],
    ['192.0.2.1', true],
    ['192.0.2.1/32', true],
    ['192.0.2.0/31', false],
    ['2001:db8:1::/48', true],
    ['2001:db8::/31', false],
  ])('covers %s: %s', (range, isCovered) => {
    expect(new AddressList(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']).covers(range)).toBe(isCovered);
  });

  it.each(['localhost', '10.0.0.0/', '10.0.0.0/33', '::/129', '10.0.0.0/-1', '10.0.0.0/8/8', '10.0.0.0/1e1'])(
    'rejects the entry %j by name',
    (entry) => {
      expect(() => new AddressList(['10.0.0.1', entry])).toThrow(
        new RangeError(`'${entry}' is not an address or range`),
      );
    },
  );
});
