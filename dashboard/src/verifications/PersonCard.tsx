import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { AccountFacts, Person } from '../api/people.ts';
import { playerAddress } from '../components/addresses.ts';
import { IdTerm } from '../components/IdTerm.tsx';
import { Balance } from '../components/Money.tsx';
import { groupCount } from '../components/money.ts';
import { NameMark } from '../components/NameMark.tsx';
import { Tag } from '../components/Tag.tsx';
import { accountTimeline, isKnown, type TimelineAccount } from './account-timeline.ts';
import classes from './PersonCard.module.css';
import { isMatch, matchInWords } from './person-query.ts';

interface PersonCardProps {
  guildId: string;
  person: Person;
  query: string;
}

/** The person, their present and past accounts, and the guild's data about each. */
export function PersonCard({ guildId, person, query }: PersonCardProps) {
  const timeline = accountTimeline(person);
  return (
    <article aria-labelledby="person">
      <header className={classes.head}>
        <NameMark id={person.chatId} name={person.username} size="lg" isRound />
        <div className={classes.who}>
          <h2 id="person" className={classes.name} dir="auto">
            {person.username}
          </h2>
          <p className={classes.match}>{matchInWords(person, query)}</p>
        </div>
        <dl className={classes.ids}>
          <IdTerm label="Chat id" text={person.chatId} />
          <IdTerm label="Player id" text={person.playerId} />
        </dl>
      </header>
      <h3 className={classes.subtitle}>
        {timeline.length === 1 ? 'One account' : `${groupCount(timeline.length)} accounts, newest first`}
      </h3>
      <ol className={classes.timeline}>
        {timeline.map((account, index) => (
          // The accounts have no ids of their own and never move; the same name may appear twice.
          <Account
            // biome-ignore lint/suspicious/noArrayIndexKey: see above.
            key={index}
            guildId={guildId}
            account={account}
            isFound={!account.isCurrent && isMatch(account, query)}
          />
        ))}
      </ol>
    </article>
  );
}

interface AccountProps {
  guildId: string;
  account: TimelineAccount;
  isFound: boolean;
}

function Account({ guildId, account, isFound }: AccountProps) {
  const { username, playerId, isCurrent, facts } = account;
  return (
    <li className={classes.account} data-current={isCurrent || undefined}>
      <div className={classes.accountHead}>
        <bdi className={classes.accountName}>{username}</bdi>
        {isCurrent ? <Tag tone="good">Current</Tag> : <Tag>Past</Tag>}
        {isFound && <Tag tone="info">Found by this</Tag>}
        <span className={classes.player}>
          Player <bdi>{playerId}</bdi>
        </span>
      </div>
      {facts && <AccountFigures guildId={guildId} facts={facts} />}
    </li>
  );
}

function AccountFigures({ guildId, facts }: { guildId: string; facts: AccountFacts }) {
  if (!isKnown(facts)) return <p className={classes.nothing}>This guild has nothing under this account.</p>;
  const guild = `/guilds/${encodeURIComponent(guildId)}`;
  const player = encodeURIComponent(facts.playerId);
  return (
    <dl className={classes.figures}>
      <Figure label="Balance" to={playerAddress(guildId, facts.playerId)}>
        <Balance value={facts.balance} />
      </Figure>
      <Figure
        label="Transactions"
        to={playerAddress(guildId, facts.playerId)}
        isPlain={facts.transactions === 0}
      >
        {groupCount(facts.transactions)}
      </Figure>
      <Figure label="Discharges" to={`${guild}/discharges?query=${player}`} isPlain={facts.discharges === 0}>
        {groupCount(facts.discharges)}
      </Figure>
      <Figure label="Transfers" to={`${guild}/transfers?query=${player}`} isPlain={facts.transfers === 0}>
        {groupCount(facts.transfers)}
      </Figure>
    </dl>
  );
}

interface FigureProps {
  label: string;
  to: string;
  /** Without a link, because there is nothing to show. */
  isPlain?: boolean;
  children: ReactNode;
}

function Figure({ label, to, isPlain = false, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd>{isPlain ? children : <Link to={to}>{children}</Link>}</dd>
    </div>
  );
}
