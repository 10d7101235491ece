const LOOPBACK_HOSTS = ['127.0.0.1', '[::1]', 'localhost'];

/** True when an address is on this machine. */
export function isLoopbackUrl(address: string): boolean {
  return LOOPBACK_HOSTS.includes(URL.parse(address)?.hostname ?? '');
}
