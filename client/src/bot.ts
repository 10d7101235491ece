import { path, query as queryText } from './address.ts';
import type { CallOptions } from './calls.ts';
import { listOf } from './check-shape.ts';
import { wasThere } from './guild-records.ts';
import { importBatches } from './import.ts';
import { type BotOptions, readBotOptions } from './options.ts';
import { type Answer, expectShape, readField, unexpectedAnswer } from './parse-response.ts';
import { sendWithRetries } from './retry.ts';
import type {
  BotCommand,
  Discharge,
  Guild,
  ImportedDischarge,
  ImportedTransaction,
  ImportedTransfer,
  ImportedVerification,
  ImportLine,
  PutDischargeBody,
  PutGuildBody,
  PutTransferBody,
  PutVerificationBody,
  Transfer,
  Verification,
} from './schema.ts';
import type { Request } from './send.ts';
import { isBotCommand, isDischarge, isGuild, isImportLine, isTransfer, isVerification } from './shapes.ts';

/** The kinds that can be imported, each with the type of one record. Commands are replaced as a whole instead. */
export interface ImportKind {
  discharges: ImportedDischarge;
  transfers: ImportedTransfer;
  verifications: ImportedVerification;
  transactions: ImportedTransaction;
}

export interface ImportOptions extends CallOptions {
  /** The guild of all records without a guildId. */
  guildId?: string | undefined;
}

export interface CommandCatalogue {
  commands: BotCommand[];
  /** The tag of this catalogue. Pass it as `ifMatch`, so that a replacement does not undo somebody else's change. */
  etag: string;
}

export interface ReplaceCommandsOptions extends CallOptions {
  /** Replaces only while the catalogue still has this tag; fails with `conflict` otherwise. */
  ifMatch?: string | undefined;
}

/** The calls of the operator's own bot, for all guilds. Every call may be repeated: the second one changes nothing. */
export interface GuildbookBot {
  listGuilds(options?: CallOptions): Promise<Guild[]>;
  getGuild(guildId: string, options?: CallOptions): Promise<Guild>;
  /** Creates the guild, or changes the given fields. `null` clears a field, a missing field stays. */
  setGuild(guildId: string, guild: PutGuildBody, options?: CallOptions): Promise<Guild>;
  putDischarge(
    guildId: string,
    dischargeId: string,
    discharge: PutDischargeBody,
    options?: CallOptions,
  ): Promise<Discharge>;
  /**
   * Writes a discharge under a new id, which is generated here, so that a repeated attempt does not write a second
   * one.
   */
  addDischarge(guildId: string, discharge: PutDischargeBody, options?: CallOptions): Promise<Discharge>;
  /** Resolves with false when there was no such discharge. */
  deleteDischarge(guildId: string, dischargeId: string, options?: CallOptions): Promise<boolean>;
  putTransfer(
    guildId: string,
    transferId: string,
    transfer: PutTransferBody,
    options?: CallOptions,
  ): Promise<Transfer>;
  /**
   * Writes a transfer under a new id, which is generated here, so that a repeated attempt does not write a second
   * one.
   */
  addTransfer(guildId: string, transfer: PutTransferBody, options?: CallOptions): Promise<Transfer>;
  /** Resolves with false when there was no such transfer. */
  deleteTransfer(guildId: string, transferId: string, options?: CallOptions): Promise<boolean>;
  /** Links a chat account to a game account. The service moves the previous game account into `pastUsers`. */
  verifyUser(chatId: string, verification: PutVerificationBody, options?: CallOptions): Promise<Verification>;
  /** Deletes a verification with its past accounts. Resolves with false when there was none. */
  forgetUser(chatId: string, options?: CallOptions): Promise<boolean>;
  readCommands(options?: CallOptions): Promise<CommandCatalogue>;
  /** Replaces the whole catalogue. */
  replaceCommands(commands: BotCommand[], options?: ReplaceCommandsOptions): Promise<CommandCatalogue>;
  /**
   * Imports any number of records in batches, and yields the result of each in their order; `line` counts from 1. A
   * reported record is on disk. Importing the same records again completes an interrupted import.
   */
  importRecords<Name extends keyof ImportKind>(
    kind: Name,
    records: Iterable<ImportKind[Name]> | AsyncIterable<ImportKind[Name]>,
    options?: ImportOptions,
  ): AsyncIterable<ImportLine>;
}

/**
 * Creates a client for the operator's bot. It holds no connection and needs no closing; the token cannot be read from
 * it.
 */
export function createBotClient(options: BotOptions): GuildbookBot {
  const settings = readBotOptions(options);
  const createId = options.createId ?? (() => crypto.randomUUID());
  const send = (request: Request) => sendWithRetries(request, settings);
  const get = (address: string, { signal }: CallOptions = {}) =>
    send({ method: 'GET', path: address, signal });
  const put = (address: string, body: object, { signal }: CallOptions = {}) =>
    send({ method: 'PUT', path: address, body: JSON.stringify(body), signal });
  const remove = (address: string, { signal }: CallOptions = {}) =>
    wasThere(send({ method: 'DELETE', path: address, signal }));

  const bot: GuildbookBot = {
    async listGuilds(callOptions) {
      return readField(await get('/bot/guilds', callOptions), 'data', listOf(isGuild));
    },
    async getGuild(guildId, callOptions) {
      return readField(await get(path`/bot/guilds/${guildId}`, callOptions), 'data', isGuild);
    },
    async setGuild(guildId, guild, callOptions) {
      return readField(await put(path`/bot/guilds/${guildId}`, guild, callOptions), 'data', isGuild);
    },
    async putDischarge(guildId, dischargeId, discharge, callOptions) {
      const address = path`/bot/guilds/${guildId}/discharges/${dischargeId}`;
      return readField(await put(address, discharge, callOptions), 'data', isDischarge);
    },
    addDischarge: (guildId, discharge, callOptions) =>
      bot.putDischarge(guildId, createId(), discharge, callOptions),
    deleteDischarge: async (guildId, dischargeId, callOptions) =>
      remove(path`/bot/guilds/${guildId}/discharges/${dischargeId}`, callOptions),
    async putTransfer(guildId, transferId, transfer, callOptions) {
      const address = path`/bot/guilds/${guildId}/transfers/${transferId}`;
      return readField(await put(address, transfer, callOptions), 'data', isTransfer);
    },
    addTransfer: (guildId, transfer, callOptions) =>
      bot.putTransfer(guildId, createId(), transfer, callOptions),
    deleteTransfer: async (guildId, transferId, callOptions) =>
      remove(path`/bot/guilds/${guildId}/transfers/${transferId}`, callOptions),
    async verifyUser(chatId, verification, callOptions) {
      const answer = await put(path`/bot/users/${chatId}`, verification, callOptions);
      return readField(answer, 'data', isVerification);
    },
    forgetUser: async (chatId, callOptions) => remove(path`/bot/users/${chatId}`, callOptions),
    async readCommands(callOptions) {
      return readCatalogue(await get('/bot/commands', callOptions));
    },
    async replaceCommands(commands, { ifMatch, signal } = {}) {
      const body = JSON.stringify(commands);
      return readCatalogue(await send({ method: 'PUT', path: '/bot/commands', body, ifMatch, signal }));
    },
    importRecords(kind, records, { guildId, signal } = {}) {
      const address = path`/bot/import/${kind}` + queryText({ guild: guildId });
      const sendLines = async (body: string) => {
        const answer = await send({ method: 'POST', path: address, body, hasLines: true, signal });
        return { lines: expectShape(answer, answer.body, listOf(isImportLine)), answer };
      };
      return { [Symbol.asyncIterator]: () => importBatches(records, sendLines) };
    },
  };
  return bot;
}

function readCatalogue(answer: Answer): CommandCatalogue {
  const etag = answer.headers.get('etag');
  if (etag === null) {
    throw unexpectedAnswer(answer);
  }
  return { commands: readField(answer, 'data', listOf(isBotCommand)), etag };
}
