import type { BaseLogger } from 'pino';
import type { GuildRoles } from '../../domain/access/guild-roles.ts';
import type { Guilds } from '../../domain/access/guilds.ts';
import type { PersonPreferences } from '../../domain/access/preferences.ts';
import type { SignIns } from '../../domain/access/sign-ins.ts';
import type { AuditLog } from '../../domain/audit-log.ts';
import type { GuildLedger } from '../../domain/ledger/guild-ledger.ts';
import type { LedgerHistory } from '../../domain/ledger/history.ts';
import type { GuildMembers } from '../../domain/people/guild-members.ts';
import type { GuildPeople } from '../../domain/people/guild-people.ts';
import type { GuildSearch } from '../../domain/people/guild-search.ts';
import type { Clock, RateLimiter } from '../../domain/ports.ts';
import type { Records } from '../../domain/records/records.ts';
import type { Webhooks } from '../../domain/webhooks/webhooks.ts';
import type { SessionAccessParts } from '../access/session.ts';
import type { ClientAddresses } from '../client-address.ts';
import type { Lifetimes } from '../lifetimes.ts';
import type { AddEndpoint } from '../pipeline.ts';
import type { CsvDownloads } from './csv-download.ts';

export interface DashboardParts extends SessionAccessParts {
  /** Undefined when no chat platform is configured. */
  signIns: SignIns | undefined;
  limiter: RateLimiter;
  clients: ClientAddresses;
  onRateLimited: (bucket: string) => void;
  keyLifetimeDaysMax: number;
  trustedProxies: readonly string[];
  guildLedger: GuildLedger;
  ledgerHistory: LedgerHistory;
  records: Records;
  guildPeople: GuildPeople;
  guildMembers: GuildMembers;
  guildSearch: GuildSearch;
  /** Whether guilds may change who is verified as whom. */
  editsVerifications: boolean;
  auditLog: AuditLog;
  guilds: Guilds;
  webhooks: Webhooks;
  /** The page of the try-out's chat channel. */
  channelUrl: string | undefined;
  guildRoles: GuildRoles;
  preferences: PersonPreferences;
  downloads: CsvDownloads;
  lifetimes: Lifetimes;
  clock: Clock;
  isStopping: () => boolean;
  logger: BaseLogger;
}

/** What each endpoint of the dashboard registers itself with. */
export interface DashboardScope {
  add: AddEndpoint;
  parts: DashboardParts;
}

/** What the routes of the dashboard have in common. */
export const SESSION_ROUTE = { access: 'session', errorShape: 'coded' } as const;
