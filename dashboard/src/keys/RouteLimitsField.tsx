import { ActionIcon, Button, Input, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Dialogs.module.css';
import { freeRoutes, type KeyRoute, type RouteLimitValue, routeTexts } from './route-limits.ts';

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
      label="Limits of routes"
      description="The largest number of requests to a route within a second or a minute. Without a row, only the ledger’s limit applies."
      error={error}
      labelElement="div"
    >
      <div className={classes.routes}>
        {value.map((row, index) => (
          <div key={row.route} className={classes.route}>
            <NativeSelect
              aria-label="Route"
              data={freeRoutes(value, row).map((route) => ({ value: route, label: routeTexts[route] }))}
              value={row.route}
              // The options are exactly these routes.
              onChange={(event) => change(index, { route: event.currentTarget.value as KeyRoute })}
            />
            <TextInput
              aria-label={`Requests of ${routeTexts[row.route]}`}
              inputMode="numeric"
              autoComplete="off"
              value={row.limit}
              onChange={(event) => change(index, { limit: event.currentTarget.value })}
            />
            <NativeSelect
              aria-label="In which time"
              data={[
                { value: 'minute', label: 'per minute' },
                { value: 'second', label: 'per second' },
              ]}
              value={row.per}
              onChange={(event) =>
                change(index, { per: event.currentTarget.value === 'second' ? 'second' : 'minute' })
              }
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove the limit of ${routeTexts[row.route]}`}
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
            Add a limit
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
