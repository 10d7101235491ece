import { DomainError } from './errors.ts';
import type { Discharge, Principal, Transfer } from './model.ts';
import type { RecordStore } from './ports.ts';

/** Another guild's record fails exactly like one that does not exist. */
export interface Records {
  getDischarge(principal: Principal, dischargeId: string): Promise<Discharge>;
  getTransfer(principal: Principal, transferId: string): Promise<Transfer>;
}

export function createRecords(store: RecordStore): Records {
  return {
    async getDischarge(principal, dischargeId) {
      const discharge = await store.findDischarge(principal.guild, dischargeId);
      if (discharge === undefined) {
        throw new DomainError('discharge_not_found');
      }
      return discharge;
    },
    async getTransfer(principal, transferId) {
      const transfer = await store.findTransfer(principal.guild, transferId);
      if (transfer === undefined) {
        throw new DomainError('transfer_not_found');
      }
      return transfer;
    },
  };
}
