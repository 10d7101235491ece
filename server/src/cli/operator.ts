import { userInfo } from 'node:os';
import type { Actor } from '../domain/model.ts';

/** The actor of commands: the user name of the operating system. */
export const OPERATOR: Actor = { kind: 'operator', id: systemUser() };

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // Some containers run under a user id without a name.
    return 'unknown';
  }
}
