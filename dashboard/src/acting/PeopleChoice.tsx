import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Input, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSession } from '../access/session-context.ts';
import { findRecipients, type Recipient } from '../api/posts.ts';
import { groupCount } from '../components/money.ts';
import { Notice } from '../components/Notice.tsx';
import { Segments } from '../components/Segments.tsx';
import classes from './Acting.module.css';
import { ChatRoleChoice } from './ChatRoleChoice.tsx';
import { PersonField } from './PersonField.tsx';
import { peopleMax, sortFound, splitNames, type UnclearText } from './payout-form.ts';

interface PeopleChoiceProps {
  guildId: string;
  /** `known` has those of the people whose balances have just been read. */
  onAdd: (playerIds: readonly string[], known?: readonly Recipient[]) => void;
  /** Texts of lists that wait for a decision. */
  unclear: readonly UnclearText[];
  onUnclear: (unclear: UnclearText[]) => void;
  error: ReactNode;
}

const ways = ['search', 'list', 'role'] as const;
type Way = (typeof ways)[number];

/** Adds people to a list: one after the other, many by a list of names and ids, or the members of a chat role. */
export function PeopleChoice({ guildId, onAdd, unclear, onUnclear, error }: PeopleChoiceProps) {
  const session = useSession();
  const [way, setWay] = useState<Way>('search');
  const [text, setText] = useState('');
  const finding = useMutation({
    mutationFn: (texts: string[]) => findRecipients(session, guildId, texts),
    onSuccess: (found, texts) => {
      const sorted = sortFound(texts, found);
      onAdd(sorted.playerIds, found.flat());
      onUnclear([...unclear.filter((one) => !texts.includes(one.text)), ...sorted.unclear]);
      setText('');
    },
  });
  const names = splitNames(text);
  const isTooMany = names.length > peopleMax;
  return (
    <div className={classes.people}>
      <Input.Wrapper label={t({ message: 'Who', context: 'people who are paid' })} labelElement="div">
        <Segments
          aria-label={t({ message: 'Who', context: 'people who are paid' })}
          fullWidth
          data={[
            { value: 'search', label: t`People` },
            { value: 'list', label: t`A list` },
            { value: 'role', label: t`A chat role` },
          ]}
          value={way}
          onChange={(value) => setWay(ways.find((one) => one === value) ?? 'search')}
        />
      </Input.Wrapper>
      {way === 'role' && <ChatRoleChoice guildId={guildId} onAdd={onAdd} error={error} />}
      {way === 'search' && (
        <PersonField
          id="payout-playerIds"
          guildId={guildId}
          label={t`Add a person`}
          playerId=""
          isForMany
          hasFocus
          error={error}
          onPick={(playerId) => playerId !== '' && onAdd([playerId])}
          onPasteText={(pasted) => {
            const many = splitNames(pasted);
            if (many.length < 2) return false;
            setWay('list');
            setText(pasted);
            return true;
          }}
        />
      )}
      {way === 'list' && (
        <>
          <Textarea
            id="payout-playerIds"
            label={t`Names or ids`}
            description={t`Player ids, chat ids or names: one on each line, or separated by commas.`}
            autosize
            minRows={3}
            maxRows={8}
            autoComplete="off"
            spellCheck={false}
            dir="auto"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={isTooMany ? t`At most ${peopleMax} at once; these are ${names.length}` : error}
          />
          <Button
            variant="default"
            className={classes.add ?? ''}
            loading={finding.isPending}
            disabled={names.length === 0 || isTooMany}
            onClick={() => finding.mutate(names)}
          >
            {names.length === 0 ? t`Add` : t`Add ${groupCount(names.length)}`}
          </Button>
        </>
      )}
      {finding.isError && (
        <Notice tone="danger" title={t`The people could not be looked up`} isAnnounced>
          {finding.error.message}
        </Notice>
      )}
      {unclear.length > 0 && <UnclearList unclear={unclear} onAdd={onAdd} onUnclear={onUnclear} />}
    </div>
  );
}

function UnclearList({
  unclear,
  onAdd,
  onUnclear,
}: Pick<PeopleChoiceProps, 'unclear' | 'onAdd' | 'onUnclear'>) {
  const leave = (text: string) => onUnclear(unclear.filter((one) => one.text !== text));
  return (
    <Notice
      tone="warning"
      title={plural(unclear.length, { one: 'One entry is not clear', other: '# entries are not clear' })}
      isAnnounced
    >
      <p>
        <Trans>Choose who is meant, or leave the entry out. Nothing is posted before that.</Trans>
      </p>
      <ul className={classes.unclear}>
        {unclear.map(({ text, candidates }) => (
          <li key={text}>
            <bdi className={classes.unclearText}>{text}</bdi>
            <span className={classes.text}>
              {candidates.length === 0 ? t`Nobody has this name or id` : t`Several people have this name`}
            </span>
            {candidates.map(({ playerId, name }) => (
              <Button
                key={playerId}
                variant="default"
                size="compact-sm"
                onClick={() => {
                  onAdd([playerId]);
                  leave(text);
                }}
              >
                {name ?? t`Not verified`} · {playerId}
              </Button>
            ))}
            <Button
              variant="subtle"
              size="compact-sm"
              color="gray"
              aria-label={t`Leave out ${text}`}
              onClick={() => leave(text)}
            >
              <Trans>Leave out</Trans>
            </Button>
          </li>
        ))}
      </ul>
      {unclear.length > 1 && (
        <Button variant="default" size="compact-sm" mt="xs" onClick={() => onUnclear([])}>
          <Trans>Leave all of them out</Trans>
        </Button>
      )}
    </Notice>
  );
}
