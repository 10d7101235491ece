import { OperatorError } from '../../domain/errors.ts';
import { INSUFFICIENT_PRIVILEGE } from './faults.ts';

/** Node's error codes for a certificate that is not trusted, has expired or belongs to another host. */
const CERTIFICATE_CODE = /^(?:.*CERT.*|UNABLE_TO_.*|ERR_TLS_.*)$/;

/**
 * Says why a database cannot be used and what to do about it. Names the host but never the password, because the text
 * is logged.
 */
export function explainUnreachable(url: string, error: unknown): OperatorError {
  const { hostname, port, pathname, searchParams, username } = new URL(url);
  const host = searchParams.get('host') ?? `${hostname}:${port === '' ? 5432 : port}`;
  const database = decodeURIComponent(pathname.slice(1));
  const reason = error instanceof Error && error.message !== '' ? error.message : 'no answer';
  const advice = adviceOn(error, { database, role: decodeURIComponent(username) });
  return new OperatorError(
    `the PostgreSQL database ${database} at ${host} cannot be used: ${reason}\n  ${advice}`,
    { cause: error },
  );
}

function adviceOn(error: unknown, { database, role }: { database: string; role: string }): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : '';
  if (message.includes('does not support SSL')) {
    return 'Turn TLS on at the server, or take sslmode out of DATABASE_URL where the network is trusted.';
  }
  if (CERTIFICATE_CODE.test(code)) {
    return 'Name the authority that signed its certificate: sslrootcert=/path/to/ca.pem in DATABASE_URL.';
  }
  if (code === INSUFFICIENT_PRIVILEGE) {
    return `Let its owner run: GRANT USAGE, CREATE ON SCHEMA public TO ${role}; or migrate as the owner.`;
  }
  if (message.includes('no encryption')) {
    return 'The server asks for TLS: add sslmode=verify-full to DATABASE_URL.';
  }
  if (code.startsWith('28')) {
    return 'Check user and password in DATABASE_URL, and pg_hba.conf at the server.';
  }
  return code === '3D000'
    ? `Make it first: createdb --encoding=UTF8 ${database}`
    : 'Check DATABASE_URL, and whether the server is running.';
}
