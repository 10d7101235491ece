import { isIP } from 'node:net';

/** The parsers of settings. Each throws an Error with the rule when the text is invalid. */

const LOOPBACK_HOSTS = ['127.0.0.1', '[::1]', 'localhost'];

export function integer({ min, max }: { min: number; max: number }): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new Error(`must be an integer from ${min} to ${max}`);
    }
    return value;
  };
}

/** Undefined for `off`. */
export function integerOrOff(range: { min: number; max: number }): (text: string) => number | undefined {
  const parse = integer(range);
  return (text) => {
    try {
      return text === 'off' ? undefined : parse(text);
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : String(error)}, or off`);
    }
  };
}

export function boolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') {
    throw new Error('must be true or false');
  }
  return text === 'true';
}

export function oneOf<const Values extends readonly string[]>(
  values: Values,
): (text: string) => Values[number] {
  return (text) => {
    if (!values.includes(text)) {
      throw new Error(`must be one of: ${values.join(', ')}`);
    }
    return text;
  };
}

export function httpUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error('must be an address that begins with http:// or https://');
  }
  return text.replace(/\/+$/, '');
}

/** The address under which people reach the service. The pages and the sign-in must be at its root. */
export function publicUrl(text: string): string {
  const { origin, href } = new URL(httpUrl(text));
  if (href !== `${origin}/`) {
    throw new Error('must be an address without a path, as in https://guildbook.example.org');
  }
  return origin;
}

/** Codes and tokens are sent to this address, so only this machine may be reached without encryption. */
export function platformUrl(text: string): string {
  const url = URL.parse(httpUrl(text));
  if (url?.protocol === 'http:' && !LOOPBACK_HOSTS.includes(url.hostname)) {
    throw new Error('must begin with https://');
  }
  return httpUrl(text);
}

/** The address of a picture, with the parts that are filled in for each. Undefined for `off`. */
export function pictureUrl(text: string): string | undefined {
  if (text === 'off') {
    return undefined;
  }
  const parts = ['{kind}', '{id}', '{hash}'];
  const hasParts = parts.every((part) => text.split(part).length === 2);
  // The host is fixed: none of the parts may be in it.
  const origin = URL.parse(text)?.origin ?? '';
  if (!hasParts || !text.startsWith(`${origin}/`) || origin.includes('{')) {
    throw new Error(`must contain ${parts.join(', ')} once each, after the host, or be off`);
  }
  platformUrl(text);
  return text;
}

export function word(text: string): string {
  if (!/^[!-~]+$/.test(text)) {
    throw new Error('must be printable characters without blanks');
  }
  return text;
}

/** An id of Discord. */
export function snowflake(text: string): string {
  if (!/^\d{1,20}$/.test(text)) {
    throw new Error('must be at most 20 digits');
  }
  return text;
}

/** An Ed25519 public key. */
export function publicKey(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) {
    throw new Error('must be 64 hexadecimal digits');
  }
  return text.toLowerCase();
}

export function databaseUrl(text: string): string {
  if (text.startsWith('sqlite:')) {
    assertFile(text.slice('sqlite:'.length));
    return text;
  }
  if (!namesDatabase(text)) {
    throw new Error(
      'must name a file or a database, as in sqlite:./data/guildbook.db or postgres://user:password@host/guildbook',
    );
  }
  return text;
}

export function postgresUrl(text: string): string {
  if (!namesDatabase(text)) {
    throw new Error('must name a PostgreSQL database, as in postgres://user:password@host/guildbook');
  }
  return text;
}

function namesDatabase(text: string): boolean {
  const url = URL.parse(text);
  const isPostgres = url !== null && ['postgres:', 'postgresql:'].includes(url.protocol);
  // The folder of a Unix socket is given in the query, because the host part of an address cannot hold it.
  const hasHost = isPostgres && (url.hostname !== '' || url.searchParams.has('host'));
  return hasHost && url.pathname.length >= 2 && isDecodable(url.username + url.password);
}

/** Refuses forms that other programs interpret differently, and names that would silently become another file. */
function assertFile(file: string): void {
  const isHostLike = file.startsWith('//') && !file.startsWith('///');
  if (file === '' || file.endsWith('/') || isHostLike || /^(?:[~:]|file:)|[?\0]/.test(file)) {
    throw new Error(
      'must name a file, as in sqlite:./data/guildbook.db or sqlite:/var/lib/guildbook/guildbook.db',
    );
  }
}

/** An address for display, without its password. */
export function withoutPassword(text: string): string {
  const url = text.startsWith('sqlite:') ? null : URL.parse(text);
  if (url === null || url.password === '') {
    return text;
  }
  url.password = '(set)';
  return url.href.replace('%28set%29', '(set)');
}

export function redisUrl(text: string): string {
  const url = URL.parse(text);
  const isRedis = url !== null && ['redis:', 'rediss:'].includes(url.protocol) && url.hostname !== '';
  if (!isRedis || !/^\/?\d{0,4}$/.test(url.pathname) || !isDecodable(url.username + url.password)) {
    throw new Error('must begin with redis:// or rediss:// and name a host, as in redis://127.0.0.1:6379/0');
  }
  return text;
}

function isDecodable(text: string): boolean {
  try {
    return typeof decodeURIComponent(text) === 'string';
  } catch {
    return false;
  }
}

export function longSecret(text: string): string {
  if (!/^[!-~]{32,}$/.test(text)) {
    throw new Error('must have at least 32 printable characters and no blanks');
  }
  return text;
}

export function addresses(text: string): string[] {
  const list = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const entry of list) {
    const [address = '', bits, ...rest] = entry.split('/');
    const bitsMax = isIP(address) === 6 ? 128 : 32;
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
    if (isIP(address) === 0 || !isRange || rest.length > 0) {
      throw new Error('must be IP addresses or CIDR ranges, separated by commas');
    }
  }
  return list;
}
