import { type ChatSettings, USUAL_CHAT_SETTINGS } from '../../src/domain/chat/settings.ts';
import { changeAt } from '../support/change.ts';
import { type ChatService, GUILD } from './chat-guild.ts';

/** Sets the chat settings of the guild; what is not given is as usual. */
export async function choose(service: ChatService, settings: Partial<ChatSettings>): Promise<void> {
  const guild = await service.guilds.find(GUILD);
  await service.store.chat.setSettings(
    guild,
    { ...USUAL_CHAT_SETTINGS, ...settings },
    changeAt(service.clock.nowMs()),
  );
}
