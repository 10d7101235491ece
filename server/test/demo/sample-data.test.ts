import { describe, expect, it } from 'vitest';
import { createSampleData } from '../../src/demo/sample-data/index.ts';
import type { SampleTransaction } from '../../src/demo/sample-data/types.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

// A quiet night, a Saturday evening and a leap day: the promises do not depend on when one looks.
const MOMENTS = [
  { seed: 1, nowMs: Date.UTC(2026, 4, 12, 4, 20, 7, 123) },
  { seed: 20_260_314, nowMs: Date.UTC(2026, 2, 14, 21, 0, 0, 0) },
  { seed: 4_000_000_007, nowMs: Date.UTC(2028, 1, 29, 12, 59, 59, 999) },
];

it('the same moment and seed give the same data', () => {
  const options = { seed: 7, nowMs: Date.UTC(2026, 4, 12) };
  expect(createSampleData(options)).toEqual(createSampleData(options));
});

it('another seed gives other data', () => {
  const nowMs = Date.UTC(2026, 4, 12);
  const one = createSampleData({ seed: 7, nowMs });
  const other = createSampleData({ seed: 8, nowMs });
  expect(one.guilds.map((guild) => guild.guildId)).not.toEqual(other.guilds.map((guild) => guild.guildId));
  expect(one.transactions).not.toEqual(other.transactions);
});

const SAMPLES = MOMENTS.map((moment) => ({ ...moment, data: createSampleData(moment) }));

describe.each(SAMPLES)('sample data of seed $seed', ({ nowMs, data }) => {
  const guildIds = data.guilds.map((guild) => guild.guildId);
  const records = [...data.discharges, ...data.transfers];

  it('has a few hundred members, hundreds of records and about twenty thousand transactions', () => {
    expect(data.guilds.map((guild) => guild.plan)).toEqual(['enterprise', 'developer', 'none']);
    expect(data.verifications.length).within(300, 340);
    expect(data.commands.length).within(30, 40);
    expect(data.discharges.length).within(170, 190);
    expect(data.transfers.length).within(130, 150);
    expect(data.transactions.length).within(19_000, 21_000);
  });

  it('has six categories of commands, each with commands of different names', () => {
    expect(new Set(data.commands.map((command) => command.category)).size).toBe(6);
    expectUnique(data.commands.map((command) => command.name));
  });

  it('uses every identifier and username once', () => {
    const accounts = data.verifications.flatMap((person) => [person, ...person.pastUsers]);
    expectUnique(guildIds);
    expectUnique(data.verifications.map((person) => person.chatId));
    expectUnique(accounts.map((account) => account.playerId));
    expectUnique(accounts.map((account) => account.username.toLowerCase()));
    expectUnique(records.map((record) => record.id));
  });

  it('writes identifiers the way the platforms do', () => {
    const chatIds = [...guildIds, ...data.verifications.map((person) => person.chatId)];
    expect(chatIds.filter((id) => !/^[1-9]\d{16,18}$/.test(id))).toEqual([]);
    const playerIds = data.verifications.flatMap((person) => [person, ...person.pastUsers]);
    expect(playerIds.filter(({ playerId }) => !/^[1-9]\d{7,9}$/.test(playerId))).toEqual([]);
    expect(data.discharges.filter(({ id }) => !/^dis_[0-9a-z]{10}$/.test(id))).toEqual([]);
    expect(data.transfers.filter(({ id }) => !/^trf_[0-9a-z]{10}$/.test(id))).toEqual([]);
  });

  it('remembers one to three past accounts of some people', () => {
    const counts = data.verifications.map((person) => person.pastUsers.length).filter((count) => count > 0);
    expect(counts.length / data.verifications.length).within(0.09, 0.22);
    expect(Math.max(...counts)).toBeLessThanOrEqual(3);
  });

  it('belongs to guilds that exist, owned and signed for by verified people', () => {
    const chatIds = new Set(data.verifications.map((person) => person.chatId));
    const usernames = new Set(data.verifications.map((person) => person.username));
    expect(data.guilds.filter((guild) => !chatIds.has(guild.ownerChatId))).toEqual([]);
    expect(records.filter((record) => !usernames.has(record.signed))).toEqual([]);
    const used = new Set([...records, ...data.transactions].map((item) => item.guildId));
    expect([...used].sort()).toEqual([...guildIds].sort());
  });

  it('names in each record the person it is about', () => {
    const people = new Map(data.verifications.map((person) => [person.playerId, person]));
    expect(records.filter((record) => people.get(record.playerId)?.username !== record.name)).toEqual([]);
    expect(data.discharges.filter((record) => people.get(record.playerId)?.chatId !== record.chatId)).toEqual(
      [],
    );
  });

  it('keeps records within the last two years, in the formats of the interface', () => {
    const times = records.map((record) => Date.parse(record.date));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(nowMs - 730 * DAY_MS);
    expect(Math.max(...times)).toBeLessThanOrEqual(nowMs);
    const isDateTime = (date: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(date);
    const dateTimes = data.discharges.filter(({ date }) => isDateTime(date));
    const plainDates = data.discharges.filter(({ date }) => /^\d{4}-\d\d-\d\d$/.test(date));
    expect(dateTimes.length + plainDates.length).toBe(data.discharges.length);
    expect(dateTimes.length).within(1, 40);
    expect(data.transfers.filter(({ date }) => !isDateTime(date))).toEqual([]);
  });

  it('moves people only between different units', () => {
    expect(data.transfers.filter((transfer) => transfer.from === transfer.to)).toEqual([]);
  });

  it('leaves no reason with a word to be filled in', () => {
    expect(data.discharges.filter(({ reason }) => /[{}]/.test(reason))).toEqual([]);
  });

  it('has no blank text and no control characters other than line breaks in long help', () => {
    const longTexts = data.commands.map((command) => command.extendedHelp);
    const shortTexts = textsOf({
      ...data,
      commands: data.commands.map(({ extendedHelp: _, ...rest }) => rest),
    });
    expect(shortTexts.filter((text) => text.trim() === '' || /\p{Cc}/u.test(text))).toEqual([]);
    expect(longTexts.filter((text) => text.trim() === '' || /[^\P{Cc}\n]/u.test(text))).toEqual([]);
  });
});

describe.each(SAMPLES)('sample ledger of seed $seed', ({ nowMs, data }) => {
  const { transactions } = data;

  it('ascends over twelve months, up to the last hours and never beyond now', () => {
    const times = transactions.map((transaction) => transaction.createdAtMs);
    expect(times).toEqual([...times].sort((left, right) => left - right));
    expect(times.every(Number.isSafeInteger)).toBe(true);
    expect(times.at(0)).within(nowMs - 366 * DAY_MS, nowMs - 360 * DAY_MS);
    expect(times.at(-1)).within(nowMs - 3 * HOUR_MS, nowMs);
  });

  it('has amounts that are never zero and have at most four decimals', () => {
    expect(transactions.filter(({ amount }) => amount === 0)).toEqual([]);
    expect(transactions.filter(({ amount }) => Number(amount.toFixed(4)) !== amount)).toEqual([]);
  });

  it('has whole quantities from 1 to 500, mostly small', () => {
    const quantities = transactions.map((transaction) => transaction.quantity);
    expect(
      quantities.filter((quantity) => !Number.isInteger(quantity) || quantity < 1 || quantity > 500),
    ).toEqual([]);
    expect(share(quantities, (quantity) => quantity <= 10)).toBeGreaterThan(0.75);
  });

  it('has deposits and withdrawals under many names from about ten sources', () => {
    expect(share(transactions, ({ amount }) => amount > 0)).within(0.35, 0.65);
    expect(new Set(transactions.map(({ name }) => name)).size).within(90, 130);
    const sources = [...new Set(transactions.map(({ source }) => source))];
    expect(sources.length).within(8, 12);
    expect(sources.filter((source) => !/^[a-z-]+$/.test(source))).toEqual([]);
  });

  it('belongs to verified players only', () => {
    const playerIds = new Set(data.verifications.map((person) => person.playerId));
    expect(transactions.filter(({ playerId }) => !playerIds.has(playerId))).toEqual([]);
  });

  it('is largest in the first guild and smallest in the third', () => {
    const shares = data.guilds.map(({ guildId }) => share(transactions, (item) => item.guildId === guildId));
    expect(shares[0]).within(0.58, 0.62);
    expect(shares[1]).within(0.28, 0.32);
    expect(shares[2]).within(0.08, 0.12);
  });

  it('has a few very active players, a long tail, and one who stands out in the first guild', () => {
    const first = transactions.filter(({ guildId }) => guildId === data.guilds[0]?.guildId);
    const counts = [...Map.groupBy(first, ({ playerId }) => playerId).values()].map(({ length }) => length);
    const [busiest = 0, second = 0] = counts.sort((left, right) => right - left);
    expect(busiest).toBeGreaterThan(second * 1.25);
    expect(counts.filter((count) => count >= 500).length).within(2, 12);
    expect(share(counts, (count) => count < 40)).toBeGreaterThan(0.5);
  });

  it('lets only a handful of accounts ever fall below zero', () => {
    expect(accountsEverInDebt(transactions)).within(1, 10);
  });

  it('is busier on weekends than in midweek and in the evening than at night', () => {
    const countOn = (days: number[]) =>
      transactions.filter((item) => days.includes(new Date(item.createdAtMs).getUTCDay())).length /
      days.length;
    const countIn = (hours: number[]) =>
      transactions.filter((item) => hours.includes(new Date(item.createdAtMs).getUTCHours())).length;
    expect(countOn([6, 0])).toBeGreaterThan(countOn([2, 3, 4]) * 1.5);
    expect(countIn([18, 19, 20])).toBeGreaterThan(countIn([2, 3, 4]) * 5);
  });

  it('grows slowly over the year', () => {
    const middleMs = nowMs - 182 * DAY_MS;
    expect(share(transactions, ({ createdAtMs }) => createdAtMs >= middleMs)).within(0.5, 0.62);
  });
});

function expectUnique(values: string[]): void {
  expect(new Set(values).size).toBe(values.length);
}

function share<T>(items: T[], matches: (item: T) => boolean): number {
  return items.filter(matches).length / items.length;
}

/** Every text anywhere inside the value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

function accountsEverInDebt(transactions: SampleTransaction[]): number {
  const balances = new Map<string, number>();
  const indebted = new Set<string>();
  for (const { guildId, playerId, amount, quantity } of transactions) {
    const account = `${guildId}/${playerId}`;
    const balance = (balances.get(account) ?? 0) + Math.round(amount * 10_000) * quantity;
    balances.set(account, balance);
    if (balance < 0) indebted.add(account);
  }
  return indebted.size;
}
