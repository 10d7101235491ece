import type {
  APIActionRowComponent,
  APIButtonComponentWithCustomId,
  APIEmbed,
  APIInteractionResponseCallbackData,
  ButtonStyle,
  ComponentType,
  MessageFlags,
} from 'discord-api-types/v10';
import type { ChatButton, ChatPart, ChatReply, ChatText } from '../../domain/chat/reply.ts';
import { escapeText } from '../../domain/webhooks/discord.ts';
import { cutEmbed } from './limits.ts';

const COLORS = { plain: 0x4263eb, good: 0x2f9e44, bad: 0xf08c00 } as const;
export const EPHEMERAL: MessageFlags.Ephemeral = 64;
const ROW: ComponentType.ActionRow = 1;
const BUTTON: ComponentType.Button = 2;
const STYLES = {
  confirm: 3 satisfies ButtonStyle.Success,
  danger: 4 satisfies ButtonStyle.Danger,
  plain: 2 satisfies ButtonStyle.Secondary,
} as const;

/** A reply as a message of Discord, with an attached picture if one is named. `allowed_mentions` is empty, so that nobody is notified. */
export function toMessage(reply: ChatReply, pictureName?: string): APIInteractionResponseCallbackData {
  const { title, lines, fields = [], buttons = [], tone = 'plain', isShared } = reply;
  // Conditional fields are assigned: spreading an object for each of them takes several times as long.
  const embed: APIEmbed = { color: COLORS[tone], description: lines.map(toMarkdown).join('\n') };
  if (title !== undefined) {
    embed.title = escapeText(title);
  }
  if (pictureName !== undefined) {
    embed.image = { url: `attachment://${pictureName}` };
  }
  if (fields.length > 0) {
    embed.fields = fields.map(({ name, value }) => ({
      name: escapeText(name),
      value: toMarkdown(value),
      inline: true,
    }));
  }
  const message: APIInteractionResponseCallbackData = {
    embeds: [cutEmbed(embed)],
    // Given also when there are none: an edited message would keep its old ones.
    components: buttons.length === 0 ? [] : [toRow(buttons)],
    allowed_mentions: { parse: [] },
  };
  if (isShared !== true) {
    message.flags = EPHEMERAL;
  }
  return message;
}

function toRow(buttons: readonly ChatButton[]): APIActionRowComponent<APIButtonComponentWithCustomId> {
  return {
    type: ROW,
    components: buttons.map(({ label, look, action, isDisabled }) => ({
      type: BUTTON,
      style: STYLES[look],
      label,
      custom_id: action,
      ...(isDisabled === true && { disabled: true }),
    })),
  };
}

/** Longer texts of a reply are cut. */
const TEXT_MAX = 1_500;
const MEMBER = /^\d+$/;

function toMarkdown(text: ChatText): string {
  if (typeof text === 'string') {
    return escapeText(text, TEXT_MAX);
  }
  let markdown = '';
  for (const part of text) {
    markdown += partToMarkdown(part);
  }
  return markdown;
}

function partToMarkdown(part: ChatPart): string {
  if (typeof part === 'string') {
    return escapeText(part, TEXT_MAX);
  }
  if ('bold' in part) {
    return `**${escapeText(part.bold)}**`;
  }
  if ('timeMs' in part) {
    return `<t:${Math.floor(part.timeMs / 1_000)}:${part.as === 'relative' ? 'R' : 'f'}>`;
  }
  if ('link' in part) {
    return `[${escapeText(part.label)}](${part.link})`;
  }
  // Verifications may come from another platform, whose ids are no members here.
  return MEMBER.test(part.member) ? `<@${part.member}>` : escapeText(part.member);
}
