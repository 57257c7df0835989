import { BlockList, isIP } from 'node:net';

interface Entry {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** A set of addresses (`203.0.113.7`) and ranges (`10.0.0.0/8`, `2001:db8::/32`). */
export class AddressList {
  private readonly list = new BlockList();
  private readonly entries: readonly Entry[];

  /** Throws a RangeError that names the invalid entry. */
  constructor(entries: readonly string[]) {
    this.entries = entries.map(toEntry);
    for (const { address, bits, family } of this.entries) this.list.addSubnet(address, bits, family);
  }

  /** An IPv4 address equals its IPv6 form (`::ffff:203.0.113.7`); invalid addresses are never included. */
  includes(address: string): boolean {
    const family = familyOf(address);
    return family !== undefined && this.list.check(address, family);
  }

  covers(range: string): boolean {
    const { address, bits, family } = toEntry(range);
    return this.entries.some((entry) => {
      if (entry.family !== family || entry.bits > bits) return false;
      const own = new BlockList();
      own.addSubnet(entry.address, entry.bits, family);
      return own.check(address, family);
    });
  }
}

function toEntry(entry: string): Entry {
  const [address = '', prefix, ...rest] = entry.split('/');
  const family = familyOf(address);
  const most = family === 'ipv4' ? 32 : 128;
  const bits = prefix === undefined ? most : Number(prefix);
  const fits = prefix === undefined || (/^\d+$/.test(prefix) && bits <= most);
  if (family === undefined || !fits || rest.length > 0) throw new RangeError(`'${entry}' is not an address or range`);
  return { address, bits, family };
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : undefined;
}
