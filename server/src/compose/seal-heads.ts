import type { BaseLogger } from 'pino';
import type { Config } from '../config.ts';
import type { Store } from '../domain/ports.ts';
import { readSealMarks, writeSealMarks } from '../store/sqlite/seal-mark.ts';
import { isPostgres, sqliteFile } from './stores.ts';

/** Guilds whose sizes are noted between two writes. */
const NOTED_MAX = 10_000;
const WRITE_EVERY_MS = 30_000;

/** Notes the sizes of sealed logs beside an embedded store, to recognise an older backup. A database server has no such place. */
export interface SealHeads {
  note(guildId: string, size: number): void;
  /** Logs the guilds whose log is shorter than it was. */
  compare(): Promise<void>;
  stop(): void;
}

const NOTHING: SealHeads = { note() {}, async compare() {}, stop() {} };

export function openSealHeads(
  config: Pick<Config, 'databaseUrl'>,
  { store, logger }: { store: Pick<Store, 'guilds' | 'seals'>; logger: BaseLogger },
): SealHeads {
  if (isPostgres(config)) {
    return NOTHING;
  }
  const file = sqliteFile(config);
  const sizes = new Map<string, number>();

  function write(): void {
    if (sizes.size === 0) {
      return;
    }
    try {
      writeSealMarks(file, sizes);
      sizes.clear();
    } catch (error) {
      logger.warn({ err: error }, 'the sizes of sealed ledgers could not be noted beside the store');
    }
  }

  const timer = setInterval(write, WRITE_EVERY_MS).unref();
  return {
    note(guildId, size) {
      if (sizes.size < NOTED_MAX || sizes.has(guildId)) {
        sizes.set(guildId, size);
      }
    },
    async compare() {
      for (const [guildId, before] of Object.entries(readSealMarks(file))) {
        const guild = await store.guilds.find(guildId);
        const size = guild === undefined ? 0 : ((await store.seals.state(guild)).log?.size ?? 0);
        if (size < before) {
          logger.error(
            { guildId, before, size },
            'the sealed ledger is shorter than it was, as after a restore of an older backup: checkpoints that people hold no longer agree, see docs/seal.md',
          );
        }
      }
    },
    stop() {
      clearInterval(timer);
      write();
    },
  };
}
