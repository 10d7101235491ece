import { OPTION_TYPES } from '../../../chat-platform/discord/read-interaction.ts';
import { CHAT_COMMANDS } from '../../../domain/chat/commands.ts';

/** The commands as they are registered with the platform. */
export function registeredCommands() {
  return CHAT_COMMANDS.map(({ name, description, options }) => ({
    name,
    description,
    options: options.map((option) => ({
      name: option.name,
      description: option.description,
      type: OPTION_TYPES[option.kind],
      required: option.isRequired === true,
      autocomplete: option.suggest !== undefined,
      min_value: option.min,
      max_value: option.max,
      max_length: option.charactersMax,
    })),
  }));
}
