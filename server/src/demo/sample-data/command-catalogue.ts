import type { BotCommand } from '../../domain/model.ts';
import type { CommandChapter } from './command-chapter.ts';
import { ECONOMY_CHAPTER, EVENTS_CHAPTER, TAVERN_CHAPTER } from './community-commands.ts';
import { MODERATION_CHAPTER, RECORDS_CHAPTER, VERIFICATION_CHAPTER } from './office-commands.ts';

const CHAPTERS: readonly CommandChapter[] = [
  MODERATION_CHAPTER,
  RECORDS_CHAPTER,
  VERIFICATION_CHAPTER,
  ECONOMY_CHAPTER,
  EVENTS_CHAPTER,
  TAVERN_CHAPTER,
];

export function createCommandCatalogue(): BotCommand[] {
  return CHAPTERS.flatMap(({ category, commands }) =>
    commands.map(({ name, description, help, needs }) => ({
      category,
      name,
      description,
      extendedHelp: help.join('\n'),
      preconditions: [...needs],
    })),
  );
}
