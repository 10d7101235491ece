import type { APIEmbed } from 'discord-api-types/v10';

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

/** Cuts texts that are too long, and drops the fields that do not fit. */
export function cutEmbed(embed: APIEmbed): APIEmbed {
  const { title, description, fields, ...rest } = embed;
  const cut: APIEmbed = {
    ...rest,
    ...(title !== undefined && { title: cutText(title, LIMITS.embedTitle) }),
    ...(description !== undefined && { description: cutText(description, LIMITS.embedDescription) }),
  };
  let left = LIMITS.embedAll - (cut.title?.length ?? 0) - (cut.description?.length ?? 0);
  const kept = (fields ?? []).slice(0, LIMITS.embedFields).flatMap(({ name, value, inline = false }) => {
    const field = {
      name: cutText(name, LIMITS.fieldName),
      value: cutText(value, LIMITS.fieldValue),
      inline,
    };
    left -= field.name.length + field.value.length;
    return left < 0 ? [] : [field];
  });
  return kept.length === 0 ? cut : { ...cut, fields: kept };
}

/** Ends in an ellipsis where it was cut. An escaping backslash at the end would escape the ellipsis. */
export function cutText(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\\\uD800-\uDBFF]+$/, '')}…`;
}
