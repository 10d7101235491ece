import { t } from '@lingui/core/macro';
import type { AuditAction, AuditKind } from '../api/audit.ts';
import { lazily } from '../components/lazily.ts';

/** The names in a sentence: who made the change, what was changed, and whose record that is, or '' without one. */
export interface SentenceNames {
  who: string;
  what: string;
  whose: string;
}

export type Sentence = (names: SentenceNames) => string;

// Each sentence is a message of its own, because languages differ in the order of its words.

export const sentences = lazily(
  (): Record<AuditKind, Record<AuditAction, Sentence>> => ({
    discharge: {
      create: ({ who, what, whose }) =>
        whose === ''
          ? t`${who} added the discharge ${what}`
          : t`${who} added the discharge ${what} of ${whose}`,
      update: ({ who, what, whose }) =>
        whose === ''
          ? t`${who} changed the discharge ${what}`
          : t`${who} changed the discharge ${what} of ${whose}`,
      delete: ({ who, what, whose }) =>
        whose === ''
          ? t`${who} deleted the discharge ${what}`
          : t`${who} deleted the discharge ${what} of ${whose}`,
    },
    transfer: {
      create: ({ who, what, whose }) =>
        whose === ''
          ? t`${who} added the transfer ${what}`
          : t`${who} added the transfer ${what} of ${whose}`,
      update: ({ who, what, whose }) =>
        whose === ''
          ? t`${who} changed the transfer ${what}`
          : t`${who} changed the transfer ${what} of ${whose}`,
      delete: ({ who, what, whose }) =>
        whose === ''
          ? t`${who} deleted the transfer ${what}`
          : t`${who} deleted the transfer ${what} of ${whose}`,
    },
    key: {
      create: ({ who, what }) => t`${who} created the key ${what}`,
      update: ({ who, what }) => t`${who} changed the key ${what}`,
      delete: ({ who, what }) => t`${who} deleted the key ${what}`,
    },
    transaction: {
      create: ({ who, what }) => t`${who} posted the transaction ${what}`,
      update: ({ who, what }) => t`${who} changed the transaction ${what}`,
      delete: ({ who, what }) => t`${who} deleted the transaction ${what}`,
    },
    account: {
      create: ({ who, what }) => t`${who} opened the account of ${what}`,
      update: ({ who, what }) => t`${who} changed the account of ${what}`,
      delete: ({ who, what }) => t`${who} closed the account of ${what}`,
    },
    guild: {
      create: ({ who }) => t`${who} set up the guild`,
      update: ({ who }) => t`${who} changed the guild`,
      delete: ({ who }) => t`${who} removed the guild`,
    },
    verification: {
      create: ({ who, what }) => t`${who} added the verification of ${what}`,
      update: ({ who, what }) => t`${who} changed the verification of ${what}`,
      delete: ({ who, what }) => t`${who} deleted the verification of ${what}`,
    },
    role: {
      create: ({ who, what }) => t`${who} gave a role to ${what}`,
      update: ({ who, what }) => t`${who} changed the role of ${what}`,
      delete: ({ who, what }) => t`${who} took the role from ${what}`,
    },
    commands: {
      create: ({ who }) => t`${who} added the command catalogue`,
      update: ({ who }) => t`${who} changed the command catalogue`,
      delete: ({ who }) => t`${who} deleted the command catalogue`,
    },
    webhook: {
      create: ({ who, what }) => t`${who} added the webhook ${what}`,
      update: ({ who, what }) => t`${who} changed the webhook ${what}`,
      delete: ({ who, what }) => t`${who} deleted the webhook ${what}`,
    },
  }),
);

export const invitationSentences = lazily(
  (): Record<AuditAction, Sentence> => ({
    create: ({ who }) => t`${who} made an invitation link`,
    update: ({ who }) => t`${who} changed an invitation link`,
    delete: ({ who }) => t`${who} withdrew an invitation link`,
  }),
);

/** The sentence for a role of an invitation. */
export function acceptedSentence(role: string): Sentence {
  switch (role) {
    case 'viewer':
      return ({ who }) => t`${who} accepted an invitation as viewer`;
    case 'treasurer':
      return ({ who }) => t`${who} accepted an invitation as treasurer`;
    case 'manager':
      return ({ who }) => t`${who} accepted an invitation as manager`;
    default:
      return ({ who, what }) => t`${who} accepted an invitation as ${what}`;
  }
}

export const switchedOffSentence: Sentence = ({ who, what }) => t`${who} switched off the webhook ${what}`;
