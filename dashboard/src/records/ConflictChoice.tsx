import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Radio } from '@mantine/core';
import { useState } from 'react';
import type { RecordBody } from '../api/records.ts';
import { DialogButtons } from '../components/DialogButtons.tsx';
import { Notice } from '../components/Notice.tsx';
import { shortDay } from '../components/record-days.ts';
import classes from './RecordDialog.module.css';
import type { RecordKind } from './record-kinds.ts';
import { type Difference, type FieldName, mergeRecord, type Side } from './record-merge.ts';

interface ConflictChoiceProps {
  kind: RecordKind;
  mine: RecordBody;
  differences: Difference[];
  isSaving: boolean;
  onSave: (merged: RecordBody) => void;
  onCancel: () => void;
}

/** Shows both versions of a record that two people changed at the same time, to choose one per field. */
export function ConflictChoice({ kind, mine, differences, isSaving, onSave, onCancel }: ConflictChoiceProps) {
  const [choices, setChoices] = useState<Partial<Record<FieldName, Side>>>({});
  return (
    <div className={classes.form}>
      <Notice tone="warning" title={kind.texts.changedMeanwhile} isAnnounced>
        {differences.length === 0
          ? t`It holds exactly what you entered.`
          : t`Nothing of yours is saved yet. Choose what each field is to hold.`}
      </Notice>
      {differences.map((difference) => (
        <Choice
          key={difference.name}
          difference={difference}
          value={choices[difference.name] ?? difference.likely}
          onChange={(side) => setChoices({ ...choices, [difference.name]: side })}
        />
      ))}
      <DialogButtons>
        <Button variant="default" onClick={onCancel}>
          <Trans>Discard my changes</Trans>
        </Button>
        <Button
          loading={isSaving}
          onClick={() => onSave(mergeRecord(mine, differences, choices))}
          data-autofocus
        >
          <Trans>Save this choice</Trans>
        </Button>
      </DialogButtons>
    </div>
  );
}

interface ChoiceProps {
  difference: Difference;
  value: Side;
  onChange: (side: Side) => void;
}

function Choice({ difference, value, onChange }: ChoiceProps) {
  const { name, label, mine, theirs } = difference;
  const shown = (text: string) => {
    if (text.trim() === '')
      return (
        <em>
          <Trans>Empty</Trans>
        </em>
      );
    return <bdi>{name === 'date' ? `${shortDay(text)} (${text})` : text}</bdi>;
  };
  return (
    <Radio.Group
      label={label}
      value={value}
      onChange={(side) => onChange(side === 'theirs' ? 'theirs' : 'mine')}
    >
      <div className={classes.sides}>
        <Radio value="theirs" label={t`Saved by somebody else`} description={shown(theirs)} />
        <Radio value="mine" label={t`Yours`} description={shown(mine)} />
      </div>
    </Radio.Group>
  );
}
