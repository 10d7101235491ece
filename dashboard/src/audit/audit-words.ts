import { t } from '@lingui/core/macro';
import { disabledReasonText } from '../access/webhook-texts.ts';
import type { Actor, AuditAction, AuditEntry, AuditKind } from '../api/audit.ts';
import { listText } from '../components/language-formats.ts';
import { lazily } from '../components/lazily.ts';
import { formatSigned } from '../components/money.ts';
import {
  acceptedSentence,
  invitationSentences,
  type Sentence,
  type SentenceNames,
  sentences,
  switchedOffSentence,
} from './audit-sentences.ts';
import { valueText } from './audit-values.ts';
import { fieldLabel } from './field-label.ts';

// The texts that describe the entries of the log.

export const kindLabels = lazily(
  (): Record<AuditKind, string> => ({
    guild: t`The guild`,
    key: t`Keys`,
    discharge: t`Discharges`,
    transfer: t`Transfers`,
    transaction: t`Transactions`,
    account: t`Accounts`,
    verification: t`Verifications`,
    commands: t`Commands`,
    webhook: t`Webhooks`,
    role: t`Roles`,
  }),
);

export const actionLabels = lazily(
  (): Record<AuditAction, string> => ({
    create: t`Added`,
    update: t`Changed`,
    delete: t`Deleted`,
  }),
);

/** True when the service itself made a change: it disables webhooks whose deliveries fail. Operators have no name. */
function isService({ kind, name }: Actor): boolean {
  return kind === 'operator' && name !== null;
}

/** The name of an actor. */
export function actorName({ kind, id, name }: Actor): string {
  switch (kind) {
    case 'user':
      return name ?? t`Chat account ${id}`;
    case 'key':
      return t`The key ${name ?? id}`;
    case 'bot':
      return name ?? t`The operator’s bot`;
    case 'operator':
      return name ?? t`The operator`;
  }
}

/** A detail that distinguishes two actors with the same name. */
export function actorDetail(actor: Actor): string {
  const { kind, id } = actor;
  switch (kind) {
    case 'user':
      return t`Chat account ${id}`;
    case 'key':
      return t`API key ${id}`;
    case 'bot':
      return t`The operator’s bot, through /bot`;
    case 'operator':
      return isService(actor) ? t`The service itself` : t`On the command line of the service`;
  }
}

/** The actor as addresses and the service write it: `user:4711`. */
export function actorText({ kind, id }: Actor): string {
  return `${kind}:${id}`;
}

/** A part of a sentence: one of its names, or the words between them. */
export interface SentencePart {
  name?: keyof SentenceNames;
  text: string;
}

export interface AuditSentence extends SentenceNames {
  parts: SentencePart[];
  /** The changed fields of an update, or the amount of a post; empty for other entries. */
  changes: string;
}

const namedFieldsMax = 4;

/** "Robin changed the discharge D-12 of Rowan", in parts, and "reason, signed". */
export function auditSentence(entry: AuditEntry): AuditSentence {
  const { actor, action, subject, after } = entry;
  const who = actorName(actor);
  if (subject.kind === 'role' && subject.id.startsWith('invitation ')) {
    return sentenceOf(invitationSentences()[action], { who, what: '', whose: '' }, '');
  }
  if (subject.kind === 'role' && textIn(after.invitation) !== '') {
    return sentenceOf(acceptedSentence(textIn(after.role)), { who, what: textIn(after.role), whose: '' }, '');
  }
  const names = { who, ...subjectWords(entry) };
  if (isService(actor))
    return sentenceOf(switchedOffSentence, names, disabledReasonText(textIn(after.disabledReason)));
  const changes = action === 'update' ? listChanges(changedFields(entry)) : moneyOf(entry);
  return sentenceOf(sentences()[subject.kind][action], names, changes);
}

/** Characters for private use stand for the names until the sentence is split into its parts. */
const marks = { who: '\ue000', what: '\ue001', whose: '\ue002' } as const;
const markNames = new Map<string, keyof SentenceNames>([
  [marks.who, 'who'],
  [marks.what, 'what'],
  [marks.whose, 'whose'],
]);

function sentenceOf(sentence: Sentence, names: SentenceNames, changes: string): AuditSentence {
  const text = sentence({ ...marks, whose: names.whose === '' ? '' : marks.whose });
  const parts = text
    .split(/([\ue000-\ue002])/)
    .filter((part) => part !== '')
    .map((part): SentencePart => {
      const name = markNames.get(part);
      return name === undefined ? { text: part } : { name, text: names[name] };
    });
  return { ...names, parts, changes };
}

/**
 * The subject and its owner. The name in the entry takes precedence, because it is the name at the time of the
 * change.
 */
function subjectWords({ subject, before, after }: AuditEntry): Pick<SentenceNames, 'what' | 'whose'> {
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
  const shown = (text: string | undefined) => (text === undefined || text === '' ? t`empty` : text);
  const values = `${shown(only.before)} → ${shown(only.after)}`;
  return values.length > valueLengthMax || values.includes('\n') ? only.label : `${only.label} ${values}`;
}

/** The posted amount and the player. */
function moneyOf({ subject, action, after }: AuditEntry): string {
  const total = textIn(after.total);
  if (subject.kind !== 'transaction' || action !== 'create' || total === '') return '';
  const [amount, player] = [formatSigned(total), textIn(after.playerId)];
  return subject.person === null ? t`${amount} for player ${player}` : t`${amount} for ${subject.person}`;
}

function listFields(labels: string[]): string {
  if (labels.length <= namedFieldsMax) return listText(labels);
  return listText(labels.slice(0, namedFieldsMax - 1), labels.length - namedFieldsMax + 1);
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

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The text of the link to the subject. */
export const subjectLinks = lazily(
  (): Record<AuditKind, string> => ({
    guild: t`Show the guild`,
    key: t`Show the keys`,
    discharge: t`Show the discharge`,
    transfer: t`Show the transfer`,
    transaction: t`Show the player’s ledger`,
    account: t`Show the player’s ledger`,
    verification: t`Show the person`,
    commands: t`Show the commands`,
    webhook: t`Show the webhook`,
    role: t`Show the roles`,
  }),
);

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
