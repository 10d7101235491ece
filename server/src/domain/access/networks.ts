import { BlockList, isIP } from 'node:net';
import { DomainError } from '../errors.ts';

export const NETWORKS_MAX = 32;

const RULE = `networks must be up to ${NETWORKS_MAX} addresses or networks such as 203.0.113.0/24 or 2001:db8::/32`;

/**
 * Checks a list of networks, and returns each in its full form without repeats. An address without a length is a
 * network of one address.
 */
export function readNetworks(texts: readonly string[]): string[] {
  if (texts.length > NETWORKS_MAX) {
    throw new DomainError('invalid_input', { detail: RULE });
  }
  return [...new Set(texts.map(readNetwork))];
}

function readNetwork(text: string): string {
  const [address = '', length, ...rest] = text.trim().toLowerCase().split('/');
  const family = isIP(address);
  const lengthMax = family === 6 ? 128 : 32;
  const isLength = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= lengthMax);
  // An address with a zone names an interface of this machine, which no caller can have.
  if (family === 0 || !isLength || rest.length > 0 || address.includes('%')) {
    throw new DomainError('invalid_input', { detail: RULE });
  }
  return `${address}/${length === undefined ? lengthMax : Number(length)}`;
}

/**
 * Returns a function that is true for addresses in one of the networks. Undefined for an empty list, which allows
 * every address.
 */
export function allowsOf(networks: readonly string[]): ((address: string) => boolean) | undefined {
  if (networks.length === 0) {
    return undefined;
  }
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', length] = network.split('/');
    list.addSubnet(address, Number(length), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return (address) => {
    // A dual-stack socket reports IPv4 addresses in this form.
    const plain = address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/** True when every address of `inner` is in `outer`. An empty list allows every address. */
export function coversNetworks(outer: readonly string[], inner: readonly string[]): boolean {
  if (outer.length === 0) {
    return true;
  }
  const prefixes = outer.map(prefixOf);
  const isCovered = (network: string) => prefixes.some((prefix) => prefixOf(network).startsWith(prefix));
  return inner.length > 0 && inner.every(isCovered);
}

/**
 * The bits that all addresses of a network share. An IPv4 network is taken in its IPv6-mapped form, as in `allowsOf`.
 */
function prefixOf(network: string): string {
  const [address = '', length = ''] = network.split('/');
  const isOlder = isIP(address) === 4;
  const bits = bitsOf(isOlder ? `::ffff:${address}` : address);
  return bits.slice(0, Number(length) + (isOlder ? 96 : 0));
}

/** The 128 bits of an IPv6 address as text. */
function bitsOf(address: string): string {
  // The URL parser writes all groups in hexadecimal, also those of an IPv4 address at the end.
  const { hostname } = new URL(`http://[${address}]`);
  const [head = '', tail = ''] = hostname.slice(1, -1).split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(head), groups(tail)];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last]
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
    .join('');
}
