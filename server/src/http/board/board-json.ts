import type { Static } from 'typebox';
import type { BoardFacts } from '../../domain/board/read-board.ts';
import { isoText } from '../../domain/iso-text.ts';
import { decimalText, sumText } from '../../domain/ledger/amount.ts';
import type { BoardDocument } from '../../wire/board.ts';
import { addressOf, type BoardPlace } from './board-page.ts';

const DAY_MS = 86_400_000;

/** The numbers of a board. Absent parts have no key in the text. */
export function boardJson(facts: BoardFacts, place: BoardPlace): string {
  const { guild, madeAtMs, totals, leaderboard, days, moves, commands } = facts;
  const { currencyName, currencySymbol } = guild;
  const content: Static<typeof BoardDocument> = {
    board: place.name,
    guild: guild.name,
    url: addressOf(place),
    madeAt: isoText(madeAtMs),
    currency: {
      ...(currencyName !== undefined && { name: currencyName }),
      ...(currencySymbol !== undefined && { symbol: currencySymbol }),
    },
    ...(totals && {
      totals: {
        inCirculation: sumText(totals.balanceUnits),
        accounts: totals.accounts,
        transactions: totals.transactions,
      },
    }),
    ...(leaderboard && {
      leaderboard: leaderboard.map((leader) => ({
        place: leader.place,
        ...(leader.player !== undefined && { player: leader.player }),
        balance: decimalText(leader.balanceUnits),
      })),
    }),
    ...(days && {
      days: days.map(({ day, depositUnits, withdrawalUnits }) => ({
        day: isoText(day * DAY_MS).slice(0, 10),
        deposits: sumText(depositUnits),
        withdrawals: sumText(withdrawalUnits),
      })),
    }),
    ...(moves && {
      moves: {
        from: decimalText(moves.minUnits),
        list: moves.list.map(({ atMs, totalUnits, player, text }) => ({
          at: isoText(atMs),
          total: decimalText(totalUnits),
          ...(player !== undefined && { player }),
          ...(text !== undefined && { text }),
        })),
      },
    }),
    ...(commands && {
      commands: commands.map(({ category, name, description }) => ({ category, name, description })),
    }),
  };
  return `${JSON.stringify(content)}\n`;
}
