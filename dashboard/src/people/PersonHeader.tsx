import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { PersonMark } from '../access/PersonMark.tsx';
import { useSession } from '../access/session-context.ts';
import { useHasDraft } from '../access/use-form-draft.ts';
import { useMay } from '../access/use-may.ts';
import type { Guild } from '../api/guilds.ts';
import type { Member, Profile } from '../api/members.ts';
import type { PlayerDetails } from '../api/players.ts';
import { personAddress } from '../components/addresses.ts';
import { IdTerm } from '../components/IdTerm.tsx';
import { Tag } from '../components/Tag.tsx';
import { usePageTitle } from '../components/use-page-title.ts';
import { linkFormId } from './link-form.ts';
import { State } from './member-columns.tsx';
import classes from './Person.module.css';

const loadDialogs = () => import('./VerificationDialogs.tsx');
const LinkDialog = lazy(async () => ({ default: (await loadDialogs()).LinkDialog }));
const UnlinkDialog = lazy(async () => ({ default: (await loadDialogs()).UnlinkDialog }));

interface PersonHeaderProps {
  guild: Guild;
  player: PlayerDetails;
  /** Null when the guild does not know the player; undefined while it is loaded. */
  profile: Profile | null | undefined;
  name: string;
}

/** Who the person is: name, ids, and whether they are verified. */
export function PersonHeader({ guild, player, profile, name }: PersonHeaderProps) {
  usePageTitle(name);
  const member = profile?.member;
  const chatId = player.chatId ?? member?.chatId ?? null;
  return (
    <header className={classes.head}>
      <PersonMark
        guildId={guild.guildId}
        playerId={player.playerId}
        name={name}
        isVerified={chatId !== null}
        size="lg"
      />
      <div className={classes.who}>
        <div className={classes.nameLine}>
          <h1 className={classes.name}>
            <bdi title={name}>{name}</bdi>
          </h1>
          {member && <State {...member} />}
          {profile === null && (
            <Tag>
              <Trans>Unknown here</Trans>
            </Tag>
          )}
        </div>
        <dl className={classes.ids}>
          <IdTerm label={t`Player id`} text={player.playerId} />
          {chatId !== null && <IdTerm label={t`Chat id`} text={chatId} />}
          {member?.formerOf && (
            <div>
              <dt>
                <Trans>Former account of</Trans>
              </dt>
              <dd>
                <Link to={personAddress(guild.guildId, member.formerOf.playerId)}>
                  <bdi>{member.formerOf.username}</bdi>
                </Link>
              </dd>
            </div>
          )}
        </dl>
      </div>
      {member && <VerificationActions guildId={guild.guildId} member={member} />}
    </header>
  );
}

/** For those who may change verifications, where the operator allows it. */
function VerificationActions({ guildId, member }: { guildId: string; member: Member }) {
  const { editsVerifications } = useSession();
  const mayEdit = useMay('people.change') && editsVerifications;
  const hasDraft = useHasDraft(linkFormId(member.playerId));
  const [work, setWork] = useState<'link' | 'unlink' | undefined>(mayEdit && hasDraft ? 'link' : undefined);
  const end = () => setWork(undefined);
  if (!mayEdit) return null;
  return (
    <>
      <Group gap="xs">
        <Button variant="default" onClick={() => setWork('link')}>
          {member.chatId === null ? t`Verify` : t`Change verification`}
        </Button>
        {member.chatId !== null && (
          <Button variant="default" onClick={() => setWork('unlink')}>
            <Trans>Unlink</Trans>
          </Button>
        )}
      </Group>
      <Suspense>
        {work === 'link' && <LinkDialog guildId={guildId} member={member} onClose={end} />}
        {work === 'unlink' && <UnlinkDialog guildId={guildId} member={member} onClose={end} />}
      </Suspense>
    </>
  );
}
