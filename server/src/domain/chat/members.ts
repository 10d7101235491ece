import type { Verification } from '../model.ts';
import type { VerificationStore } from '../ports.ts';
import { type ChatCall, type ChatPress, textOf } from './command.ts';
import { Refusal } from './refusal.ts';

interface Parts {
  verificationStore: Pick<VerificationStore, 'find'>;
}

/** The verification of the caller. Without one, the refusal explains how to get verified. */
export async function requireOwn({ caller }: ChatCall | ChatPress, parts: Parts): Promise<Verification> {
  const found = await parts.verificationStore.find(['chat'], caller.chatId);
  if (found === undefined) {
    throw new Refusal((texts) => [texts.notVerified, texts.notVerifiedHint]);
  }
  return found;
}

/** The verification of a member whom the caller named. */
export async function requireMember(chatId: string, parts: Parts): Promise<Verification> {
  const found = await parts.verificationStore.find(['chat'], chatId);
  if (found === undefined) {
    throw new Refusal((texts) => [texts.memberNotVerified({ member: chatId })]);
  }
  return found;
}

/** The member that a command is about: the caller, unless `member` names another one whom the guild lets them see. */
export async function subjectOf(call: ChatCall, parts: Parts): Promise<Verification> {
  const chatId = textOf(call, 'member');
  if (chatId === undefined || chatId === call.caller.chatId) {
    return requireOwn(call, parts);
  }
  requireVisible(call, chatId);
  return requireMember(chatId, parts);
}

/** Refuses somebody who asks about another member where the guild does not show balances of others. */
export function requireVisible({ caller, settings }: ChatCall | ChatPress, chatId: string): void {
  if (chatId !== caller.chatId && !settings.balancesShown) {
    throw new Refusal((texts) => [texts.ownersOnly]);
  }
}
