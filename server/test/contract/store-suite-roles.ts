import { describe, expect, it } from 'vitest';
import { CHAT_ROLES_MAX } from '../../src/domain/access/roles.ts';
import { changeAt } from '../support/change.ts';
import { CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

export function describeRoleStore(createPlace: CreatePlace): void {
  describe('roles', () => {
    const open = shareByGuild(createPlace);

    it('what a guild grants is found for its members, and nothing of another guild', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      await store.roles.setChatRole(guild, { chatRoleId: 'c2', name: 'Bank', role: 'treasurer' }, CHANGE);
      await store.roles.setChatRole(guild, { chatRoleId: 'c1', name: 'All', role: 'viewer' }, CHANGE);
      await store.roles.setPerson(guild, { chatId: 'ada', role: 'manager' }, CHANGE);
      await store.roles.setPerson(other, { chatId: 'bo', role: 'viewer' }, CHANGE);
      const ids = [guild.guildId, other.guildId, 'nothing'];
      const [grant, ...rest] = await store.roles.grants('ada', ids);
      expect(rest).toEqual([]);
      expect(grant).toMatchObject({ guildId: guild.guildId, invitedAs: 'manager' });
      expect(new Set(grant?.chatRoles)).toEqual(
        new Set([
          { chatRoleId: 'c1', role: 'viewer' },
          { chatRoleId: 'c2', role: 'treasurer' },
        ]),
      );
      const theirs = await store.roles.grants('bo', ids);
      expect(theirs.map(({ guildId, invitedAs }) => [guildId, invitedAs]).sort()).toEqual(
        [
          [guild.guildId, undefined],
          [other.guildId, 'viewer'],
        ].sort(),
      );
      expect(await store.roles.grants('ada', [])).toEqual([]);
      expect((await store.roles.chatRoles(guild)).map(({ name }) => name)).toEqual(['All', 'Bank']);
      expect(await store.roles.chatRoles(other)).toEqual([]);
    });

    it('a role is changed and taken away, and the log says so', async () => {
      const { store, guild } = await open();
      await store.roles.setPerson(guild, { chatId: 'ada', role: 'viewer' }, CHANGE);
      await store.roles.setPerson(guild, { chatId: 'ada', role: 'treasurer' }, changeAt(NOON_MS + 1));
      const { actor, atMs } = CHANGE;
      expect(await store.roles.people(guild)).toEqual([
        { chatId: 'ada', role: 'treasurer', invitedBy: `${actor.kind}:${actor.id}`, createdAtMs: atMs },
      ]);
      await store.roles.setChatRole(guild, { chatRoleId: 'c', name: 'Bank', role: 'viewer' }, CHANGE);
      expect(await store.roles.deletePerson(guild, 'ada', CHANGE)).toBe(true);
      expect(await store.roles.deletePerson(guild, 'ada', CHANGE)).toBe(false);
      expect(await store.roles.deleteChatRole(guild, 'c', CHANGE)).toBe(true);
      expect(await store.roles.deleteChatRole(guild, 'c', CHANGE)).toBe(false);
      expect(await store.roles.people(guild)).toEqual([]);
      const log = await store.audit.list(guild, { limit: 10, subjectKind: 'role' });
      expect(log.map(({ action, subjectId }) => `${action} ${subjectId}`).sort()).toEqual([
        'create chat role c',
        'create person ada',
        'delete chat role c',
        'delete person ada',
        'update person ada',
      ]);
    });

    it('a guild has so many chat roles and no more, and those it has can be changed', async () => {
      const { store, guild } = await open();
      const set = (index: number, name = 'n') =>
        store.roles.setChatRole(guild, { chatRoleId: `c${index}`, name, role: 'viewer' }, CHANGE);
      await Promise.all(Array.from({ length: CHAT_ROLES_MAX }, (_, index) => set(index)));
      await expect(set(CHAT_ROLES_MAX)).rejects.toMatchObject({ code: 'invalid_input' });
      await set(0, 'renamed');
      expect(await store.roles.chatRoles(guild)).toHaveLength(CHAT_ROLES_MAX);
    });
  });
}
