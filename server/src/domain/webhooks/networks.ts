import { BlockList, isIP } from 'node:net';

/**
 * Addresses that are not on the public Internet: this machine, private and shared networks, link-local addresses such
 * as those of cloud metadata services, documentation, multicast and reserved ranges. All public IPv6 addresses are in
 * 2000::/3, so the list has everything outside of it, and the special ranges inside of it.
 */
const PRIVATE_RANGES = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Everything outside of 2000::/3. Mapped addresses (::ffff:0:0/96) are checked as IPv4 instead.
  '::/3',
  '4000::/2',
  '8000::/1',
  // Teredo and other protocol assignments, documentation, 6to4, documentation.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
];

/** The addresses that deliveries may be sent to. */
export interface Networks {
  /** Public, or in one of the operator's allowed networks. */
  isAllowed(address: string): boolean;
  /** In one of the operator's allowed networks, where plain HTTP is accepted. */
  isListed(address: string): boolean;
}

export function createNetworks(allowed: readonly string[]): Networks {
  const refused = listOf(PRIVATE_RANGES);
  const listed = listOf(allowed);
  return {
    isAllowed: (address) => contains(listed, address) || (isIP(address) !== 0 && !contains(refused, address)),
    isListed: (address) => contains(listed, address),
  };
}

/** Ranges by family. A common BlockList would treat every IPv4 address as a mapped one and find it in ::/3. */
interface Ranges {
  ipv4: BlockList;
  ipv6: BlockList;
}

function listOf(ranges: readonly string[]): Ranges {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) {
      lists[family].addAddress(address, family);
    } else {
      lists[family].addSubnet(address, Number(bits), family);
    }
  }
  return lists;
}

/** An IPv4 address in IPv6 form, such as ::ffff:127.0.0.1 or ::ffff:7f00:1, is checked as IPv4. */
function contains(ranges: Ranges, address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  const mapped = mappedAddress(plain);
  if (mapped !== undefined) {
    return ranges.ipv4.check(mapped, 'ipv4');
  }
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
  return isIP(plain) !== 0 && ranges[family].check(plain, family);
}

function mappedAddress(address: string): string | undefined {
  if (isIP(address) !== 6) {
    return undefined;
  }
  // The URL parser converts every IPv6 address to its canonical form.
  const { hostname } = new URL(`http://[${address}]/`);
  const parts = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname);
  if (parts === null) {
    return undefined;
  }
  const high = Number.parseInt(parts[1] ?? '', 16);
  const low = Number.parseInt(parts[2] ?? '', 16);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
