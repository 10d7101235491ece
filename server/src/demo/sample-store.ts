import { existsSync, renameSync, rmSync } from 'node:fs';
import { pino } from 'pino';
import { sqliteFile } from '../compose/stores.ts';
import { openToolbox, systemClock, systemIds, type Toolbox } from '../compose.ts';
import type { Config } from '../config.ts';
import type { BoardSettings } from '../domain/board/board.ts';
import { USUAL_CHAT_SETTINGS } from '../domain/chat/settings.ts';
import { totalUnits, UNITS_PER_WHOLE, unitsFromNumber } from '../domain/ledger/amount.ts';
import type { Actor, Guild } from '../domain/model.ts';
import { createSampleData, SAMPLE_SEED } from './sample-data/index.ts';
import { SAMPLE_CHAT_ROLE } from './sample-data/sign-in-people.ts';
import type { SampleData } from './sample-data/types.ts';

/** The first guild lets its members do everything in the chat that a guild can allow. */
const SAMPLE_CHAT_SETTINGS = { ...USUAL_CHAT_SETTINGS, membersPay: true, balancesShown: true };
/** The first guild shows everything on its public page. */
const SAMPLE_BOARD: BoardSettings & { name: string } = {
  name: 'emberhold',
  isPublished: true,
  names: true,
  leaderboard: true,
  totals: true,
  chart: true,
  movesMinUnits: 500 * UNITS_PER_WHOLE,
  commands: true,
};
const APPENDS_AT_ONCE = 2_000;

/** The guild and the player of the welcome text: a guild with a plan, and its busiest player. */
export interface SampleHighlights {
  guildId: string;
  guildName: string;
  playerId: string;
  username: string;
}

export interface SampleStoreOptions {
  /** The author of the sample data in the audit log. */
  actor: Actor;
  /** Called before the data is made, which takes seconds. */
  onMake?: () => void;
}

/**
 * Creates the sample store when there is none, and returns the data for the welcome text. The store is filled under
 * another name and renamed when it is complete, so that an interrupted start leaves nothing half done.
 */
export async function makeSampleStore(
  config: Config,
  { actor, onMake }: SampleStoreOptions,
): Promise<SampleHighlights | undefined> {
  const file = sqliteFile(config);
  if (existsSync(file)) {
    return undefined;
  }
  const unfinished = `${file}.unfinished`;
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(`${unfinished}${suffix}`, { force: true });
  }
  onMake?.();
  const data = createSampleData({ nowMs: systemClock.nowMs(), seed: SAMPLE_SEED });
  const toolbox = await openToolbox(
    { ...config, databaseUrl: `sqlite:${unfinished}` },
    {
      clock: systemClock,
      ids: systemIds,
      logger: pino({ level: 'silent' }),
      onFatal(error) {
        throw error;
      },
    },
  );
  try {
    await fillStore(toolbox, data, actor);
  } finally {
    await toolbox.close();
  }
  // A WAL left behind by an older store of this name must not be applied to this one.
  rmSync(`${file}-wal`, { force: true });
  rmSync(`${file}-shm`, { force: true });
  renameSync(unfinished, file);
  return findHighlights(data);
}

async function fillStore({ guilds, store }: Toolbox, data: SampleData, actor: Actor): Promise<void> {
  const change = { actor, atMs: systemClock.nowMs() };
  const byId = new Map<string, Guild>();
  for (const { guildId, name, plan, ownerChatId } of data.guilds) {
    byId.set(guildId, await guilds.set({ guildId, name, plan, ownerChatId }, actor));
  }
  for (const [guildId, guild] of byId) {
    const isOwn = (record: { guildId: string }) => record.guildId === guildId;
    await store.discharges.put(guild, data.discharges.filter(isOwn), change);
    await store.transfers.put(guild, data.transfers.filter(isOwn), change);
  }
  const [first] = byId.values();
  if (first !== undefined) {
    await store.roles.setChatRole(first, SAMPLE_CHAT_ROLE, change);
    await store.chat.setSettings(first, SAMPLE_CHAT_SETTINGS, change);
    await store.boards.set(first, SAMPLE_BOARD, change);
  }
  await store.verifications.put(data.verifications, change);
  await store.commands.replace(data.commands, change);
  for (let start = 0; start < data.transactions.length; start += APPENDS_AT_ONCE) {
    const chunk = data.transactions.slice(start, start + APPENDS_AT_ONCE);
    await Promise.all(
      chunk.map(({ guildId, amount, ...rest }) => {
        const guild = byId.get(guildId);
        if (guild === undefined) {
          throw new Error(`a sample transaction names the unknown guild ${guildId}`);
        }
        const amountUnits = unitsFromNumber('amount', amount);
        return store.ledger.append({
          ...rest,
          guild,
          transactionId: systemIds.uuid(),
          amountUnits,
          totalUnits: totalUnits(amountUnits, rest.quantity),
          keyNo: undefined,
          idempotency: undefined,
        });
      }),
    );
  }
}

function findHighlights(data: SampleData): SampleHighlights {
  const [guild] = data.guilds;
  if (guild === undefined) {
    throw new Error('the sample data has no guild');
  }
  const counts = new Map<string, number>();
  for (const { guildId, playerId } of data.transactions) {
    if (guildId === guild.guildId) {
      counts.set(playerId, (counts.get(playerId) ?? 0) + 1);
    }
  }
  const [busiest = ''] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  const username = data.verifications.find(({ playerId }) => playerId === busiest)?.username ?? busiest;
  return { guildId: guild.guildId, guildName: guild.name, playerId: busiest, username };
}
