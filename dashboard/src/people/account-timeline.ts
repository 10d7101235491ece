import type { AccountFacts, Person } from '../api/people.ts';

/** One account in a person's history, with this guild's data about it. */
export interface TimelineAccount {
  playerId: string;
  username: string;
  isCurrent: boolean;
  /** Undefined when the same player is already listed above: a renamed account is one account. */
  facts: AccountFacts | undefined;
}

/** The present account first, then the past ones, newest first. */
export function accountTimeline({
  playerId,
  username,
  pastUsers,
  accounts,
}: Omit<Person, 'chatId'>): TimelineAccount[] {
  const shown = new Set<string>();
  const history = [{ playerId, username }, ...pastUsers];
  return history.map((account, index) => {
    const isFirst = !shown.has(account.playerId);
    shown.add(account.playerId);
    const facts = accounts.find((candidate) => candidate.playerId === account.playerId);
    return { ...account, isCurrent: index === 0, facts: isFirst ? facts : undefined };
  });
}

/** True when this guild has any data about an account. */
export function isKnown({ transactions, discharges, transfers }: AccountFacts): boolean {
  return transactions + discharges + transfers > 0;
}
