import { BlockList, isIP } from 'node:net';

/** Addresses (`203.0.113.7`) and ranges (`10.0.0.0/8`, `2001:db8::/32`) that can be asked whether one is among them. */
export class AddressList {
  private readonly list = new BlockList();

  /** Throws a RangeError that names the entry which is neither. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) this.add(entry);
  }

  /** An IPv4 address counts as the same in its IPv6 form (`::ffff:203.0.113.7`); what is no address is never included. */
  includes(address: string): boolean {
    const family = familyOf(address);
    return family !== undefined && this.list.check(address, family);
  }

  private add(entry: string): void {
    const [address = '', prefix, ...rest] = entry.split('/');
    const family = familyOf(address);
    const bits = prefix === undefined ? undefined : Number(prefix);
    const most = family === 'ipv4' ? 32 : 128;
    const fits = bits === undefined || (/^\d+$/.test(prefix ?? '') && bits <= most);
    if (family === undefined || !fits || rest.length > 0) throw new RangeError(`'${entry}' is no address or range`);
    if (bits === undefined) this.list.addAddress(address, family);
    else this.list.addSubnet(address, bits, family);
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : undefined;
}
