import type { Actor, AuditAction, AuditEntry, AuditKind } from '../api/audit.ts';
import { formatSigned } from '../components/money.ts';
import { exactMoment } from '../components/time.ts';

// The texts that describe the entries of the log.

type Verbs = Record<AuditAction, string>;

const recordVerbs = (noun: string): Verbs => ({
  create: `added the ${noun}`,
  update: `changed the ${noun}`,
  delete: `deleted the ${noun}`,
});

const verbs: Record<AuditKind, Verbs> = {
  discharge: recordVerbs('discharge'),
  transfer: recordVerbs('transfer'),
  key: { ...recordVerbs('key'), create: 'made the key' },
  transaction: { ...recordVerbs('transaction'), create: 'posted the transaction' },
  account: {
    create: 'opened the account of',
    update: 'changed the account of',
    delete: 'closed the account of',
  },
  guild: { create: 'set up the guild', update: 'changed the guild', delete: 'removed the guild' },
  verification: recordVerbs('verification of'),
  role: { create: 'gave a role to', update: 'changed the role of', delete: 'took the role from' },
  commands: {
    create: 'added the command catalogue',
    update: 'changed the command catalogue',
    delete: 'deleted the command catalogue',
  },
  webhook: recordVerbs('webhook'),
};

const invitationVerbs: Verbs = {
  create: 'made an invitation link',
  update: 'changed an invitation link',
  delete: 'withdrew an invitation link',
};

export const kindLabels: Record<AuditKind, string> = {
  guild: 'The guild',
  key: 'Keys',
  discharge: 'Discharges',
  transfer: 'Transfers',
  transaction: 'Transactions',
  account: 'Accounts',
  verification: 'Verifications',
  commands: 'Commands',
  webhook: 'Webhooks',
  role: 'Roles',
};

export const actionLabels: Record<AuditAction, string> = {
  create: 'Added',
  update: 'Changed',
  delete: 'Deleted',
};

/** True when the service itself made a change: it disables webhooks whose deliveries fail. Operators have no name. */
function isService({ kind, name }: Actor): boolean {
  return kind === 'operator' && name !== null;
}

/** The name of an actor. */
export function actorName({ kind, id, name }: Actor): string {
  switch (kind) {
    case 'user':
      return name ?? `Chat account ${id}`;
    case 'key':
      return `The key ${name ?? id}`;
    case 'bot':
      return name ?? 'The operator’s bot';
    case 'operator':
      return name ?? 'The operator';
  }
}

/** A detail that distinguishes two actors with the same name. */
export function actorDetail(actor: Actor): string {
  const { kind, id } = actor;
  switch (kind) {
    case 'user':
      return `Chat account ${id}`;
    case 'key':
      return `API key ${id}`;
    case 'bot':
      return 'The operator’s bot, through /bot';
    case 'operator':
      return isService(actor) ? 'The service itself' : 'On the command line of the service';
  }
}

/** The actor as addresses and the service write it: `user:4711`. */
export function actorText({ kind, id }: Actor): string {
  return `${kind}:${id}`;
}

export interface Sentence {
  who: string;
  did: string;
  /** The subject of the change; empty when the verb already names it. */
  what: string;
  /** The owner of the record, when the entry has one. */
  whose: string;
  /** The changed fields of an update, or the amount of a post; empty for other entries. */
  changes: string;
}

const namedFieldsMax = 4;

/** "Robin" "changed the discharge" "D-12" "of Rowan" "reason, signed". */
export function auditSentence(entry: AuditEntry): Sentence {
  const { actor, action, subject, after } = entry;
  if (subject.kind === 'role' && subject.id.startsWith('invitation ')) {
    return { who: actorName(actor), did: invitationVerbs[action], what: '', whose: '', changes: '' };
  }
  if (subject.kind === 'role' && textIn(after.invitation) !== '') {
    const what = textIn(after.role);
    return { who: actorName(actor), did: 'accepted an invitation as', what, whose: '', changes: '' };
  }
  if (isService(actor)) {
    const changes = textIn(after.disabledReason);
    return { who: actorName(actor), did: 'switched off the webhook', ...subjectWords(entry), changes };
  }
  return {
    who: actorName(actor),
    did: verbs[subject.kind][action],
    ...subjectWords(entry),
    changes: action === 'update' ? listChanges(changedFields(entry)) : moneyOf(entry),
  };
}

/**
 * The subject and its owner. The name in the entry takes precedence, because it is the name at the time of the
 * change.
 */
function subjectWords({ subject, before, after }: AuditEntry): Pick<Sentence, 'what' | 'whose'> {
  const name = textIn(after.name) || textIn(before.name);
  switch (subject.kind) {
    case 'guild':
    case 'commands':
      return { what: '', whose: '' };
    case 'key':
    case 'transaction':
      return { what: name || subject.id, whose: '' };
    case 'account':
      return { what: subject.person ?? subject.id, whose: '' };
    case 'verification':
      return {
        what: textIn(after.username) || textIn(before.username) || (subject.person ?? subject.id),
        whose: '',
      };
    case 'discharge':
    case 'transfer':
      return { what: subject.id, whose: name || (subject.person ?? '') };
    case 'role':
      return { what: name || (subject.person ?? subject.id), whose: '' };
    case 'webhook':
      return { what: hostIn(textIn(after.url) || textIn(before.url)) || subject.id, whose: '' };
  }
}

/** The host of an address; empty for a text that is none. */
function hostIn(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}

const valueLengthMax = 40;

/** The changed fields as text. A single short field is shown with both values. */
function listChanges(fields: ChangedField[]): string {
  const [only] = fields;
  if (fields.length !== 1 || only === undefined) return listFields(fields.map(({ label }) => label));
  const shown = (text: string | undefined) => (text === undefined || text === '' ? 'empty' : text);
  const values = `${shown(only.before)} → ${shown(only.after)}`;
  return values.length > valueLengthMax || values.includes('\n') ? only.label : `${only.label} ${values}`;
}

/** The posted amount and the player. */
function moneyOf({ subject, action, after }: AuditEntry): string {
  const total = textIn(after.total);
  if (subject.kind !== 'transaction' || action !== 'create' || total === '') return '';
  return `${formatSigned(total)} for ${subject.person ?? `player ${textIn(after.playerId)}`}`;
}

function listFields(labels: string[]): string {
  if (labels.length <= namedFieldsMax) return labels.join(', ');
  const rest = labels.length - namedFieldsMax + 1;
  return `${labels.slice(0, namedFieldsMax - 1).join(', ')} and ${rest} more`;
}

export interface ChangedField {
  name: string;
  label: string;
  /** Undefined when the record did not have the field before, or no longer has it. */
  before: string | undefined;
  after: string | undefined;
}

/** The changed fields with their values before and after. The id of the record's guild is left out. */
export function changedFields({ subject, before, after }: AuditEntry): ChangedField[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const shown = names.filter((name) => name !== 'guildId' || subject.kind === 'guild');
  return shown.map((name) => ({
    name,
    label: fieldLabel(name),
    before: Object.hasOwn(before, name) ? valueText(name, before[name]) : undefined,
    after: Object.hasOwn(after, name) ? valueText(name, after[name]) : undefined,
  }));
}

const labels: Readonly<Record<string, string>> = {
  pastUsers: 'past accounts',
  username: 'user name',
  signed: 'signed by',
  tag: 'version',
  chatCommandsOff: 'chat commands switched off',
  chatMembersPay: 'members pay one another in the chat',
  chatPaidInDay: 'most that a member pays in a day',
  chatBalancesShown: 'balances of others in the chat',
  boardName: 'name of the board',
  boardPublished: 'board published',
  boardNames: 'names on the board',
  boardLeaderboard: 'leaderboard on the board',
  boardTotals: 'totals on the board',
  boardChart: 'chart on the board',
  boardMovesFrom: 'smallest move on the board',
  boardCommands: 'commands on the board',
};

/** "expiresAtMs" as "expires at": the unit is left out. */
export function fieldLabel(name: string): string {
  const known = Object.hasOwn(labels, name) ? labels[name] : undefined;
  if (known !== undefined) return known;
  return name
    .replace(/Ms$/, '')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase();
}

function valueText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && name.endsWith('Ms')) return exactMoment(value);
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The text of the link to the subject. */
export const subjectLinks: Record<AuditKind, string> = {
  guild: 'Show the guild',
  key: 'Show the keys',
  discharge: 'Show the discharge',
  transfer: 'Show the transfer',
  transaction: 'Show the player’s ledger',
  account: 'Show the player’s ledger',
  verification: 'Show the person',
  commands: 'Show the commands',
  webhook: 'Show the webhook',
  role: 'Show the roles',
};

/**
 * The path of the page that shows the subject, below the guild's; undefined when there is none, or the subject was
 * deleted.
 */
export function subjectPath({ subject, action, after, before }: AuditEntry): string | undefined {
  const id = encodeURIComponent(subject.id);
  switch (subject.kind) {
    case 'discharge':
      return action === 'delete' ? undefined : `discharges?record=${id}`;
    case 'transfer':
      return action === 'delete' ? undefined : `transfers?record=${id}`;
    case 'key':
      return action === 'delete' ? undefined : 'keys';
    case 'transaction': {
      const playerId = textIn(after.playerId) || textIn(before.playerId);
      return playerId === '' ? undefined : `people/${encodeURIComponent(playerId)}`;
    }
    case 'account':
      return `people/${id}`;
    case 'verification':
      return action === 'delete' ? undefined : `people?query=${encodeURIComponent(`chat:${subject.id}`)}`;
    case 'role':
      return 'roles';
    case 'webhook':
      return action === 'delete' ? undefined : `webhooks/${id}`;
    case 'guild':
    case 'commands':
      return undefined;
  }
}
