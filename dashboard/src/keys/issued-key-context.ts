import { createContext, useContext } from 'react';

export interface IssuedKey {
  name: string;
  value: string;
  scopes: string[];
  /** A player of the guild, for the example. */
  playerId?: string;
  username?: string;
}

export type ShowIssuedKey = (key: IssuedKey) => void;

export const IssuedKeyContext = createContext<ShowIssuedKey | undefined>(undefined);

/** Shows the value of a new key until the person has stored it. */
export function useShowIssuedKey(): ShowIssuedKey {
  const show = useContext(IssuedKeyContext);
  if (!show) throw new Error('useShowIssuedKey needs an IssuedKeyProvider above it');
  return show;
}
