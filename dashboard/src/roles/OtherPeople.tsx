import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { roleTexts } from '../access/guild-texts.ts';
import { PersonMark } from '../access/PersonMark.tsx';
import type { Roles } from '../api/roles.ts';
import { Breakable } from '../components/Breakable.tsx';
import { Moment } from '../components/Moment.tsx';
import { Tag } from '../components/Tag.tsx';
import { useNow } from '../components/use-now.ts';
import { accessText } from './access-text.ts';
import classes from './Roles.module.css';

/** People whose role comes from the chat platform, as far as the service knows them. */
export function OtherPeople({ guildId, people }: { guildId: string; people: Roles['others'] }) {
  const nowMs = useNow();
  return (
    <section className={classes.section} aria-label={t`Access through the chat platform`}>
      <div className={classes.head}>
        <div>
          <h2 className={classes.title}>
            <Trans>Access through the chat platform</Trans>
          </h2>
          <p className={classes.quiet}>
            <Trans>People who are signed in now. The platform does not say who else could sign in.</Trans>
          </p>
        </div>
      </div>
      {people.length === 0 ? (
        <p className={classes.empty}>
          <Trans>Nobody is signed in.</Trans>
        </p>
      ) : (
        <ul className={classes.list}>
          {people.map(({ chatId, name, role, through, seenAt }) => (
            <li key={chatId} className={classes.row}>
              <PersonMark guildId={guildId} chatId={chatId} name={name} />
              <span className={classes.name}>
                <bdi>
                  <Breakable>{name}</Breakable>
                </bdi>
                <span className={classes.since}>
                  <Trans>
                    {accessText(through)}, seen <Moment at={seenAt} nowMs={nowMs} />
                  </Trans>
                </span>
              </span>
              <Tag>{roleTexts()[role].label}</Tag>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
