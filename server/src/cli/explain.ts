import { commandLine } from '../command-name.ts';
import { DomainError, type ErrorCode, OperatorError } from '../domain/errors.ts';
import { describeError } from '../http/errors.ts';

/** Advice for system errors that an operator can cause. */
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'Check who owns it, or run this as another user.',
  EPERM: 'Check who owns it, or run this as another user.',
  ENOENT: 'Check the name, and make its folder where that is missing.',
  ENOTDIR: 'Check the name: a part of it is a file and not a folder.',
  EISDIR: 'Name a file; this is a folder.',
  ENOSPC: 'Make room on the disk, and run this again.',
  EDQUOT: 'Make room on the disk, and run this again.',
  EROFS: 'Name a place that can be written.',
  EMFILE: 'Allow the process more open files (ulimit -n).',
};

/** Advice for failures that a command can end. */
const CODE_ADVICE: Partial<Record<ErrorCode, string>> = {
  key_limit: `"${commandLine('key list --guild <guildId>')}" shows them, and "${commandLine('key delete <keyId>')}" deletes one.`,
};

/** The name of the status with which a public text begins. */
const STATUS_NAME = /^[A-Z][a-z ]+ - /;

/** The text of an error for the command line. Only a defect has its stack trace. */
export function explain(error: unknown): string {
  if (error instanceof DomainError) {
    return explainDomainError(error);
  }
  if (error instanceof OperatorError) {
    return error.message;
  }
  if (!(error instanceof Error)) {
    return String(error);
  }
  const advice = 'code' in error && typeof error.code === 'string' ? ADVICE[error.code] : undefined;
  return advice === undefined ? (error.stack ?? error.message) : `${error.message}\n  ${advice}`;
}

/** The operator may see details that callers over HTTP do not get. */
function explainDomainError(error: DomainError): string {
  const { code, detail, cause } = error;
  if (code === 'store_unavailable' && cause instanceof Error) {
    return `the store cannot be used: ${cause.message}\n  Run this again when that is mended.`;
  }
  if (code === 'internal' && cause !== undefined) {
    return explain(cause);
  }
  const { message } = describeError(error);
  if (detail === undefined) {
    return message;
  }
  // A detail is a part of the public text, such as a number, or a sentence for the operator alone.
  const text = message.includes(detail) ? message.replace(STATUS_NAME, '') : detail;
  const advice = CODE_ADVICE[code];
  return advice === undefined ? text : `${text}\n  ${advice}`;
}
