import { generateKeyPairSync, sign } from 'node:crypto';
import type { APIInteractionResponse } from 'discord-api-types/v10';
import type { Clock, IdSource } from '../../../domain/ports.ts';
import { contentOf, isEphemeral, objectOf, type ReadPayload, readPayload } from './content.ts';
import type { DemoAuthor, DemoMessages } from './messages.ts';

/** The platform's limits: time for an answer, and time for its changes. */
const ANSWER_MS = 3_000;
const TOKEN_VALID_MS = 900_000;
/** Beyond this number the oldest token is dropped. */
const TOKENS_MAX = 200;
const ANSWER_BYTES_MAX = 1024 * 1024;
/** Public keys end with these bytes in the DER form. */
const PUBLIC_KEY_BYTES = 32;
export const APPLICATION_ID = '1190000000000000001';
const CHANNEL_ID = '1190000000000000002';

const COMMAND = 2;
const COMPONENT = 3;
const COMPLETION = 4;
const BUTTON = 2;
const CHAT_INPUT = 1;
const MESSAGE_TYPE = 20;

/** The types of answers. */
const NEW: APIInteractionResponse['type'] = 4;
const NEW_LATER: APIInteractionResponse['type'] = 5;
const CHANGE_LATER: APIInteractionResponse['type'] = 6;
const CHANGE: APIInteractionResponse['type'] = 7;

/** A member of the guild, with the rights that the platform sends with each interaction. */
export interface DemoCaller extends DemoAuthor {
  permissions: string;
  roles: readonly string[];
}

export interface UsedOption {
  name: string;
  type: number;
  value: string | number | boolean;
  focused?: boolean;
}

export interface UsedCommand {
  name: string;
  options: readonly UsedOption[];
  locale: string;
}

export interface DemoApplication {
  /** The public key as hexadecimal digits. */
  publicKey: string;
  /** Sets the address that interactions are sent to. */
  deliverTo(url: string): void;
  useCommand(caller: DemoCaller, command: UsedCommand): Promise<void>;
  suggest(caller: DemoCaller, command: UsedCommand): Promise<unknown[]>;
  pressButton(
    caller: DemoCaller,
    pressed: { messageId: string; action: string; locale: string },
  ): Promise<void>;
  /** Changes the reply to an interaction, or adds one. Returns the status of the answer. */
  followUp(token: string, change: { isNew: boolean; read: ReadPayload }): number;
}

interface Parts {
  clock: Clock;
  ids: IdSource;
  messages: DemoMessages;
  guildId: string;
}

/** Signs interactions like Discord, sends them to the service and puts its answers into the channel. */
export function createDemoApplication({ clock, ids, messages, guildId }: Parts): DemoApplication {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const tokens = new Map<string, { messageId?: string; caller: DemoCaller; untilMs: number }>();
  let address: string | undefined;

  async function send(interaction: object): Promise<ReadPayload> {
    if (address === undefined) {
      throw new Error('the service does not listen yet');
    }
    const body = JSON.stringify(interaction);
    const timestamp = String(Math.floor(clock.nowMs() / 1_000));
    const answer = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-signature-timestamp': timestamp,
        'x-signature-ed25519': sign(null, Buffer.from(timestamp + body), privateKey).toString('hex'),
      },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (!answer.ok || bytes.length > ANSWER_BYTES_MAX) {
      throw new Error(`the service answered ${answer.status}`);
    }
    return readPayload(answer.headers.get('content-type') ?? '', bytes);
  }

  function interactionOf(caller: DemoCaller, type: number, locale: string) {
    const token = Buffer.from(ids.randomBytes(32)).toString('base64url');
    tokens.set(token, { caller, untilMs: clock.nowMs() + TOKEN_VALID_MS });
    for (const old of [...tokens.keys()].slice(0, Math.max(0, tokens.size - TOKENS_MAX))) {
      tokens.delete(old);
    }
    const { chatId, username, avatar = null, permissions, roles } = caller;
    return {
      version: 1,
      id: messages.makeId(),
      application_id: APPLICATION_ID,
      type,
      token,
      guild_id: guildId,
      channel_id: CHANNEL_ID,
      channel: { id: CHANNEL_ID, type: 0, name: 'guild-bank', permissions },
      member: {
        user: { id: chatId, username, global_name: username, avatar, discriminator: '0' },
        nick: null,
        roles,
        permissions,
      },
      locale,
      guild_locale: 'en-US',
      app_permissions: '0',
      entitlements: [],
      context: 0,
    };
  }

  function remember(token: string, messageId: string): void {
    const known = tokens.get(token);
    if (known !== undefined) {
      tokens.set(token, { ...known, messageId });
    }
  }

  /** Puts the answer to a command or a button into the channel. */
  function show({ payload, files }: ReadPayload, { caller, token, command, pressedId }: Shown): void {
    const { type, data } = payload;
    if (pressedId !== undefined && (type === CHANGE || type === CHANGE_LATER)) {
      remember(token, pressedId);
      if (type === CHANGE) {
        messages.edit(pressedId, { ...contentOf(data, files), state: 'sent' });
      }
      return;
    }
    if (type !== NEW && type !== NEW_LATER) {
      throw new Error(`the service gave an answer of type ${type}`);
    }
    const { id } = messages.add({
      ...contentOf(data, files),
      use: command === undefined ? undefined : { by: caller, command },
      onlyFor: isEphemeral(data) ? caller.chatId : undefined,
      state: type === NEW_LATER ? 'waiting' : 'sent',
    });
    remember(token, id);
  }

  const fail = (caller: DemoCaller, command?: string) =>
    messages.add({
      use: command === undefined ? undefined : { by: caller, command },
      onlyFor: caller.chatId,
      embeds: [],
      buttons: [],
      files: new Map(),
      state: 'failed',
    });

  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-PUBLIC_KEY_BYTES).toString('hex'),
    deliverTo(url) {
      address = url;
    },
    async useCommand(caller, { name, options, locale }) {
      const interaction = interactionOf(caller, COMMAND, locale);
      const data = { id: '1', name, type: CHAT_INPUT, options };
      try {
        const answer = await send({ ...interaction, data });
        show(answer, { caller, token: interaction.token, command: name });
      } catch {
        fail(caller, name);
      }
    },
    async suggest(caller, { name, options, locale }) {
      const interaction = interactionOf(caller, COMPLETION, locale);
      const { payload } = await send({ ...interaction, data: { id: '1', name, type: CHAT_INPUT, options } });
      const { choices } = objectOf(payload.data);
      return Array.isArray(choices) ? choices : [];
    },
    async pressButton(caller, { messageId, action, locale }) {
      const interaction = interactionOf(caller, COMPONENT, locale);
      const data = { custom_id: action, component_type: BUTTON };
      const message = { id: messageId, channel_id: CHANNEL_ID, type: MESSAGE_TYPE };
      try {
        const answer = await send({ ...interaction, data, message });
        show(answer, { caller, token: interaction.token, pressedId: messageId });
      } catch {
        fail(caller);
      }
    },
    followUp(token, { isNew, read: { payload, files } }) {
      const known = tokens.get(token);
      if (known === undefined || known.untilMs < clock.nowMs()) {
        return 401;
      }
      if (isNew) {
        const onlyFor = isEphemeral(payload) ? known.caller.chatId : undefined;
        messages.add({ ...contentOf(payload, files), onlyFor, state: 'sent' });
        return 200;
      }
      const message = messages.find(known.messageId ?? '');
      if (message === undefined) {
        return 404;
      }
      const all = new Map([...message.files, ...files]);
      messages.edit(message.id, { ...contentOf(payload, all), state: 'sent' });
      return 200;
    },
  };
}

interface Shown {
  caller: DemoCaller;
  token: string;
  command?: string;
  /** The message of the button that was pressed. */
  pressedId?: string;
}
