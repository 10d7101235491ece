import { UNITS_PER_WHOLE } from '../../domain/ledger/amount.ts';
import type { Roster } from './people.ts';
import type { Trade } from './price-list.ts';
import { INCOME, SPENDING } from './price-list.ts';
import type { Random } from './random.ts';
import { createWeightedPicker } from './random.ts';
import { createMoments } from './rhythm.ts';
import type { SampleTransaction } from './types.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const REGULARS_COUNT = 12;
const DEBTORS_PER_GUILD = 2;
const OVERDRAFT_UNITS = 150 * UNITS_PER_WHOLE;
const COMFORT_UNITS = 1500 * UNITS_PER_WHOLE;
const DRAWS_MAX = 8;

const pickIncome = createWeightedPicker(INCOME, (trade) => trade.weight);
const pickSpending = createWeightedPicker(SPENDING, (trade) => trade.weight);

export function createTransactions(from: {
  rosters: Roster[];
  nowMs: number;
  random: Random;
}): SampleTransaction[] {
  const { rosters, nowMs, random } = from;
  const count = random.integer({ min: 19_600, max: 20_400 });
  return rosters
    .flatMap((roster, index) =>
      liveOneYear({
        roster,
        nowMs,
        random,
        count: Math.round(count * roster.share),
        eventOffsetWeeks: index,
      }),
    )
    .sort((left, right) => left.createdAtMs - right.createdAtMs);
}

interface Account {
  playerId: string;
  activity: number;
  joinedAtMs: number;
  balanceUnits: number;
  overdraftUnits: number;
}

function liveOneYear(from: {
  roster: Roster;
  nowMs: number;
  random: Random;
  count: number;
  eventOffsetWeeks: number;
}): SampleTransaction[] {
  const { roster, random } = from;
  const accounts = openAccounts(from);
  const pickAccount = createWeightedPicker(accounts, (account) => account.activity);
  return createMoments(from).map((createdAtMs) => {
    const account = chooseAccount({ pickAccount, createdAtMs, random });
    const { trade, quantity, amountUnits } = decide({ account, random });
    account.balanceUnits += amountUnits * quantity;
    return {
      guildId: roster.guild.guildId,
      playerId: account.playerId,
      name: trade.name,
      quantity,
      // Balances are kept in units, so that this one division leaves no rounding errors.
      amount: amountUnits / UNITS_PER_WHOLE,
      source: trade.source,
      createdAtMs,
    };
  });
}

/** A few regulars make a large part of all entries; most people drop in now and then. */
function openAccounts(from: { roster: Roster; nowMs: number; random: Random }): Account[] {
  const { roster, nowMs, random } = from;
  return random.shuffle([...roster.officers, ...roster.others]).map((person, rank) => {
    const isRegular = rank < REGULARS_COUNT;
    const isDebtor = rank >= REGULARS_COUNT && rank < REGULARS_COUNT + DEBTORS_PER_GUILD;
    const keenness = isRegular ? 1 : 0.15 + random.fraction() * 0.85;
    const isNewcomer = !isRegular && random.chance(0.4);
    return {
      playerId: person.playerId,
      // The first in rank stands out clearly, so that a visitor can find the busiest account.
      activity: rank === 0 ? 0.5 : keenness / (rank + 2.5),
      joinedAtMs: isNewcomer ? nowMs - random.fraction() * 340 * DAY_MS : Number.NEGATIVE_INFINITY,
      balanceUnits: 0,
      overdraftUnits: isDebtor ? OVERDRAFT_UNITS : 0,
    };
  });
}

/** Newcomers have no entries from before they joined, unless all of many draws pick such an account. */
function chooseAccount(from: {
  pickAccount: (random: Random) => Account;
  createdAtMs: number;
  random: Random;
}): Account {
  let account = from.pickAccount(from.random);
  for (let count = 1; count < DRAWS_MAX && account.joinedAtMs > from.createdAtMs; count += 1) {
    account = from.pickAccount(from.random);
  }
  return account;
}

interface Decision {
  trade: Trade;
  quantity: number;
  amountUnits: number;
}

/** People spend what they have, the more freely the more it is; with empty pockets they earn instead. */
function decide({ account, random }: { account: Account; random: Random }): Decision {
  const limitUnits = account.balanceUnits + account.overdraftUnits;
  const wealth = Math.min(1, Math.max(0, limitUnits / COMFORT_UNITS));
  const urge = account.overdraftUnits > 0 ? 0.85 : 0.4 + 0.35 * wealth;
  if (random.chance(urge)) {
    const trade = pickSpending(random);
    const priceUnits = drawPriceUnits({ trade, random });
    const quantity = Math.min(drawQuantity({ trade, random }), Math.floor(limitUnits / priceUnits));
    if (quantity >= 1) return { trade, quantity, amountUnits: -priceUnits };
  }
  const trade = pickIncome(random);
  return {
    trade,
    quantity: drawQuantity({ trade, random }),
    amountUnits: drawPriceUnits({ trade, random }),
  };
}

/** Trades with varying prices: expensive items are priced in whole coins, cheap ones in finer steps. */
function drawPriceUnits({ trade, random }: { trade: Trade; random: Random }): number {
  if (trade.swing === 0) return Math.round(trade.price * UNITS_PER_WHOLE);
  const coins = trade.price * (1 + (random.fraction() * 2 - 1) * trade.swing);
  const stepUnits = stepUnitsFor(trade.price);
  return Math.max(1, Math.round((coins * UNITS_PER_WHOLE) / stepUnits)) * stepUnits;
}

function stepUnitsFor(price: number): number {
  if (price >= 20) return UNITS_PER_WHOLE;
  if (price >= 5) return UNITS_PER_WHOLE / 4;
  if (price >= 0.3) return UNITS_PER_WHOLE / 20;
  return UNITS_PER_WHOLE / 400;
}

/** Small purchases are common, a full cart is rare. */
function drawQuantity({ trade, random }: { trade: Trade; random: Random }): number {
  return 1 + Math.floor(random.fraction() ** 3 * trade.quantityMax);
}
