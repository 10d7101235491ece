import { afterAll, beforeAll } from 'vitest';
import { aDischarge, aTransfer } from '../contract/specimens.ts';
import {
  type DashboardService,
  GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';

const NOBODY = { guildNo: 0, guildId: '' };
const { id: _d, guildId: _dg, ...dischargeFields } = aDischarge(NOBODY);
const { id: _t, guildId: _tg, ...transferFields } = aTransfer(NOBODY);
/** The fields of a record without its id and guild. */
export const DISCHARGE_FIELDS = dischargeFields;
export const TRANSFER_FIELDS = transferFields;
export const KINDS = [
  { kind: 'discharge', list: 'discharges', fields: DISCHARGE_FIELDS, label: 'Discharge' },
  { kind: 'transfer', list: 'transfers', fields: TRANSFER_FIELDS, label: 'Transfer' },
] as const;

export const recordPath = (path: string, guildId = GUILD) => `/dashboard/api/guilds/${guildId}/${path}`;

/** Everything a change of records could have changed. */
export function contentsOf({ db }: DashboardService): unknown[] {
  return ['discharge', 'transfer', 'audit_entry'].map((table) =>
    db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
  );
}

/**
 * One service for all tests of a file, in which the owner of the guild is signed in. Both are there from `beforeAll` on, so
 * only tests may read them.
 */
export function shareRecords() {
  let service: DashboardService;
  let olga: SignedInBrowser;
  let key: string;
  beforeAll(async () => {
    service = await startDashboardService();
    olga = await service.signIn('olga');
    key = (await service.addKey(GUILD)).value;
  });
  afterAll(() => service.stop());

  /** The record as the interface shows it to a key, without its envelope. */
  async function readBack(list: string, id: string): Promise<unknown> {
    const { status, body } = await service.send({
      method: 'GET',
      url: `/guild/${list}/${encodeURIComponent(id)}`,
      key,
    });
    return status === 404 ? undefined : (body.data ?? body);
  }

  return {
    get service() {
      return service;
    },
    get olga() {
      return olga;
    },
    change: (method: string, path: string, json?: object) => olga.change(method, recordPath(path), json),
    readBack,
    contents: () => contentsOf(service),
  };
}
