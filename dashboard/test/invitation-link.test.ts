import { expect, test } from 'vitest';
import { invitationLink, readInvitation } from '../src/roles/invitation-link.ts';

test.each(['1491363316481801678', 'a/b.c d#é'])('the link of the guild %j is read back', (guildId) => {
  const invitation = { guildId, token: 'A-z_0'.repeat(8) };
  const link = invitationLink('https://guildbook.test', invitation);
  expect(new URL(link).pathname).toBe('/dashboard/join');
  expect(readInvitation(new URL(link).hash)).toEqual(invitation);
});

test.each(['', '#', '#1', '#1.', '#.x', '#1.a b', '#%E0%A4%A.x', '#1.<b>'])('%j is no invitation', (hash) => {
  expect(readInvitation(hash)).toBeUndefined();
});
