import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { recordOf } from './reference/json.ts';
import type { CredentialValues } from './request/build-request.ts';

export interface Credentials {
  values: CredentialValues;
  setValue: (schemeId: string, value: string) => void;
  /** True when the reader chose to see the secrets, in the fields and in the snippets. */
  isRevealed: boolean;
  setRevealed: (isRevealed: boolean) => void;
  /** True when the values survive a reload of the page. */
  isKept: boolean;
  /** Explains where to get a key. */
  keyHelp: ReactNode;
}

interface CredentialsProviderProps {
  isKept: boolean;
  keyHelp: ReactNode;
  children: ReactNode;
}

const storageKey = 'guildbook-docs-credentials';

const CredentialsContext = createContext<Credentials | undefined>(undefined);

/** Holds the entered credentials in the tab's session storage, or with `isKept` false only in memory. */
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
    // The browser refuses storage, or the stored text is invalid: start with empty fields.
    return {};
  }
}

function storeValues(values: CredentialValues): void {
  try {
    const filled = Object.entries(values).filter(([, value]) => value !== '');
    if (filled.length === 0) window.sessionStorage.removeItem(storageKey);
    else window.sessionStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(filled)));
  } catch {
    // The browser refuses storage: the values are kept until the page is closed.
  }
}
