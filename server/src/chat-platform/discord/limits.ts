import type { APIEmbed, APIEmbedField } from 'discord-api-types/v10';

/** Documented limits of Discord. A message beyond one of them is refused as a whole. */
export const LIMITS = {
  embedTitle: 256,
  embedDescription: 4_096,
  embedFields: 25,
  fieldName: 256,
  fieldValue: 1_024,
  embedAll: 6_000,
  rowButtons: 5,
  buttonLabel: 80,
  customId: 100,
  choices: 25,
  choiceName: 100,
  choiceValue: 100,
} as const;

/** Cuts texts that are too long, and drops the fields that do not fit. The embed is changed. */
export function cutEmbed(embed: APIEmbed): APIEmbed {
  let left: number = LIMITS.embedAll;
  if (embed.title !== undefined) {
    embed.title = cutText(embed.title, LIMITS.embedTitle);
    left -= embed.title.length;
  }
  if (embed.description !== undefined) {
    embed.description = cutText(embed.description, LIMITS.embedDescription);
    left -= embed.description.length;
  }
  const kept: APIEmbedField[] = [];
  for (const { name, value, inline = false } of embed.fields?.slice(0, LIMITS.embedFields) ?? []) {
    const field = {
      name: cutText(name, LIMITS.fieldName),
      value: cutText(value, LIMITS.fieldValue),
      inline,
    };
    left -= field.name.length + field.value.length;
    if (left >= 0) {
      kept.push(field);
    }
  }
  if (kept.length > 0) {
    embed.fields = kept;
  } else {
    delete embed.fields;
  }
  return embed;
}

/** Ends in an ellipsis where it was cut. An escaping backslash at the end would escape the ellipsis. */
export function cutText(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\\\uD800-\uDBFF]+$/, '')}…`;
}
