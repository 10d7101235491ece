import { describe, expect, it } from 'vitest';
import type { GuildRef } from '../../src/domain/model.ts';
import {
  MEMBERS_LOOKED_AT_MAX,
  type MemberPosition,
  type MemberQuery,
} from '../../src/domain/people/member-store.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aDischarge, aTransaction, aTransfer, aVerification, CHANGE } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

const ALL: MemberQuery = { search: undefined, limit: 100, after: undefined };

async function found(store: Store, guild: GuildRef, search: string): Promise<string[]> {
  const { members } = await store.members.list(guild, { ...ALL, search });
  return members.map(({ playerId }) => playerId);
}

/** The players of all pages, in order. */
async function walk(store: Store, guild: GuildRef, query: Partial<MemberQuery>): Promise<string[]> {
  const seen: string[] = [];
  let after: MemberPosition | undefined;
  do {
    const page = await store.members.list(guild, { ...ALL, ...query, after });
    seen.push(...page.members.map(({ playerId }) => playerId));
    after = page.next;
  } while (after !== undefined);
  return seen;
}

export function describeMemberStore(createPlace: CreatePlace): void {
  describe('members', () => {
    const open = shareByGuild(createPlace);
    let unique = 0;

    /** Three players with accounts: one is verified, and one is that person's former account. Two have only records. */
    async function fill() {
      const { store, guild, foundAnother, execute } = await open();
      unique += 1;
      const own = (id: string) => `${id}-${unique}`;
      const amounts = { rich: 30, poor: -5, old: 10 };
      for (const [playerId, amountUnits] of Object.entries(amounts)) {
        await store.ledger.append(aTransaction(guild, { playerId: own(playerId), amountUnits, quantity: 1 }));
      }
      await store.discharges.create(
        guild,
        aDischarge(guild, { playerId: own('left'), name: 'Wren' }),
        CHANGE,
      );
      await store.transfers.create(
        guild,
        aTransfer(guild, { playerId: own('moved'), name: 'Alder' }),
        CHANGE,
      );
      const pastUsers = [{ playerId: own('old'), username: `Marsh_${unique}` }];
      const person = { chatId: own('chat'), playerId: own('rich'), username: `Osric_${unique}`, pastUsers };
      await store.verifications.put([aVerification(person)], CHANGE);
      return { store, guild, foundAnother, execute, own, person };
    }

    it('are found by each id and name of a list, in any case, with those whom only other guilds know', async () => {
      const { store, guild, foundAnother, own, person } = await fill();
      const stranger = {
        chatId: own('far'),
        playerId: own('away'),
        username: `Rhea_${unique}`,
        pastUsers: [],
      };
      await store.verifications.put([aVerification(stranger)], CHANGE);
      const texts = [
        own('poor'),
        person.username.toUpperCase(),
        person.chatId,
        'wren',
        stranger.username,
        'x',
      ];
      const players = await store.members.findNamed(guild, texts);
      const nobody = { chatId: undefined, username: undefined, recordNames: [], isMember: true };
      const { pastUsers: _past, ...rich } = person;
      const { pastUsers: _none, ...far } = stranger;
      expect(players.toSorted((one, other) => (one.playerId < other.playerId ? -1 : 1))).toEqual([
        { ...far, recordNames: [], isMember: false },
        { ...nobody, playerId: own('left'), recordNames: ['Wren'] },
        { ...nobody, playerId: own('poor') },
        { ...rich, recordNames: [], isMember: true },
      ]);
      const elsewhere = await store.members.findNamed(await foundAnother(), [person.username, 'wren']);
      expect(elsewhere).toEqual([{ ...rich, recordNames: [], isMember: false }]);
      expect(await store.members.findNamed(guild, [])).toEqual([]);
    });

    it('are those with an account, the richest first, then those with records alone', async () => {
      const { store, guild, own, person } = await fill();
      const { members, next } = await store.members.list(guild, ALL);
      const nobody = { chatId: undefined, username: undefined, pastUsers: [], formerOf: undefined };
      const { pastUsers: _past, ...holder } = person;
      expect(next).toBeUndefined();
      expect(members).toEqual([
        {
          playerId: own('rich'),
          name: person.username,
          chatId: person.chatId,
          username: person.username,
          pastUsers: person.pastUsers,
          formerOf: undefined,
          balanceUnits: 30,
          transactions: 1,
        },
        {
          ...nobody,
          playerId: own('old'),
          name: undefined,
          formerOf: holder,
          balanceUnits: 10,
          transactions: 1,
        },
        { ...nobody, playerId: own('poor'), name: undefined, balanceUnits: -5, transactions: 1 },
        { ...nobody, playerId: own('left'), name: 'Wren', balanceUnits: 0, transactions: 0 },
        { ...nobody, playerId: own('moved'), name: 'Alder', balanceUnits: 0, transactions: 0 },
      ]);
      for (const member of members) {
        expect(await store.members.find(guild, member.playerId)).toEqual(member);
      }
      expect(await store.members.find(guild, 'nobody')).toBeUndefined();
    });

    it('are found by any part of a name, present, past or in a record, and of an id', async () => {
      const { store, guild, own, person } = await fill();
      expect(await found(store, guild, person.username.slice(1).toUpperCase())).toEqual([
        own('rich'),
        own('old'),
      ]);
      expect(await found(store, guild, `arsh_${unique}`)).toEqual([own('rich'), own('old')]);
      expect(await found(store, guild, own('hat'))).toEqual([own('rich')]);
      expect(await found(store, guild, own('oor'))).toEqual([own('poor')]);
      expect(await found(store, guild, 'WRE')).toEqual([own('left')]);
      expect(await found(store, guild, 'lde')).toEqual([own('moved')]);
      expect(await found(store, guild, '%')).toEqual([]);
      expect(await found(store, guild, 'nobody at all')).toEqual([]);
    });

    it('come page by page, each once, whatever the size of the pages', async () => {
      const { store, guild, own } = await fill();
      const everybody = ['rich', 'old', 'poor', 'left', 'moved'].map(own);
      for (const limit of [1, 2, 3, 4, 5, 6]) {
        expect(await walk(store, guild, { limit })).toEqual(everybody);
        expect(await walk(store, guild, { limit, search: `-${unique}` })).toEqual(everybody);
      }
    });

    it('are sorted as asked, page by page', async () => {
      const { store, guild, own } = await fill();
      const orders: [Partial<MemberQuery>, string[]][] = [
        [{ sortBy: 'balance', sortOrder: 'asc' }, ['poor', 'old', 'rich', 'left', 'moved']],
        // Wren, Alder and Osric have names; the others are sorted by their ids.
        [{ sortBy: 'name', sortOrder: 'asc' }, ['moved', 'old', 'rich', 'poor', 'left']],
        [{ sortBy: 'name', sortOrder: 'desc' }, ['left', 'poor', 'rich', 'old', 'moved']],
        [{ sortBy: 'transactions', sortOrder: 'desc' }, ['rich', 'poor', 'old', 'moved', 'left']],
      ];
      for (const [order, expected] of orders) {
        for (const limit of [1, 2, 4, 9]) {
          expect(await walk(store, guild, { ...order, limit })).toEqual(expected.map(own));
        }
        const search = await walk(store, guild, { ...order, limit: 2, search: `-${unique}` });
        expect(search).toEqual(expected.map(own));
      }
    });

    it('are filtered by verification and balance, and counted', async () => {
      const { store, guild, foundAnother, own } = await fill();
      const states = [
        ['verified', ['rich']],
        ['unverified', ['old', 'poor', 'left', 'moved']],
        ['overdrawn', ['poor']],
      ] as const;
      for (const [state, expected] of states) {
        for (const sortBy of ['balance', 'name'] as const) {
          const found = await walk(store, guild, { state, sortBy, limit: 2 });
          expect(found.toSorted()).toEqual(expected.map(own).toSorted());
        }
        expect(await walk(store, guild, { state, limit: 1 })).toEqual(expected.map(own));
        expect(await store.members.count(guild, { search: undefined, state })).toBe(expected.length);
        const sought = { search: own('oor'), state };
        expect(await store.members.count(guild, sought)).toBe(state === 'verified' ? 0 : 1);
      }
      expect(await store.members.count(guild, { search: undefined })).toBe(5);
      expect(await store.members.count(await foundAnother(), { search: undefined })).toBe(0);
    });

    it('of another guild do not exist', async () => {
      const { store, foundAnother, own } = await fill();
      const other = await foundAnother();
      expect(await store.members.list(other, ALL)).toEqual({ members: [], next: undefined });
      expect(await found(store, other, own('rich'))).toEqual([]);
      expect(await store.members.find(other, own('rich'))).toBeUndefined();
    });

    it('of a large guild are looked at in stretches, and a search goes on where it stopped', async () => {
      const { store, guild, execute } = await open();
      const accounts = MEMBERS_LOOKED_AT_MAX + 10;
      // Past the port, because ten thousand posts take too long: the highest balances come first.
      await execute(
        `INSERT INTO account (account_no, guild_no, player_id, balance, transaction_count, last_created_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${accounts})
         SELECT 50000000 + i, ${guild.guildNo}, 'crowd-' || i || '-', ${accounts} - i, 0, 0 FROM n`,
      );
      const first = await store.members.list(guild, { ...ALL, search: `crowd-${accounts}-` });
      expect(first).toEqual({
        members: [],
        next: { accountNo: 50_000_000 + MEMBERS_LOOKED_AT_MAX, balanceUnits: 10 },
      });
      expect(await walk(store, guild, { search: `crowd-${accounts}-` })).toEqual([`crowd-${accounts}-`]);
      expect((await walk(store, guild, { search: 'crowd-12-' })).length).toBe(1);
      expect(await store.members.count(guild, { search: undefined })).toBeUndefined();
      await expect(store.members.list(guild, { ...ALL, sortBy: 'name' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });
  });
}
