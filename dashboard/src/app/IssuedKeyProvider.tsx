import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from 'react';

const IssuedKeyDialog = lazy(async () => ({
  default: (await import('../keys/IssuedKeyDialog.tsx')).IssuedKeyDialog,
}));

export interface IssuedKey {
  name: string;
  value: string;
  scopes: string[];
}

type ShowIssuedKey = (key: IssuedKey) => void;

const IssuedKeyContext = createContext<ShowIssuedKey | undefined>(undefined);

/**
 * Shows a new key's value above everything else. It stands outside the pages on purpose: the value cannot
 * be had again, so neither another page nor the end of the session may take it away before it is stored.
 */
export function IssuedKeyProvider({ children }: { children: ReactNode }) {
  const [issued, setIssued] = useState<IssuedKey | undefined>(undefined);
  const show = useCallback((key: IssuedKey) => setIssued(key), []);
  return (
    <IssuedKeyContext value={show}>
      {children}
      {issued && (
        <Suspense>
          <IssuedKeyDialog issued={issued} onStored={() => setIssued(undefined)} />
        </Suspense>
      )}
    </IssuedKeyContext>
  );
}

export function useShowIssuedKey(): ShowIssuedKey {
  const show = useContext(IssuedKeyContext);
  if (!show) throw new Error('useShowIssuedKey needs an IssuedKeyProvider above it');
  return show;
}
