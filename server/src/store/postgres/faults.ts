import pg from 'pg';
import { DomainError } from '../../domain/errors.ts';
import { translateError } from '../driver-errors.ts';
import { Conflict } from '../sql.ts';

/**
 * `conflict`: another transaction was first and ours was rolled back, so a retry is safe. `passing`: ends by itself
 * (a restart, a failover, a lock held too long). `defect`: a mistake in this program.
 */
export type FaultKind = 'conflict' | 'passing' | 'defect';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';
const UNIQUE_VIOLATION = '23505';
export const INSUFFICIENT_PRIVILEGE = '42501';

/** First two characters of the SQLSTATE: connection, authorization, database name, resources, operator, system. */
const PASSING_CLASSES = ['08', '28', '3D', '53', '57', '58'];
/**
 * In this order: the server is a standby after a failover, an idle transaction was ended, the result of a statement
 * is unknown, a privilege is missing, a lock was not free in time, data or an index is damaged.
 */
const PASSING_CODES = [
  '25006',
  '25P03',
  '40003',
  INSUFFICIENT_PRIVILEGE,
  LOCK_NOT_AVAILABLE,
  'XX001',
  'XX002',
];

const NO_ANSWER = 'Query read timeout';

/**
 * Unique keys of rows that are numbered from what a transaction read under a lock, on a shard. When Citus moves the shard after that
 * read, the lock and the read belong to the old node and the insert goes to the new one, where another transaction may have taken the
 * number. Citus passes on only the message of a node's error. Without the shard's number a violation is a defect.
 */
const NUMBERED_ON_SHARD =
  /\b(?:ledger_by_number|ledger_transaction_pkey|account_guild_no_player_id_key|audit_entry_pkey)_\d+\b/;

/** Messages of Citus about a node that it cannot connect to or lost, the second without a fitting SQLSTATE. The group is the address. */
const UNREACHABLE_NODE =
  /^(?:connection to the remote node \S+@|failure on connection marked as essential: )(\S+:\d+)/;

/** Messages of driver errors without a code: the connection is lost or does not answer. */
const DRIVER_MESSAGES = [
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  NO_ANSWER,
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'There was an error establishing an SSL connection',
  'The server does not support SSL connections',
];

export function faultKind(error: unknown): FaultKind {
  if (error instanceof Conflict) {
    return 'conflict';
  }
  if (error instanceof DomainError) {
    return error.code === 'store_unavailable' ? 'passing' : 'defect';
  }
  if (error instanceof pg.DatabaseError) {
    return kindOfMessage(error) ?? kindOfCode(error.code ?? '');
  }
  if (!(error instanceof Error)) {
    return 'defect';
  }
  return isOfNetwork(error) || DRIVER_MESSAGES.includes(error.message) ? 'passing' : 'defect';
}

/** Node's errors of sockets, DNS and certificates have a code. When several addresses fail, they come as one AggregateError. */
function isOfNetwork(error: Error): boolean {
  const isOurs = error instanceof TypeError || error instanceof RangeError;
  return error instanceof AggregateError || (!isOurs && 'code' in error && typeof error.code === 'string');
}

function kindOfMessage({ code, message }: pg.DatabaseError): FaultKind | undefined {
  if (code === UNIQUE_VIOLATION && NUMBERED_ON_SHARD.test(message)) {
    return 'conflict';
  }
  return UNREACHABLE_NODE.test(message) ? 'passing' : undefined;
}

function kindOfCode(code: string): FaultKind {
  if (code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED) {
    return 'conflict';
  }
  const isPassing = PASSING_CLASSES.includes(code.slice(0, 2)) || PASSING_CODES.includes(code);
  return isPassing ? 'passing' : 'defect';
}

/** True when a statement got no answer in time. The server may hang. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === NO_ANSWER;
}

/** True when a lock was not free in time. Connection and server are sound then. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
}

/** Translates a driver's error for callers above the port. */
export const toDomainError = (error: unknown): DomainError => translateError(error, faultKind, explainNode);

/** Explains the failure of a node of a distributed store. Returns other errors as they are. */
function explainNode(error: unknown): unknown {
  const node = error instanceof pg.DatabaseError ? UNREACHABLE_NODE.exec(error.message)?.[1] : undefined;
  return node === undefined ? error : unreachableWorker(node, error);
}

/** Says why a change that every node of a distributed store needs is refused. */
export function unreachableWorker(worker: string, cause?: unknown): Error {
  return new Error(
    `the worker ${worker} cannot be reached. Every worker has a copy of guilds, keys, people and commands, ` +
      'so these cannot be changed until it runs again or its standby has replaced it',
    { cause },
  );
}

/** True when an error shows that the server is down or hangs. A server that has no room for another connection is up. */
export function isServerDown(error: unknown): boolean {
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  return faultKind(error) === 'passing' && !code.startsWith('53');
}

export function closedError(): DomainError {
  return new DomainError('store_unavailable', { retryAfterSeconds: 1 });
}
