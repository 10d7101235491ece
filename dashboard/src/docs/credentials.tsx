import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { recordOf } from './reference/json.ts';
import type { CredentialValues } from './request/build-request.ts';

export interface Credentials {
  values: CredentialValues;
  setValue: (schemeId: string, value: string) => void;
  /** Whether the reader chose to see what was entered, in the fields and in the snippets. */
  isRevealed: boolean;
  setRevealed: (isRevealed: boolean) => void;
  /** Whether they outlive a reload of the page. */
  isKept: boolean;
  /** Says where a key comes from. */
  keyHelp: ReactNode;
}

interface CredentialsProviderProps {
  isKept: boolean;
  keyHelp: ReactNode;
  children: ReactNode;
}

const storageKey = 'guildbook-docs-credentials';

const CredentialsContext = createContext<Credentials | undefined>(undefined);

/** Holds what was entered for as long as the tab lives, or the page where nothing is kept, and nowhere else. */
export function CredentialsProvider({ isKept, keyHelp, children }: CredentialsProviderProps) {
  const [values, setValues] = useState<CredentialValues>(isKept ? loadValues : {});
  const [isRevealed, setRevealed] = useState(false);
  useEffect(() => {
    if (isKept) storeValues(values);
  }, [isKept, values]);
  const credentials = useMemo(
    () => ({
      values,
      setValue: (schemeId: string, value: string) =>
        setValues((before) => ({ ...before, [schemeId]: value })),
      isRevealed,
      setRevealed,
      isKept,
      keyHelp,
    }),
    [values, isRevealed, isKept, keyHelp],
  );
  return <CredentialsContext value={credentials}>{children}</CredentialsContext>;
}

export function useCredentials(): Credentials {
  const credentials = useContext(CredentialsContext);
  if (!credentials) throw new Error('useCredentials needs a CredentialsProvider above it');
  return credentials;
}

function loadValues(): CredentialValues {
  try {
    const stored: unknown = JSON.parse(window.sessionStorage.getItem(storageKey) ?? '{}');
    const entries = Object.entries(recordOf(stored));
    return Object.fromEntries(
      entries.flatMap(([id, value]) => (typeof value === 'string' ? [[id, value]] : [])),
    );
  } catch {
    // Storage is refused or holds something else: start with empty fields.
    return {};
  }
}

function storeValues(values: CredentialValues): void {
  try {
    const filled = Object.entries(values).filter(([, value]) => value !== '');
    if (filled.length === 0) window.sessionStorage.removeItem(storageKey);
    else window.sessionStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(filled)));
  } catch {
    // Storage is refused: the values live as long as the page does.
  }
}
