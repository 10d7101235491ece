import type { Language } from '../../texts/language.ts';
import type { ChatTexts } from '../../texts/texts.ts';
import type { Role } from '../access/roles.ts';
import type { EntryStore } from '../ledger/entries.ts';
import type { GuildLedger } from '../ledger/guild-ledger.ts';
import type { GuildPosts } from '../ledger/guild-posts.ts';
import type { LedgerViewStore } from '../ledger/ledger-views.ts';
import type { BotCommand, Guild, GuildRef } from '../model.ts';
import type { GuildPeople } from '../people/guild-people.ts';
import type { Clock, LedgerStore, VerificationStore } from '../ports.ts';
import type { Commands } from '../records/commands.ts';
import type { Records } from '../records/records.ts';
import type { ChatCaller, ChatChoice, GivenOption, OptionValue } from './interaction.ts';
import type { ChatReply } from './reply.ts';
import type { ChatSettings, ChatStore } from './settings.ts';

/** The languages besides English in which commands have names. */
export const CHAT_LANGUAGES = ['de', 'fr', 'es', 'pt-BR', 'ja'] as const;
export type ChatLanguage = (typeof CHAT_LANGUAGES)[number];

/** A name as it is typed, and its description. */
export type Localized = Readonly<Record<ChatLanguage, readonly [name: string, description: string]>>;

export interface ChatOption {
  name: string;
  description: string;
  localized: Localized;
  kind: Exclude<GivenOption['kind'], 'other'>;
  isRequired?: boolean;
  /** Bounds of a number. */
  min?: number;
  max?: number;
  /** Bound of a text. */
  charactersMax?: number;
  /** Suggests values for the text that was typed so far. */
  suggest?: (call: ChatCall, typed: string, parts: ChatParts) => Promise<ChatChoice[]>;
}

/** A call of a command that is allowed and whose options fit their declarations. */
export interface ChatCall {
  interactionId: string;
  guild: Guild;
  caller: ChatCaller;
  settings: ChatSettings;
  /** The texts of replies, in the guild's language. */
  texts: ChatTexts;
  /** The caller's role in the dashboard, by the roles that they have now; undefined for none. */
  findRole(): Promise<Role | undefined>;
  options: ReadonlyMap<string, OptionValue>;
}

/** The press of a button. `values` are the texts that the reply put into its action. */
export interface ChatPress extends Omit<ChatCall, 'options'> {
  values: readonly string[];
}

/** The rules and stores behind the commands. */
export interface ChatParts {
  clock: Pick<Clock, 'nowMs'>;
  verificationStore: Pick<VerificationStore, 'find'>;
  entries: EntryStore;
  ledgerStore: Pick<LedgerStore, 'list'>;
  views: LedgerViewStore;
  records: Records;
  commands: Pick<Commands, 'list'>;
  /** The description of a command of the catalogue in a guild's language. */
  describeCommand: (command: BotCommand, language: Language | undefined) => string;
  guildPeople: Pick<GuildPeople, 'find'>;
  guildLedger: Pick<GuildLedger, 'correct' | 'reverse' | 'transaction'>;
  guildPosts: Pick<GuildPosts, 'pay'>;
  chatStore: ChatStore;
  /** The receipt of a transaction of the sealed ledger. Rejects with `not_sealed_yet` for a few seconds after the post. */
  receiptText: (guild: GuildRef, transactionId: string) => Promise<string>;
  /** The address under which people reach the service; undefined when it is not known. */
  publicOrigin: () => string | undefined;
}

/** Everything about a command: its registration, its right, its texts and its code. */
export interface ChatCommand {
  name: string;
  description: string;
  localized: Localized;
  options: readonly ChatOption[];
  /** The role that the caller needs in the dashboard; undefined for everyone. */
  role?: Role;
  run(call: ChatCall, parts: ChatParts): Promise<ChatReply>;
  /** The buttons of its replies, by the first word of their actions. */
  buttons?: Readonly<Record<string, (press: ChatPress, parts: ChatParts) => Promise<ChatReply>>>;
}

/** The values of options, whose kinds the dispatcher has checked. */
export function textOf({ options }: Pick<ChatCall, 'options'>, name: string): string | undefined {
  const value = options.get(name);
  return typeof value === 'string' ? value : undefined;
}

export function numberOf({ options }: Pick<ChatCall, 'options'>, name: string): number | undefined {
  const value = options.get(name);
  return typeof value === 'number' ? value : undefined;
}

export function isSet({ options }: Pick<ChatCall, 'options'>, name: string): boolean {
  return options.get(name) === true;
}
