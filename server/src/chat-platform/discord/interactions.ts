import type { APIInteractionResponse, InteractionResponseType } from 'discord-api-types/v10';
import type { ChatCommands } from '../../domain/chat/chat-commands.ts';
import type { ChatInteraction, ChatInteractions } from '../../domain/chat/interaction.ts';
import type { Clock } from '../../domain/ports.ts';
import { cutText, LIMITS } from './limits.ts';
import { type DiscordRequest, readInteraction } from './read-interaction.ts';
import { createVerify, readPublicKey } from './signature.ts';
import { toMessage } from './write-reply.ts';

const PONG: InteractionResponseType.Pong = 1;
const MESSAGE: InteractionResponseType.ChannelMessageWithSource = 4;
const UPDATE: InteractionResponseType.UpdateMessage = 7;
const CHOICES: InteractionResponseType.ApplicationCommandAutocompleteResult = 8;

export interface DiscordInteractionsParts {
  /** The application's public key, as hexadecimal digits. */
  publicKey: string;
  commands: ChatCommands;
  clock: Clock;
}

/** Discord's interactions endpoint: one signed request for each command, button and suggestion. */
export function createDiscordInteractions(parts: DiscordInteractionsParts): ChatInteractions {
  const verify = createVerify(readPublicKey(parts.publicKey), parts.clock);

  async function respond(request: DiscordRequest): Promise<APIInteractionResponse> {
    switch (request.kind) {
      case 'ping':
        return { type: PONG };
      case 'direct':
        return { type: MESSAGE, data: toMessage({ lines: ['Use this command in a server.'] }) };
      case 'interaction':
        return respondTo(request.interaction);
    }
  }

  async function respondTo(interaction: ChatInteraction): Promise<APIInteractionResponse> {
    switch (interaction.kind) {
      case 'command':
        return { type: MESSAGE, data: toMessage(await parts.commands.reply(interaction)) };
      case 'button':
        return { type: UPDATE, data: toMessage(await parts.commands.reply(interaction)) };
      case 'completion': {
        const choices = await parts.commands.suggest(interaction);
        return {
          type: CHOICES,
          data: {
            choices: choices
              .filter(({ value }) => value.length <= LIMITS.choiceValue)
              .map(({ label, value }) => ({ name: cutText(label, LIMITS.choiceName), value })),
          },
        };
      }
    }
  }

  return {
    verify,
    answer: async (request) => JSON.stringify(await respond(readInteraction(request))),
  };
}
