import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { may, roleTexts, unknownMember } from '../access/guild-texts.ts';
import { Loaded } from '../access/Loaded.tsx';
import { NotAllowed } from '../access/NotAllowed.tsx';
import { PersonMark } from '../access/PersonMark.tsx';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useHasDraft } from '../access/use-form-draft.ts';
import { useGuild } from '../access/use-guild.ts';
import type { Guild } from '../api/guilds.ts';
import { type Grantee, type Roles, rolesQuery } from '../api/roles.ts';
import { Breakable } from '../components/Breakable.tsx';
import { Moment } from '../components/Moment.tsx';
import { Notice } from '../components/Notice.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { Tag } from '../components/Tag.tsx';
import { useNow } from '../components/use-now.ts';
import { GrantDialog } from './GrantDialog.tsx';
import { type Grant, grantFormId } from './grant-form.ts';
import { InvitationDialog } from './InvitationDialog.tsx';
import { InvitationSection } from './InvitationSection.tsx';
import { OtherPeople } from './OtherPeople.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import classes from './Roles.module.css';

type Work =
  | { what: 'add'; kind: Grantee['kind'] }
  | { what: 'link' }
  | { what: 'edit' | 'remove'; grant: Grant };

/** The roles in the dashboard of people who do not manage the guild on the chat platform. */
export function RolesPage() {
  const guild = useGuild();
  if (!may(guild, 'roles.read')) return <NotAllowed needed="manager" />;
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title={t`Roles`} />;
  return (
    <>
      <PageHeading title={t`Roles`}>
        <Trans>
          Who else sees and changes <bdi>{guild.name}</bdi>’s books. Those who manage it on the chat platform
          are managers anyway.
        </Trans>
      </PageHeading>
      <RoleLists guild={guild} />
    </>
  );
}

function RoleLists({ guild }: { guild: Guild }) {
  const query = useQuery(rolesQuery(guild.guildId));
  const [work, setWork] = useState<Work | undefined>(useDraftedWork());
  const close = () => setWork(undefined);
  const onWork = (what: 'edit' | 'remove') => (grant: Grant) => setWork({ what, grant });
  return (
    <Loaded query={query} skeleton={<RowsSkeleton />} failure={t`The roles could not be loaded`}>
      {(roles) => (
        <>
          <RoleLegend />
          <GrantSection
            guildId={guild.guildId}
            title={t`People`}
            explanation={t`Individual people, by their id on the chat platform. A role counts while they are members of the guild.`}
            empty={t`Nobody has been invited yet.`}
            grants={peopleOf(roles)}
            addButton={
              <AddButton onClick={() => setWork({ what: 'add', kind: 'people' })}>
                <Trans>Invite somebody</Trans>
              </AddButton>
            }
            onEdit={onWork('edit')}
            onRemove={onWork('remove')}
          />
          <OtherPeople guildId={guild.guildId} people={roles.others} />
          <GrantSection
            guildId={guild.guildId}
            title={t`Chat roles`}
            explanation={t`Everybody who has one of these roles on the chat platform has the role here too.`}
            empty={t`No chat role stands for a role here yet.`}
            grants={chatRolesOf(roles)}
            addButton={
              <AddButton onClick={() => setWork({ what: 'add', kind: 'chat-roles' })}>
                <Trans>Add a chat role</Trans>
              </AddButton>
            }
            onEdit={onWork('edit')}
            onRemove={onWork('remove')}
          />
          <InvitationSection
            guild={guild}
            invitations={roles.invitations}
            addButton={
              <AddButton onClick={() => setWork({ what: 'link' })}>
                <Trans>Make a link</Trans>
              </AddButton>
            }
          />
          {work?.what === 'link' && <InvitationDialog guild={guild} onClose={close} />}
          {work?.what === 'add' && <GrantDialog guild={guild} kind={work.kind} onClose={close} />}
          {work?.what === 'edit' && (
            <GrantDialog guild={guild} kind={work.grant.kind} grant={work.grant} onClose={close} />
          )}
          {work?.what === 'remove' && <RemoveDialog guild={guild} grant={work.grant} onClose={close} />}
        </>
      )}
    </Loaded>
  );
}

/** The form that was open when the session ended. */
function useDraftedWork(): Work | undefined {
  const hasPerson = useHasDraft(grantFormId('people', undefined));
  const hasChatRole = useHasDraft(grantFormId('chat-roles', undefined));
  if (hasPerson) return { what: 'add', kind: 'people' };
  return hasChatRole ? { what: 'add', kind: 'chat-roles' } : undefined;
}

function peopleOf({ people }: Roles): Grant[] {
  return people.map(({ chatId, name, role, invitedBy, createdAt }) => ({
    kind: 'people',
    id: chatId,
    name: name ?? unknownMember(),
    label: name ?? `${unknownMember()} ${chatId}`,
    role,
    given: { at: createdAt, by: invitedBy.name ?? unknownMember(), byId: invitedBy.id },
  }));
}

function chatRolesOf({ chatRoles }: Roles): Grant[] {
  return chatRoles.map(({ chatRoleId, name, role }) => ({
    kind: 'chat-roles',
    id: chatRoleId,
    name,
    label: name,
    role,
  }));
}

function AddButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button variant="default" leftSection={<IconPlus size={16} stroke={2} />} onClick={onClick}>
      {children}
    </Button>
  );
}

function RoleLegend() {
  return (
    <Notice tone="info" title={t`Three roles, each with what the one before may do`}>
      <dl className={classes.legend}>
        {Object.values(roleTexts()).map(({ label, explanation }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{explanation}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.quiet}>
        <Trans>
          Creating and rotating keys, loosening their limits and adding managers always require the right to
          manage the guild on the chat platform.
        </Trans>
      </p>
    </Notice>
  );
}

interface GrantSectionProps {
  guildId: string;
  title: string;
  explanation: string;
  empty: string;
  grants: Grant[];
  addButton: ReactNode;
  onEdit: (grant: Grant) => void;
  onRemove: (grant: Grant) => void;
}

function GrantSection(props: GrantSectionProps) {
  const { guildId, title, explanation, empty, grants, addButton, onEdit, onRemove } = props;
  const nowMs = useNow();
  return (
    <section className={classes.section} aria-label={title}>
      <div className={classes.head}>
        <div>
          <h2 className={classes.title}>{title}</h2>
          <p className={classes.quiet}>{explanation}</p>
        </div>
        {addButton}
      </div>
      {grants.length === 0 ? (
        <p className={classes.empty}>{empty}</p>
      ) : (
        <ul className={classes.list}>
          {grants.map((grant) => (
            <li key={grant.id} className={classes.row}>
              {grant.kind === 'people' && (
                <PersonMark
                  guildId={guildId}
                  chatId={grant.id}
                  name={grant.name === unknownMember() ? '' : grant.name}
                />
              )}
              <span className={classes.name}>
                <bdi>
                  <Breakable>{grant.name}</Breakable>
                </bdi>
                <code className={classes.id}>{grant.id}</code>
                {grant.given && (
                  <span className={classes.since}>
                    <Trans>
                      Given <Moment at={grant.given.at} nowMs={nowMs} /> by{' '}
                      <bdi title={t`Chat id ${grant.given.byId}`}>{grant.given.by}</bdi>
                    </Trans>
                  </span>
                )}
              </span>
              <Tag>{roleTexts()[grant.role].label}</Tag>
              <span className={classes.actions}>
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={t`Change the role of ${grant.label}`}
                  onClick={() => onEdit(grant)}
                >
                  <Trans>Change</Trans>
                </Button>
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={t`Remove ${grant.label}`}
                  onClick={() => onRemove(grant)}
                >
                  <Trans>Remove</Trans>
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
