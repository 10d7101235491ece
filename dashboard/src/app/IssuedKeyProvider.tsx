import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { type IssuedKey, IssuedKeyContext } from '../keys/issued-key-context.ts';

const IssuedKeyDialog = lazy(async () => ({
  default: (await import('../keys/IssuedKeyDialog.tsx')).IssuedKeyDialog,
}));

/**
 * Shows a new key's value above all pages. It is outside of the pages because the value cannot be read again: neither
 * navigation nor the end of the session may remove it before the person has stored it.
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
