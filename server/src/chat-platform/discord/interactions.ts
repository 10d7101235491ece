import type { APIInteractionResponse, InteractionResponseType } from 'discord-api-types/v10';
import type { ChatCommands } from '../../domain/chat/chat-commands.ts';
import type {
  ButtonInteraction,
  ChatInteraction,
  ChatInteractions,
  CommandInteraction,
  CompletionInteraction,
} from '../../domain/chat/interaction.ts';
import type { ChatReply } from '../../domain/chat/reply.ts';
import type { Clock } from '../../domain/ports.ts';
import { drawBalances } from './balance-chart.ts';
import type { FollowUps } from './follow-ups.ts';
import { cutText, LIMITS } from './limits.ts';
import { type DiscordRequest, readInteraction } from './read-interaction.ts';
import { createVerify, readPublicKey } from './signature.ts';
import { EPHEMERAL, toMessage } from './write-reply.ts';

const PONG: InteractionResponseType.Pong = 1;
const MESSAGE: InteractionResponseType.ChannelMessageWithSource = 4;
const DEFERRED_MESSAGE: InteractionResponseType.DeferredChannelMessageWithSource = 5;
const DEFERRED_UPDATE: InteractionResponseType.DeferredMessageUpdate = 6;
const UPDATE: InteractionResponseType.UpdateMessage = 7;
const CHOICES: InteractionResponseType.ApplicationCommandAutocompleteResult = 8;

/** Discord waits three seconds for an answer. A reply that takes longer than this is sent afterwards. */
const DEFER_AFTER_MS = 2_000;
const PICTURE = 'balance.png';

export interface DiscordInteractionsParts {
  /** The application's public key, as hexadecimal digits. */
  publicKey: string;
  commands: ChatCommands;
  followUps: FollowUps;
  clock: Clock;
  deferAfterMs?: number | undefined;
  /** Called with defects, and with changes of replies that Discord did not take. */
  onFailure(error: unknown): void;
}

type Replied = CommandInteraction | ButtonInteraction;

/** Discord's interactions endpoint: one signed request for each command, button and suggestion. */
export function createDiscordInteractions(parts: DiscordInteractionsParts): ChatInteractions {
  const { commands, followUps, onFailure, deferAfterMs = DEFER_AFTER_MS } = parts;

  async function respond(request: DiscordRequest): Promise<APIInteractionResponse> {
    switch (request.kind) {
      case 'ping':
        return { type: PONG };
      case 'direct':
        return { type: MESSAGE, data: toMessage(commands.replyOutside(request.locale)) };
      case 'interaction':
        return respondTo(request.interaction, request.token);
    }
  }

  function respondTo(interaction: ChatInteraction, token: string): Promise<APIInteractionResponse> {
    return interaction.kind === 'completion' ? complete(interaction) : answerInTime(interaction, token);
  }

  async function complete(interaction: CompletionInteraction): Promise<APIInteractionResponse> {
    const choices = await commands.suggest(interaction);
    const shown = choices
      .filter(({ value }) => value.length <= LIMITS.choiceValue)
      .map(({ label, value }) => ({ name: cutText(label, LIMITS.choiceName), value }));
    return { type: CHOICES, data: { choices: shown } };
  }

  async function answerInTime(interaction: Replied, token: string): Promise<APIInteractionResponse> {
    const work = commands.reply(interaction).catch((error: unknown) => {
      onFailure(error);
      return commands.replyToDefect(interaction);
    });
    const reply = await within(work, deferAfterMs);
    if (reply === undefined) {
      runLater(async () => sendAfterwards(interaction, token, await work));
      return deferred(interaction);
    }
    if (reply.readPicture !== undefined) {
      runLater(() => addPicture(token, reply));
    }
    const type = interaction.kind === 'button' && reply.isSeparate !== true ? UPDATE : MESSAGE;
    return { type, data: toMessage(reply) };
  }

  async function sendAfterwards(interaction: Replied, token: string, reply: ChatReply): Promise<void> {
    if (interaction.kind === 'button' && reply.isSeparate === true) {
      await followUps.add(token, toMessage(reply));
    } else if (reply.readPicture === undefined) {
      await followUps.edit(token, toMessage(reply));
    } else {
      await followUps.edit(token, toMessage(reply));
      await addPicture(token, reply);
    }
  }

  async function addPicture(token: string, reply: ChatReply): Promise<void> {
    const picture = await reply.readPicture?.();
    if (picture !== undefined) {
      const file = drawBalances(picture);
      await followUps.edit(token, toMessage(reply, PICTURE), { file, fileName: PICTURE });
    }
  }

  /** Nobody waits for it, so its failure is only reported. */
  function runLater(work: () => Promise<void>): void {
    setImmediate(() => work().catch(onFailure));
  }

  return {
    verify: createVerify(readPublicKey(parts.publicKey), parts.clock),
    answer: async (request) => JSON.stringify(await respond(readInteraction(request))),
  };
}

/** An answer that promises the reply. It decides already who will see the reply. */
function deferred(interaction: Replied): APIInteractionResponse {
  if (interaction.kind === 'button') {
    return { type: DEFERRED_UPDATE };
  }
  const isShared = interaction.options.some(({ name, value }) => name === 'share' && value === true);
  return { type: DEFERRED_MESSAGE, data: isShared ? {} : { flags: EPHEMERAL } };
}

/** The result, or undefined when it takes longer. */
function within<Result>(work: Promise<Result>, durationMs: number): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), durationMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
