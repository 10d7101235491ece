import type { Acceptance } from '../api/roles.ts';

const path = '/dashboard/join';
const storageKey = 'guildbook-invitation';

/** The link of an invitation. Its secret is in the fragment, which browsers send to no server. */
export function invitationLink(origin: string, { guildId, token }: Acceptance): string {
  return `${origin}${path}#${encodeURIComponent(guildId)}.${token}`;
}

/** The guild and the token in the fragment of a link; undefined for any other text. */
export function readInvitation(hash: string): Acceptance | undefined {
  const match = /^#(.{1,400})\.([\w-]{1,100})$/.exec(hash);
  const [, guildText = '', token = ''] = match ?? [];
  if (!match) return undefined;
  try {
    return { guildId: decodeURIComponent(guildText), token };
  } catch {
    return undefined;
  }
}

/**
 * Moves the invitation from the address into the tab's storage: the sign-in leaves the page, and its return address
 * is stored by the service.
 */
export function takeInvitation(): Acceptance | undefined {
  const { hash } = window.location;
  try {
    if (readInvitation(hash) !== undefined) {
      window.sessionStorage.setItem(storageKey, hash);
      window.history.replaceState(window.history.state, '', path);
    }
    return readInvitation(window.sessionStorage.getItem(storageKey) ?? '');
  } catch {
    // The browser refuses storage: the link works for people who are signed in already.
    return readInvitation(hash);
  }
}

export function forgetInvitation(): void {
  try {
    window.sessionStorage.removeItem(storageKey);
  } catch {
    // The browser refuses storage, so that there is nothing to forget.
  }
}
