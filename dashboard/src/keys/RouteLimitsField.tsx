import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Input, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type KeyRoute, routeTexts } from '../access/route-limit-texts.ts';
import classes from './Dialogs.module.css';
import { freeRoutes, type RouteLimitValue } from './route-limits.ts';

interface RouteLimitsFieldProps {
  value: RouteLimitValue[];
  onChange: (value: RouteLimitValue[]) => void;
  error?: ReactNode;
}

/** Limits of single routes, one per row. */
export function RouteLimitsField({ value, onChange, error }: RouteLimitsFieldProps) {
  const [next] = freeRoutes(value);
  const change = (index: number, changed: Partial<RouteLimitValue>) =>
    onChange(value.map((row, at) => (at === index ? { ...row, ...changed } : row)));
  return (
    <Input.Wrapper
      label={t`Limits of routes`}
      description={t`The largest number of requests to a route within a second or a minute. Without a row, only the ledger’s limit applies.`}
      error={error}
      labelElement="div"
    >
      <div className={classes.routes}>
        {value.map((row, index) => (
          <div key={row.route} className={classes.route}>
            <NativeSelect
              aria-label={t`Route`}
              data={freeRoutes(value, row).map((route) => ({ value: route, label: routeTexts[route] }))}
              value={row.route}
              // The options are exactly these routes.
              onChange={(event) => change(index, { route: event.currentTarget.value as KeyRoute })}
            />
            <TextInput
              aria-label={t`Requests of ${routeTexts[row.route]}`}
              inputMode="numeric"
              autoComplete="off"
              value={row.limit}
              onChange={(event) => change(index, { limit: event.currentTarget.value })}
            />
            <NativeSelect
              aria-label={t`In which time`}
              data={[
                { value: 'minute', label: t`per minute` },
                { value: 'second', label: t`per second` },
              ]}
              value={row.per}
              onChange={(event) =>
                change(index, { per: event.currentTarget.value === 'second' ? 'second' : 'minute' })
              }
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t`Remove the limit of ${routeTexts[row.route]}`}
              onClick={() => onChange(value.filter((_, at) => at !== index))}
            >
              <IconTrash size={16} stroke={1.7} />
            </ActionIcon>
          </div>
        ))}
        {next !== undefined && (
          <Button
            variant="default"
            size="xs"
            className={classes.addRoute ?? ''}
            leftSection={<IconPlus size={14} stroke={2} />}
            onClick={() =>
              onChange([...value, { route: preferred(value, next), limit: '60', per: 'minute' }])
            }
          >
            <Trans>Add a limit</Trans>
          </Button>
        )}
      </div>
    </Input.Wrapper>
  );
}

/** A new limit starts with the look-up of people, which is the easiest to misuse and has no other limit. */
function preferred(value: readonly RouteLimitValue[], next: KeyRoute): KeyRoute {
  return value.some(({ route }) => route === 'getVerification') ? next : 'getVerification';
}
