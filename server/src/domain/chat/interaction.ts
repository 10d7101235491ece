import type { MaybePromise } from '../maybe-promise.ts';
import type { Standing } from '../model.ts';

/** The member of a guild who uses a command, as the chat platform describes them at that moment. */
export interface ChatCaller {
  chatId: string;
  chatRoleIds: readonly string[];
  standing: Standing;
  /** The language of their client, a BCP 47 tag. */
  locale: string;
}

interface InteractionBase {
  /** Unique on the platform. It is the idempotency key of what a command changes. */
  interactionId: string;
  guildId: string;
  caller: ChatCaller;
}

/** The value of an option: a text or the id of a member, a number, or yes and no. */
export type OptionValue = string | number | boolean;

/** An option as the platform sent it. Its kind was chosen when the commands were registered. */
export interface GivenOption {
  name: string;
  kind: 'text' | 'integer' | 'number' | 'flag' | 'member' | 'other';
  value: OptionValue;
}

export interface CommandInteraction extends InteractionBase {
  kind: 'command';
  name: string;
  options: readonly GivenOption[];
}

/** Somebody pressed a button of one of our replies. */
export interface ButtonInteraction extends InteractionBase {
  kind: 'button';
  /** The text that the reply gave to the button. */
  action: string;
}

/** Somebody types a value, and the platform asks for suggestions. */
export interface CompletionInteraction extends InteractionBase {
  kind: 'completion';
  name: string;
  /** The option that is being typed. Its value is the text so far. */
  focused: string;
  options: readonly GivenOption[];
}

export type ChatInteraction = CommandInteraction | ButtonInteraction | CompletionInteraction;

export interface ChatChoice {
  label: string;
  value: string;
}

/** The endpoint of a chat platform: what its requests look like and how they are signed. */
export interface ChatInteractions {
  /**
   * Checks the signature of a request before anything of it is parsed. Throws `invalid_signature` for a wrong one, and for
   * one that is too old.
   */
  verify(headers: Readonly<Record<string, string | string[] | undefined>>, body: Uint8Array): void;
  /** The JSON that answers a verified request. Rejects with `invalid_input` when the request is none of the platform's. */
  answer(request: unknown): MaybePromise<string>;
}
