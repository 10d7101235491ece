import type { ServerResponse } from 'node:http';
import { hasScope } from '../../domain/api-keys.ts';
import type { Principal } from '../../domain/model.ts';
import { type Body, commandsBody, dischargeBody, transferBody, verificationBody } from '../answer-text.ts';
import type { Endpoint } from '../endpoint.ts';
import { listCommands } from '../routes/commands.ts';
import { getDischarge, getTransfer } from '../routes/records.ts';
import { getVerification } from '../routes/users.ts';
import { createEntry } from './entry.ts';
import { createKeptBodies } from './kept-bodies.ts';
import type { Answer, DirectParts } from './parts.ts';
import { PLAIN_TEXT } from './plain.ts';
import { createSend } from './send.ts';

interface RecordSource {
  endpoint: Endpoint;
  part: 'records' | 'verifications';
  /** Under what an answer is kept: one guild's never serves another. */
  keyOf(principal: Principal, id: string): string;
  read(principal: Principal, id: string): Promise<Body>;
}

/** The endpoints that read one record by the text at the end of their path. */
export function createRecordAnswers(parts: DirectParts): (url: string) => Answer | undefined {
  const { records, verifications } = parts;
  const ofGuild = ({ guild }: Principal, id: string) => `${guild.guildNo} ${id}`;
  const sources: RecordSource[] = [
    {
      endpoint: getDischarge,
      part: 'records',
      keyOf: ofGuild,
      read: async (principal, id) => dischargeBody(await records.getDischarge(principal, id)),
    },
    {
      endpoint: getTransfer,
      part: 'records',
      keyOf: ofGuild,
      read: async (principal, id) => transferBody(await records.getTransfer(principal, id)),
    },
    {
      endpoint: getVerification,
      part: 'verifications',
      // People are known across guilds.
      keyOf: (_principal, query) => query,
      read: async (_principal, query) => verificationBody(await verifications.find(query)),
    },
  ];
  const endpoints = sources.map((source) => createRecordAnswer(source, parts));
  return (url) => {
    for (const { prefix, answer } of endpoints) {
      if (url.startsWith(prefix)) {
        const id = url.slice(prefix.length);
        return PLAIN_TEXT.test(id) ? (key, _request, response) => answer(id, key, response) : undefined;
      }
    }
    return undefined;
  };
}

function createRecordAnswer({ endpoint, part, ...source }: RecordSource, parts: DirectParts) {
  const enter = createEntry(endpoint, parts);
  const send = createSend(endpoint, parts);
  const kept = createKeptBodies(() => parts.store.revision(part));

  async function read(id: string, key: string, response: ServerResponse): Promise<boolean> {
    const startMs = performance.now();
    const entry = await enter(key);
    if (entry === undefined) {
      return false;
    }
    const { principal, headers } = entry;
    let body: Body;
    try {
      const readAt = kept.revision();
      body = await source.read(principal, id);
      kept.keep(source.keyOf(principal, id), body, readAt);
    } catch {
      return false;
    }
    send(response, { startMs, status: 200, body, headers, principal });
    return true;
  }

  return {
    prefix: endpoint.path.slice(0, endpoint.path.indexOf('{')),
    answer(id: string, key: string, response: ServerResponse): boolean | Promise<boolean> {
      const startMs = performance.now();
      const principal = parts.keys.recognise(key);
      if (principal !== undefined && hasScope(principal, endpoint.scope)) {
        const body = kept.find(source.keyOf(principal, id));
        if (body !== undefined) {
          send(response, { startMs, status: 200, body, headers: [], principal });
          return true;
        }
      }
      return read(id, key, response);
    },
  };
}

const ALL_COMMANDS = 'all';

/** The whole catalogue, where anybody may read it. */
export function createCommandsAnswer(parts: DirectParts): Answer | undefined {
  if (parts.commandsRequireKey) {
    return undefined;
  }
  const send = createSend(listCommands, parts);
  const kept = createKeptBodies(() => parts.store.revision('commands'));

  async function read(response: ServerResponse, startMs: number): Promise<boolean> {
    let body: Body;
    try {
      const readAt = kept.revision();
      body = commandsBody(await parts.commands.list(undefined));
      kept.keep(ALL_COMMANDS, body, readAt);
    } catch {
      return false;
    }
    send(response, { startMs, status: 200, body, headers: [], principal: undefined });
    return true;
  }

  return (_key, _request, response) => {
    const startMs = performance.now();
    const body = kept.find(ALL_COMMANDS);
    if (body === undefined) {
      return read(response, startMs);
    }
    send(response, { startMs, status: 200, body, headers: [], principal: undefined });
    return true;
  };
}
