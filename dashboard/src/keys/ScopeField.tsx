import { t } from '@lingui/core/macro';
import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Dialogs.module.css';
import { scopeTexts } from './scopes.ts';

interface ScopeFieldProps {
  id: string;
  value: string[];
  onChange: (value: string[]) => void;
  error: ReactNode;
}

export function ScopeField({ id, value, onChange, error }: ScopeFieldProps) {
  return (
    <Checkbox.Group
      label={t`Scopes`}
      description={t`What the key allows. Give it no more than its program needs.`}
      value={value}
      onChange={onChange}
      error={error}
      required
    >
      <div className={classes.scopes}>
        {scopeTexts().map(({ scope, label, explanation }, index) => (
          <Checkbox
            key={scope}
            id={index === 0 ? id : `${id}-${scope}`}
            value={scope}
            label={
              <>
                {label} <code className={classes.scopeCode}>{scope}</code>
              </>
            }
            description={explanation}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}
