import { BlockList, isIP } from 'node:net';

/**
 * Addresses that are not on the public Internet: this machine, private and shared networks, link-local addresses such as
 * those of cloud metadata services, documentation, multicast and reserved ranges.
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
  // What reaches an IPv4 address by way of IPv6 is refused as a whole, but for mapped addresses, which are looked at as IPv4.
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** Which addresses deliveries may go to. */
export interface Networks {
  /** Public, or in one of the operator's allowed networks. */
  isAllowed(address: string): boolean;
  /** In one of the operator's allowed networks: there plain HTTP will do. */
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

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) {
      list.addAddress(address, family);
    } else {
      list.addSubnet(address, Number(bits), family);
    }
  }
  return list;
}

/** An IPv4 address written as IPv6, as in ::ffff:127.0.0.1 or ::ffff:7f00:1, is the IPv4 address. */
function contains(list: BlockList, address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  const mapped = mappedAddress(plain);
  if (mapped !== undefined) {
    return list.check(mapped, 'ipv4');
  }
  const family = isIP(plain);
  return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
}

function mappedAddress(address: string): string | undefined {
  if (isIP(address) !== 6) {
    return undefined;
  }
  // The URL parser gives every IPv6 address its one short form.
  const { hostname } = new URL(`http://[${address}]/`);
  const parts = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname);
  if (parts === null) {
    return undefined;
  }
  const high = Number.parseInt(parts[1] ?? '', 16);
  const low = Number.parseInt(parts[2] ?? '', 16);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
