import { DomainError } from '../errors.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Change, GuildRef } from '../model.ts';

/** The parts of a guild's public page. A part that is off is neither read nor sent. */
export interface BoardParts {
  /** True when names of players and texts of transactions are shown. Otherwise the leaderboard has places only. */
  names: boolean;
  leaderboard: boolean;
  totals: boolean;
  chart: boolean;
  /** The smallest amount of the moves that are shown; undefined shows none. */
  movesMinUnits: number | undefined;
  commands: boolean;
}

/** The settings of a guild's public page. */
export interface BoardSettings extends BoardParts {
  isPublished: boolean;
}

/** A board with the name that is its address. */
export interface Board extends BoardSettings {
  name: string;
  guild: GuildRef;
}

/** The settings of a guild that has chosen none. */
export const USUAL_BOARD: BoardSettings = {
  isPublished: false,
  names: false,
  leaderboard: true,
  totals: true,
  chart: true,
  movesMinUnits: undefined,
  commands: false,
};

export interface BoardStore {
  find(guild: GuildRef): Promise<Board | undefined>;
  /** All boards, published or not, by name. */
  list(): Promise<Board[]>;
  /** The boards with these names, published or not, in no particular order. */
  findNamed(names: readonly string[]): Promise<Board[]>;
  /**
   * Stores a guild's board. The first call chooses its name: rejects with `board_name_taken` when another guild has it, also when both
   * choose it at the same moment. Rejects with `board_name_fixed` when the guild has chosen another name before.
   */
  set(guild: GuildRef, board: BoardSettings & { name: string }, change: Change): Promise<void>;
  /**
   * A number that changes with every change of any board, before the change is acknowledged. A change by another instance shows at most
   * one second later. NaN when it is unknown.
   */
  revision(): MaybePromise<number>;
}

const NAME = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/;

/** Names that would be taken for pages of the service or for its operator. */
const RESERVED: ReadonlySet<string> = new Set([
  'about',
  'account',
  'admin',
  'administrator',
  'api',
  'assets',
  'board',
  'boards',
  'bot',
  'chat',
  'dashboard',
  'discord',
  'docs',
  'embed',
  'favicon',
  'guild',
  'guildbook',
  'guilds',
  'health',
  'help',
  'index',
  'json',
  'login',
  'logout',
  'metrics',
  'moderator',
  'new',
  'null',
  'official',
  'openapi',
  'png',
  'receipt',
  'robots',
  'root',
  'seal',
  'security',
  'settings',
  'sign-in',
  'static',
  'status',
  'support',
  'system',
  'undefined',
  'www',
]);

/** True for a text that can be the name of a board. Others are never looked up. */
export function isBoardName(name: string): boolean {
  return NAME.test(name) && !RESERVED.has(name);
}

/** Refuses a text that cannot be the name of a board. */
export function requireBoardName(name: string): void {
  if (!NAME.test(name)) {
    throw new DomainError('invalid_input', {
      detail:
        'name must have 3 to 32 lower-case letters, digits and hyphens, and begin and end with a letter or digit',
    });
  }
  if (RESERVED.has(name)) {
    throw new DomainError('invalid_input', { detail: 'this name is reserved' });
  }
}
