import { unpackId } from './action-text.ts';
import type { ChatPress } from './command.ts';
import { Refusal } from './refusal.ts';
import type { ChatButton, ChatReply } from './reply.ts';

const CANCEL_WORD = 'cancel';

/** The button that ends a question without an effect. */
export function cancelButton({ texts }: Pick<ChatPress, 'texts'>): ChatButton {
  return { label: texts.cancel, look: 'plain', action: CANCEL_WORD };
}

export const CANCEL_BUTTONS = {
  [CANCEL_WORD]: async ({ texts }: ChatPress): Promise<ChatReply> => ({ lines: [texts.nothingChanged] }),
};

/** Refuses to act for somebody else than the person who was asked. */
export function requireOwnButton({ caller }: ChatPress, owner: string): void {
  if (unpackId(owner) !== caller.chatId) {
    throw new Refusal((texts) => [texts.notYourButton]);
  }
}
