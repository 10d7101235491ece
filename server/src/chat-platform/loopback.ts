const LOOPBACK_HOSTS = ['127.0.0.1', '[::1]', 'localhost'];

/** Whether an address is on this very machine. */
export function isLoopbackUrl(address: string): boolean {
  return LOOPBACK_HOSTS.includes(URL.parse(address)?.hostname ?? '');
}
