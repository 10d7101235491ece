import { dayOf } from '../calendar.ts';
import type { LedgerEntry } from '../ledger/entries.ts';
import type { ChatCall, ChatParts } from './command.ts';
import type { ChatChoice } from './interaction.ts';
import { changeText } from './money-text.ts';
import { newest } from './newest.ts';

/** Suggestions come from this number of the guild's newest transactions: they are asked for with every letter. */
const LOOKED_AT = 100;
const SUGGESTED_MAX = 25;

const SOURCE_DAYS = 60;

function recentDays(nowMs: number) {
  const until = dayOf(nowMs);
  return { since: until - SOURCE_DAYS, until };
}

const holds = (text: string, typed: string) => text.toLowerCase().includes(typed.trim().toLowerCase());
const sameText = (texts: readonly string[], typed: string): ChatChoice[] =>
  [...new Set(texts)]
    .filter((text) => holds(text, typed))
    .slice(0, SUGGESTED_MAX)
    .map((text) => ({ label: text, value: text }));

function newestEntries({ guild }: ChatCall, { entries }: ChatParts): Promise<LedgerEntry[]> {
  const none = { source: undefined, minUnits: undefined, maxUnits: undefined, reference: undefined };
  const anyTime = { sinceMs: undefined, untilMs: undefined, before: undefined };
  const query = { ...none, ...anyTime, playerId: undefined, namePrefix: undefined, limit: LOOKED_AT };
  return entries.history(guild, query).then((page) => page.entries);
}

/** The names of items in the newest transactions. */
export async function suggestItems(call: ChatCall, typed: string, parts: ChatParts): Promise<ChatChoice[]> {
  return sameText(
    (await newestEntries(call, parts)).map(({ name }) => name),
    typed,
  );
}

/** The sources with the largest turnover of the last weeks. */
export async function suggestSources(
  call: ChatCall,
  typed: string,
  { views, clock }: ChatParts,
): Promise<ChatChoice[]> {
  const found = await views.topSources(call.guild, recentDays(clock.nowMs()), LOOKED_AT);
  return sameText(
    found.map(({ source }) => source),
    typed,
  );
}

/** Players with an account in the guild, by verified name or id. */
export async function suggestPlayers(
  { guild }: ChatCall,
  typed: string,
  { views }: ChatParts,
): Promise<ChatChoice[]> {
  const text = typed.trim();
  const found =
    text === ''
      ? await views.largestBalances(guild, SUGGESTED_MAX)
      : await views.findPlayers(guild, text, SUGGESTED_MAX);
  return found.map(({ playerId, username }) => ({
    label: username === undefined ? playerId : `${username} (${playerId})`,
    value: username ?? playerId,
  }));
}

/** The newest transactions of the guild, by item, player, source or id. */
export async function suggestTransactions(
  call: ChatCall,
  typed: string,
  parts: ChatParts,
): Promise<ChatChoice[]> {
  const { guild, caller } = call;
  const found = await newestEntries(call, parts);
  return found
    .filter(({ name, playerId, source, transactionId }) =>
      [name, playerId, source, transactionId].some((text) => holds(text, typed)),
    )
    .slice(0, SUGGESTED_MAX)
    .map(({ number, name, playerId, totalUnits, transactionId }) => ({
      label: `#${number} · ${changeText(totalUnits, guild, caller.locale)} · ${name} · ${playerId}`,
      value: transactionId,
    }));
}

/** The newest transactions of the caller. */
export async function suggestOwnTransactions(
  { guild, caller }: ChatCall,
  typed: string,
  { verificationStore, ledgerStore }: ChatParts,
): Promise<ChatChoice[]> {
  const own = await verificationStore.find(['chat'], caller.chatId);
  if (own === undefined) {
    return [];
  }
  const { transactions } = await ledgerStore.list(guild, own.playerId, newest(LOOKED_AT));
  return transactions
    .filter(({ name, source, transactionId }) =>
      [name, source, transactionId].some((text) => holds(text, typed)),
    )
    .slice(0, SUGGESTED_MAX)
    .map(({ name, source, totalUnits, transactionId }) => ({
      label: `${changeText(totalUnits, guild, caller.locale)} · ${name} · ${source}`,
      value: transactionId,
    }));
}

/** The categories of the catalogue. */
export async function suggestCategories(
  _call: ChatCall,
  typed: string,
  { commands }: ChatParts,
): Promise<ChatChoice[]> {
  return sameText(
    (await commands.list(undefined)).map(({ category }) => category),
    typed,
  );
}
