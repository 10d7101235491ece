import { ROLE_WRITES } from './access/roles.ts';

/** Every write that an engine runs by its name. */
export const WRITES = {
  ...ROLE_WRITES,
};
