import { useBlocker } from 'react-router';
import { DiscardQuestion } from './DiscardQuestion.tsx';

/** Asks before the reader goes to another page and loses entered values. A reload keeps them as a draft. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker(
    // When the session has ended, the values are kept as a draft.
    ({ currentLocation, nextLocation: { pathname } }) =>
      isDirty && pathname !== currentLocation.pathname && !pathname.endsWith('/sign-in'),
  );
  if (blocker.state !== 'blocked') return null;
  return <DiscardQuestion onKeep={() => blocker.reset()} onDiscard={() => blocker.proceed()} />;
}
