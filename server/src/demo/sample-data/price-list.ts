/** A way to earn or spend coin. The price is typical, per item; actual prices vary around it. */

export interface Trade {
  name: string;
  source: string;
  price: number;
  quantityMax: number;
  /** The variation of prices to either side, as a part of the price; 0 for wages, fees and the like. */
  swing: number;
  weight: number;
}

type Row = readonly [name: string, price: number, quantityMax: number];

/** Common goods that members sell to the market and also buy back from the shop, at a higher price. */
const GOODS: readonly Row[] = [
  ['Iron Ingot', 4.5, 48],
  ['Copper Ingot', 2.75, 48],
  ['Silver Ingot', 18.5, 12],
  ['Oak Plank', 1.2, 120],
  ['Yew Stave', 6.4, 20],
  ['Bale of Wool', 5.25, 16],
  ['Bolt of Linen', 7.8, 12],
  ['Cured Leather', 6.1, 24],
  ['Sack of Flour', 3.35, 20],
  ['Barrel of Salted Herring', 14.75, 8],
  ['Jar of Honey', 4.9, 10],
  ['Beeswax Candle', 0.85, 60],
  ['Goose-Feather Arrow', 0.4, 300],
  ['Copper Nail', 0.0625, 500],
  ['Charcoal', 0.35, 200],
  ['Lamp Oil', 2.15, 24],
  ['Healing Salve', 9.5, 10],
  ['Nightshade Sprig', 3.15, 15],
  ['River Clay', 0.1875, 250],
  ['Marsh Reed', 0.125, 200],
];

const TREASURES: readonly Row[] = [
  ['Enamelled Buckler', 145, 1],
  ['Map of the Sunken Road', 85, 1],
  ['Dappled Mare', 420, 1],
  ['Silver Hunting Horn', 120, 1],
  ['Carved Chess Set', 64, 1],
  ['Bearskin Cloak', 98, 1],
  ['Crate of Old Cider', 36, 4],
  ['Runed Shortsword', 260, 1],
  ['Astrolabe', 310, 1],
];

export const INCOME: readonly Trade[] = [
  ...trades({ source: 'market', weight: 26, swing: 0.2 }, GOODS),
  ...trades({ source: 'payroll', weight: 20, swing: 0 }, [
    ['Weekly Wage: Recruit', 25, 1],
    ['Weekly Wage: Guard', 40, 1],
    ['Weekly Wage: Sergeant', 60, 1],
    ['Weekly Wage: Craftsman', 48, 1],
    ['Night Watch Bonus', 12, 1],
    ['Convoy Escort Pay', 22.5, 2],
    ['Officer Stipend', 85, 1],
  ]),
  ...trades({ source: 'quest', weight: 22, swing: 0 }, [
    ['Quest Reward: Wolves at the Mill', 35, 1],
    ['Quest Reward: The Lost Lamplighter', 28, 1],
    ['Quest Reward: A Letter to Thornwall', 15, 1],
    ['Quest Reward: Herbs for the Infirmary', 18.5, 1],
    ['Quest Reward: The Drowned Bell', 75, 1],
    ['Quest Reward: Clear the Old Cellar', 22, 1],
    ['Quest Reward: Escort the Tinker', 32, 1],
    ['Quest Reward: The Saltfen Beast', 110, 1],
    ['Daily Errand', 6.5, 3],
  ]),
  ...trades({ source: 'bounty', weight: 7, swing: 0 }, [
    ['Bounty: Highway Robber', 45, 3],
    ['Bounty: River Pirate', 60, 2],
    ['Bounty: Marsh Troll', 135, 1],
    ['Bounty: Giant Rat', 1.5, 25],
    ['Bounty: Poacher', 24, 2],
  ]),
  ...trades({ source: 'casino', weight: 8, swing: 0.6 }, [
    ['Dice Winnings', 16, 1],
    ['Card Table Winnings', 38, 1],
    ['Snail Race Winnings', 12.5, 1],
    ['Wheel of Lanterns Prize', 70, 1],
  ]),
  ...trades(
    { source: 'auction', weight: 6, swing: 0.3 },
    TREASURES.map(([name, price, most]): Row => [`Auction Sale: ${name}`, price, most]),
  ),
  ...trades({ source: 'event', weight: 7, swing: 0 }, [
    ['Tournament Purse', 150, 1],
    ['Archery Contest Prize', 55, 1],
    ['Harvest Fair Raffle', 30, 1],
    ['Attendance Token', 2.5, 8],
    ['Siege Night Spoils', 42, 2],
  ]),
  ...trades({ source: 'workshop', weight: 6, swing: 0.2 }, [
    ['Commission: Horseshoes', 3.25, 16],
    ['Commission: Travelling Coat', 44, 1],
    ['Commission: Shield Painting', 26, 2],
    ['Commission: Signet Ring', 58, 1],
  ]),
  ...trades({ source: 'mod-bot', weight: 1.5, swing: 0.4 }, [
    ['Refund: Duplicate Purchase', 15, 1],
    ['Ledger Correction', 8.25, 1],
    ['Helper of the Week', 50, 1],
  ]),
];

export const SPENDING: readonly Trade[] = [
  ...trades(
    { source: 'shop', weight: 30, swing: 0.1 },
    GOODS.map(([name, price, most]): Row => [name, price * 1.2, most]),
  ),
  ...trades({ source: 'shop', weight: 14, swing: 0.1 }, [
    ['Travelling Rations', 2.4, 20],
    ['Bronze Helm', 42, 1],
    ['Padded Jacket', 34, 1],
    ['Ash Spear', 21, 3],
    ['Round Shield', 38, 1],
    ['Repair Kit', 7.75, 6],
    ['Stable Fee', 4.5, 7],
    ['Saddlebag', 29, 1],
    ['Guild Tabard', 24, 1],
    ['Sealing Wax', 1.1, 12],
  ]),
  ...trades({ source: 'tavern', weight: 18, swing: 0 }, [
    ['Tavern Round', 11.4, 3],
    ['Mug of Dark Ale', 1.25, 8],
    ['Venison Stew', 3.6, 4],
    ['Spiced Wine', 2.8, 5],
    ['Room for the Night', 6.5, 3],
    ['Tip for the Minstrel', 2, 1],
  ]),
  ...trades({ source: 'casino', weight: 10, swing: 0.5 }, [
    ['Dice Stake', 8, 1],
    ['Card Table Stake', 20, 1],
    ['Snail Race Ticket', 2.5, 6],
    ['Wheel of Lanterns Spin', 5, 10],
  ]),
  ...trades({ source: 'tax', weight: 12, swing: 0 }, [
    ['Guild Tax', 8.5, 1],
    ['Market Stall Fee', 5, 2],
    ['Bridge Toll', 0.75, 6],
    ['Property Levy', 32, 1],
  ]),
  ...trades(
    { source: 'auction', weight: 8, swing: 0.3 },
    TREASURES.map(([name, price, most]): Row => [`Auction Win: ${name}`, price * 1.1, most]),
  ),
  ...trades({ source: 'workshop', weight: 6, swing: 0.2 }, [
    ['Forge Rental', 9.5, 4],
    ['Armour Fitting', 37, 1],
    ['Loom Time', 4.2, 5],
    ['Cottage Roof Repair', 190, 1],
  ]),
  ...trades({ source: 'event', weight: 5, swing: 0 }, [
    ['Tournament Entry', 15, 1],
    ['Festival Lantern', 1.8, 12],
    ['Feast Contribution', 25, 1],
  ]),
  ...trades({ source: 'mod-bot', weight: 1.5, swing: 0 }, [
    ['Fine: Brawling in the Market', 20, 1],
    ['Fine: Missed Watch', 10, 1],
    ['Fine: Spamming the Herald Channel', 5, 2],
    ['Ledger Correction', 8.25, 1],
  ]),
];

/** The weight belongs to the group as a whole and is shared evenly by its rows. */
function trades(group: Pick<Trade, 'source' | 'weight' | 'swing'>, rows: readonly Row[]): Trade[] {
  const weight = group.weight / rows.length;
  return rows.map(([name, price, quantityMax]) => ({ ...group, name, price, quantityMax, weight }));
}
