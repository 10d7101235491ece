import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { INVITATIONS_MAX, type NewInvitation } from '../../src/domain/access/invitation-store.ts';
import { changeAt } from '../support/change.ts';
import { CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

function anInvitation(changes: Partial<NewInvitation> = {}): NewInvitation {
  const invitationId = randomUUIDv7();
  return {
    invitationId,
    tokenHash: `hash of ${invitationId}`,
    role: 'viewer',
    usesLeft: 1,
    createdBy: 'user:7',
    createdAtMs: NOON_MS,
    expiresAtMs: NOON_MS + 1_000,
    ...changes,
  };
}

export function describeInvitationStore(createPlace: CreatePlace): void {
  describe('invitations', () => {
    const open = shareByGuild(createPlace);

    it('an invitation is listed without its hash until it expires, for its own guild', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      const invitation = anInvitation();
      await store.invitations.insert(guild, invitation, CHANGE);
      const { tokenHash, ...listed } = invitation;
      expect(await store.invitations.list(guild, NOON_MS)).toEqual([listed]);
      expect(await store.invitations.list(guild, NOON_MS + 1_000)).toEqual([]);
      expect(await store.invitations.list(other, NOON_MS)).toEqual([]);
      expect(await store.invitations.delete(other, invitation.invitationId, CHANGE)).toBe(false);
      expect(await store.invitations.accept(other, { tokenHash, chatId: 'ada' }, CHANGE)).toBeUndefined();
    });

    it('it gives its role as often as it says, and the log names the person and hides the hash', async () => {
      const { store, guild } = await open();
      const { tokenHash, invitationId } = anInvitation();
      await store.invitations.insert(guild, anInvitation({ tokenHash, invitationId, usesLeft: 2 }), CHANGE);
      const accept = (chatId: string) => store.invitations.accept(guild, { tokenHash, chatId }, CHANGE);
      expect(await accept('ada')).toBe('viewer');
      // Again by the same person: nothing is used.
      expect(await accept('ada')).toBe('viewer');
      expect(await accept('bo')).toBe('viewer');
      expect(await accept('cy')).toBeUndefined();
      expect(await store.invitations.list(guild, NOON_MS)).toEqual([]);
      expect(await store.roles.people(guild)).toEqual([
        { chatId: 'ada', role: 'viewer', invitedBy: 'user:7', createdAtMs: NOON_MS },
        { chatId: 'bo', role: 'viewer', invitedBy: 'user:7', createdAtMs: NOON_MS },
      ]);
      const log = await store.audit.list(guild, { limit: 10, subjectKind: 'role' });
      expect(log.map(({ action, subjectId }) => `${action} ${subjectId}`)).toEqual([
        'create person bo',
        'create person ada',
        `create invitation ${invitationId}`,
      ]);
      expect(JSON.stringify(log)).not.toContain('hash');
    });

    it('it raises a role and never lowers one', async () => {
      const { store, guild } = await open();
      await store.roles.setPerson(guild, { chatId: 'low', role: 'viewer' }, CHANGE);
      await store.roles.setPerson(guild, { chatId: 'high', role: 'manager' }, CHANGE);
      const invitation = anInvitation({ role: 'treasurer', usesLeft: 5 });
      const { tokenHash } = invitation;
      await store.invitations.insert(guild, invitation, CHANGE);
      expect(await store.invitations.accept(guild, { tokenHash, chatId: 'low' }, CHANGE)).toBe('treasurer');
      expect(await store.invitations.accept(guild, { tokenHash, chatId: 'high' }, CHANGE)).toBe('manager');
      expect((await store.invitations.list(guild, NOON_MS))[0]?.usesLeft).toBe(4);
    });

    it('an expired or withdrawn one gives nothing', async () => {
      const { store, guild } = await open();
      const [expired, withdrawn] = [anInvitation(), anInvitation()];
      await store.invitations.insert(guild, expired, CHANGE);
      await store.invitations.insert(guild, withdrawn, CHANGE);
      expect(await store.invitations.delete(guild, withdrawn.invitationId, CHANGE)).toBe(true);
      expect(await store.invitations.delete(guild, withdrawn.invitationId, CHANGE)).toBe(false);
      const accept = ({ tokenHash }: NewInvitation, atMs: number) =>
        store.invitations.accept(guild, { tokenHash, chatId: 'ada' }, changeAt(atMs));
      expect(await accept(withdrawn, NOON_MS)).toBeUndefined();
      expect(await accept(expired, NOON_MS + 1_000)).toBeUndefined();
      expect(await store.roles.people(guild)).toEqual([]);
    });

    it('one use is given to one of many who accept at once', async () => {
      const { store, openAnother, guild } = await open();
      const another = await openAnother();
      const invitation = anInvitation();
      const { tokenHash } = invitation;
      await store.invitations.insert(guild, invitation, CHANGE);
      const accepted = await Promise.all(
        ['a', 'b', 'c', 'd'].map((chatId, index) =>
          (index % 2 === 0 ? store : another).invitations.accept(guild, { tokenHash, chatId }, CHANGE),
        ),
      );
      expect(accepted.filter((role) => role === 'viewer')).toHaveLength(1);
      expect(await store.roles.people(guild)).toHaveLength(1);
    });

    it('a guild has a limited number, and expired ones make room', async () => {
      const { store, guild } = await open();
      for (let count = 0; count < INVITATIONS_MAX; count += 1) {
        await store.invitations.insert(guild, anInvitation(), CHANGE);
      }
      await expect(store.invitations.insert(guild, anInvitation(), CHANGE)).rejects.toMatchObject({
        code: 'invalid_input',
      });
      await store.invitations.insert(guild, anInvitation(), changeAt(NOON_MS + 1_000));
    });
  });
}
