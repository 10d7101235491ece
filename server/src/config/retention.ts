import type { RetentionDays } from '../domain/retention/retention.ts';
import type { Setting } from './setting.ts';
import { integer, integerOrOff } from './values.ts';

/** The settings that say how long rows are kept. */
export const RETENTION_SETTINGS: { readonly [Field in keyof RetentionDays]: Setting<RetentionDays[Field]> } =
  {
    idempotencyDays: {
      name: 'IDEMPOTENCY_DAYS',
      defaultText: '400',
      doc: 'How many days an idempotency key is remembered after its post. A request with an older key is a new one and is posted again. Give every instance the same value.',
      form: 'integer from 30 to 36500',
      parse: integer({ min: 30, max: 36_500 }),
    },
    auditDays: {
      name: 'AUDIT_DAYS',
      defaultText: 'off',
      doc: 'How many days entries of the audit logs are kept; off keeps them for good. The last entry of each log always stays.',
      form: 'integer from 30 to 36500, or off',
      parse: integerOrOff({ min: 30, max: 36_500 }),
    },
    webhookAttemptDays: {
      name: 'WEBHOOK_ATTEMPT_DAYS',
      defaultText: '30',
      doc: 'How many days the results of webhook deliveries are kept. Of each webhook the last 200 are kept at most.',
      form: 'integer from 1 to 30',
      parse: integer({ min: 1, max: 30 }),
    },
    sessionDays: {
      name: 'SESSION_DAYS',
      defaultText: '0',
      doc: 'How many days the row of an expired session of the dashboard is kept. With 0 the next sign-in of anybody removes it.',
      form: 'integer from 0 to 366',
      parse: integer({ min: 0, max: 366 }),
    },
  };
