import { DomainError } from './errors.ts';
import type { Guilds } from './guilds.ts';
import type { Actor, Discharge, Principal, Transfer } from './model.ts';
import type { Clock, IdSource, RecordStore } from './ports.ts';

export type DischargeFields = Omit<Discharge, 'id' | 'guildId'>;
export type TransferFields = Omit<Transfer, 'id' | 'guildId'>;

/** Which record is written, of which guild. Without an id a new one is made. */
export interface RecordTarget {
  guildId: string;
  id?: string;
}

export interface Records {
  /** Another guild's record fails exactly like one that does not exist. */
  getDischarge(principal: Principal, dischargeId: string): Promise<Discharge>;
  /** Another guild's record fails exactly like one that does not exist. */
  getTransfer(principal: Principal, transferId: string): Promise<Transfer>;
  /** Creates or replaces a record; repeating it changes nothing. */
  putDischarge(target: RecordTarget, fields: DischargeFields, actor: Actor): Promise<Discharge>;
  /** Creates or replaces a record; repeating it changes nothing. */
  putTransfer(target: RecordTarget, fields: TransferFields, actor: Actor): Promise<Transfer>;
  deleteDischarge(target: Required<RecordTarget>, actor: Actor): Promise<void>;
  deleteTransfer(target: Required<RecordTarget>, actor: Actor): Promise<void>;
}

export interface RecordParts {
  store: RecordStore;
  guilds: Guilds;
  clock: Clock;
  ids: IdSource;
}

export function createRecords({ store, guilds, clock, ids }: RecordParts): Records {
  const by = (actor: Actor) => ({ actor, atMs: clock.nowMs() });
  return {
    async getDischarge(principal, dischargeId) {
      return found(await store.findDischarge(principal.guild, dischargeId), 'discharge_not_found');
    },
    async getTransfer(principal, transferId) {
      return found(await store.findTransfer(principal.guild, transferId), 'transfer_not_found');
    },
    async putDischarge({ guildId, id = ids.uuid() }, fields, actor) {
      const guild = await guilds.find(guildId);
      const discharge = { ...fields, id, guildId };
      await store.putDischarges(guild, [discharge], by(actor));
      return discharge;
    },
    async putTransfer({ guildId, id = ids.uuid() }, fields, actor) {
      const guild = await guilds.find(guildId);
      const transfer = { ...fields, id, guildId, date: new Date(fields.date).toISOString() };
      await store.putTransfers(guild, [transfer], by(actor));
      return transfer;
    },
    async deleteDischarge({ guildId, id }, actor) {
      const guild = await guilds.find(guildId);
      if (!(await store.deleteDischarge(guild, id, by(actor)))) {
        throw new DomainError('discharge_not_found');
      }
    },
    async deleteTransfer({ guildId, id }, actor) {
      const guild = await guilds.find(guildId);
      if (!(await store.deleteTransfer(guild, id, by(actor)))) {
        throw new DomainError('transfer_not_found');
      }
    },
  };
}

function found<Value>(value: Value | undefined, code: 'discharge_not_found' | 'transfer_not_found'): Value {
  if (value === undefined) {
    throw new DomainError(code);
  }
  return value;
}
