import { createContext, useContext } from 'react';
import type { Session } from '../api/session.ts';

export const SessionContext = createContext<Session | undefined>(undefined);

/** The present session. Only for pages inside RequireSession. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession needs RequireSession above it');
  return session;
}
