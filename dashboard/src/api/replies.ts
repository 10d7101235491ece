import { checkMakers } from 'virtual:reply-checks/first';
import { t } from '@lingui/core/macro';
import type { Static } from 'typebox';
import type * as commands from '../../../server/src/wire/commands.ts';
import type * as dashboard from '../../../server/src/wire/dashboard.ts';
import type * as board from '../../../server/src/wire/dashboard-board.ts';
import type * as chat from '../../../server/src/wire/dashboard-chat.ts';
import type * as corrections from '../../../server/src/wire/dashboard-corrections.ts';
import type * as invitations from '../../../server/src/wire/dashboard-invitations.ts';
import type * as ledger from '../../../server/src/wire/dashboard-ledger.ts';
import type * as ownAccount from '../../../server/src/wire/dashboard-own-account.ts';
import type * as people from '../../../server/src/wire/dashboard-people.ts';
import type * as pictures from '../../../server/src/wire/dashboard-pictures.ts';
import type * as posts from '../../../server/src/wire/dashboard-posts.ts';
import type * as preferences from '../../../server/src/wire/dashboard-preferences.ts';
import type * as receipts from '../../../server/src/wire/dashboard-receipts.ts';
import type * as records from '../../../server/src/wire/dashboard-records.ts';
import type * as statements from '../../../server/src/wire/dashboard-statements.ts';
import type * as webhooks from '../../../server/src/wire/dashboard-webhooks.ts';
import type * as keyLog from '../../../server/src/wire/key-log.ts';

type Schemas = typeof commands &
  typeof dashboard &
  typeof board &
  typeof chat &
  typeof corrections &
  typeof invitations &
  typeof ledger &
  typeof ownAccount &
  typeof people &
  typeof pictures &
  typeof posts &
  typeof keyLog &
  typeof preferences &
  typeof receipts &
  typeof records &
  typeof statements &
  typeof webhooks;

/** The answers that the pages use, by the names of their wire schemas. */
export type ReplyName = Extract<keyof Schemas, `${string}Reply`>;

export type Reply<Name extends ReplyName> = Static<Schemas[Name]>;

/** The service answered with success, but the answer does not match the route's wire schema. */
export class UnexpectedReply extends Error {
  constructor(route: string) {
    super(t`The service answered in an unexpected way: ${route}. Please tell the operator of this service.`);
    this.name = 'UnexpectedReply';
  }
}

type Check = (answer: unknown) => boolean;

/** A function for each answer that compiles its check. Each module has a part of them. */
export type CheckMakers = Readonly<Partial<Record<ReplyName, () => Check>>>;

/** The checks of the answers that were read. */
const checks = new Map<ReplyName, Check>();

/** Returns the answer with its type. Throws when a field is missing or of another type; no defaults are filled in. */
export type ReplyReader<Name extends ReplyName> = (answer: unknown, route: string) => Reply<Name>;

/** The reader of an answer. It fails only when the script with its check cannot be loaded. */
export async function loadReader<Name extends ReplyName>(name: Name): Promise<ReplyReader<Name>> {
  const isExpected =
    checks.get(name) ?? makeCheck(name, checkMakers[name] ?? (await loadOtherChecks())[name]);
  checks.set(name, isExpected);
  return (answer, route) => {
    if (!isExpected(answer)) throw new UnexpectedReply(route);
    // The check is compiled from the schema that this type comes from.
    return answer as Reply<Name>;
  };
}

/** The checks of the answers that no first page reads. */
export async function loadOtherChecks(): Promise<CheckMakers> {
  return (await import('virtual:reply-checks/others')).checkMakers;
}

function makeCheck(name: ReplyName, make: (() => Check) | undefined): Check {
  if (make === undefined) throw new Error(`no module has the check of ${name}`);
  return make();
}
