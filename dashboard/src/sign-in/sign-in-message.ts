import { t } from '@lingui/core/macro';
import { lazily } from '../components/lazily.ts';
export interface SignInMessage {
  tone: 'info' | 'warning' | 'danger';
  title: string;
  text: string;
}

const failures = lazily(
  (): Record<string, SignInMessage> => ({
    denied: {
      tone: 'warning',
      title: t`You did not allow the sign-in`,
      text: t`The chat platform reports that access was refused. Sign in again and allow it to go on.`,
    },
    expired: {
      tone: 'warning',
      title: t`That sign-in took too long`,
      text: t`For your safety a sign-in works only once, for a few minutes, and in the browser that began it.`,
    },
    failed: {
      tone: 'danger',
      title: t`The sign-in did not work`,
      text: t`The chat platform’s answer could not be used. Please try again; if it happens again, tell the operator.`,
    },
    unavailable: {
      tone: 'danger',
      title: t`The chat platform does not answer`,
      text: t`Signing in needs it. Please try again in a few minutes.`,
    },
    busy: {
      tone: 'warning',
      title: t`Guildbook is busy`,
      text: t`It could not take care of your sign-in right now. Please try again in a moment.`,
    },
  }),
);

const signedOut = lazily(
  (): SignInMessage => ({
    tone: 'info',
    title: t`You are signed out`,
    text: t`Nothing of your session is left in this browser.`,
  }),
);

const ended = lazily(
  (): SignInMessage => ({
    tone: 'info',
    title: t`Your session has ended`,
    text: t`Sign in again to go on where you were.`,
  }),
);

/** The message on the sign-in page, from its address and the history's state. */
export function readSignInMessage(search: string, state: unknown): SignInMessage | undefined {
  const parameters = new URLSearchParams(search);
  const code = parameters.get('error');
  if (code !== null) return Object.hasOwn(failures(), code) ? failures()[code] : failures().failed;
  if (parameters.get('notice') === 'signed-out') return signedOut();
  const hasEnded = typeof state === 'object' && state !== null && 'hasEnded' in state && state.hasEnded;
  return hasEnded === true ? ended() : undefined;
}
