import { userInfo } from 'node:os';
import type { Actor } from '../domain/model.ts';

/** Whoever types commands, by the name the system knows them under. */
export const OPERATOR: Actor = { kind: 'operator', id: systemUser() };

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // Some containers run under a number that has no name.
    return 'unknown';
  }
}
