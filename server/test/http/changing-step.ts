/** Ids that earlier answers have named. */
export type Ids = Record<string, string>;

export interface Step {
  /** Method and path as the endpoint's definition has them; those of the dashboard begin below the guild. */
  route: string;
  path(ids: Ids): string;
  body(ids: Ids): unknown;
  headers?: Record<string, string>;
  /** Names that the schema of the body knows beside those of this body. */
  named?: readonly string[];
  /** Objects of the body whose names are free, such as metadata. */
  isFree?: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: answers have the shape that is tested elsewhere
  keep?(data: any): Ids;
}

export const POST = { name: 'Iron Ingot', quantity: 2, amount: 12.5, source: 'shop' };
export const TRANSACTION = { ...POST, playerId: 'p1' };
export const ENTRY_FIELDS = ['deposit', 'withdrawal', 'reference', 'metadata', 'idempotencyKey'];
export const DISCHARGE = {
  chatId: '7',
  playerId: 'p1',
  name: 'Rowan',
  reason: 'Moved',
  date: '2026-03-04',
  type: 'honourable',
  from: 'A',
  signed: 'K',
};
export const TRANSFER = {
  playerId: 'p1',
  name: 'Rowan',
  date: '2026-03-04T05:06:07.000Z',
  from: 'A',
  to: 'B',
  signed: 'K',
};
export const ADDRESSED = ['id', 'guildId'];
export const WEBHOOK = { url: 'http://127.0.0.1:9/hook', kind: 'standard', events: ['transaction.posted'] };
export const WEBHOOK_FIELDS = ['name', 'filter', 'status', 'secret'];

export const always =
  <Value>(value: Value) =>
  () =>
    value;
