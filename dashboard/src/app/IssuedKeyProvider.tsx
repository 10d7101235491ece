import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { type IssuedKey, IssuedKeyContext } from '../keys/issued-key-context.ts';

const IssuedKeyDialog = lazy(async () => ({
  default: (await import('../keys/IssuedKeyDialog.tsx')).IssuedKeyDialog,
}));

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
