import { type DomainError, OperatorError } from '../../domain/errors.ts';
import { translateError } from '../driver-errors.ts';

const BUSY = 5;
const LOCKED = 6;
/** The file may not be written, or was moved while the store had it open. */
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;
/** The shared-memory file could not grow. Readers and writers get this error on a full disk. */
const IO_ERROR_SHM_SIZE = 4874;

/**
 * `passing` ends by itself (a full disk, a lock held too long). `fatal` means that the file can no longer be trusted
 * and the process must end. `defect` is a mistake in this program.
 */
export type FaultKind = 'passing' | 'fatal' | 'defect';

export function faultKind(error: unknown): FaultKind {
  const code = errorCodeOf(error);
  if (code === IO_ERROR_SHM_SIZE) {
    return 'passing';
  }
  switch (code === undefined ? undefined : code & 0xff) {
    case BUSY:
    case LOCKED:
    case READ_ONLY:
    case FULL:
    case CANNOT_OPEN:
      return 'passing';
    case IO_ERROR:
    case CORRUPT:
    case NOT_A_DATABASE:
      return 'fatal';
    default:
      return 'defect';
  }
}

/**
 * SQLite's message when nothing can be written: the disk is full, or the file may not be written. Undefined for
 * everything else, including a lock that another process holds, which says nothing about the disk.
 */
export function describeUnwritable(error: unknown): string | undefined {
  const code = (errorCodeOf(error) ?? 0) & 0xff;
  const isLock = code === BUSY || code === LOCKED;
  return error instanceof Error && faultKind(error) === 'passing' && !isLock ? error.message : undefined;
}

export function isBusy(error: unknown): boolean {
  return ((errorCodeOf(error) ?? 0) & 0xff) === BUSY;
}

/** True when there was no room to write, as SQLite or the system reports it. */
export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return ((errorCodeOf(error) ?? 0) & 0xff) === FULL || code === 'ENOSPC' || code === 'EDQUOT';
}

export function isNotADatabase(error: unknown): boolean {
  return errorCodeOf(error) === NOT_A_DATABASE;
}

/** True when SQLite could not open or write a file it needs. */
export function isDenied(error: unknown): boolean {
  const code = (errorCodeOf(error) ?? 0) & 0xff;
  return code === CANNOT_OPEN || code === READ_ONLY;
}

/** Translates a driver's error for callers above the port. */
export const toDomainError = (error: unknown): DomainError => translateError(error, faultKind);

function errorCodeOf(thrown: unknown): number | undefined {
  // An OperatorError that explains a driver's error has that error as its cause.
  const error = thrown instanceof OperatorError ? thrown.cause : thrown;
  const hasCode = typeof error === 'object' && error !== null && 'errcode' in error;
  return hasCode && typeof error.errcode === 'number' ? error.errcode : undefined;
}
