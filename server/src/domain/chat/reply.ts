/** A piece of a text. The platform's adapter escapes every string, so that only these forms are formatted. */
export type ChatPart =
  | string
  | { bold: string }
  /** A time that each reader sees in their own language and time zone. */
  | { timeMs: number; as: 'date' | 'relative' }
  /** The name of a member. Nobody is notified. */
  | { member: string }
  | { link: string; label: string };

export type ChatText = string | readonly ChatPart[];

export interface ChatButton {
  label: string;
  look: 'confirm' | 'danger' | 'plain';
  /** Comes back when the button is pressed. At most `ACTION_CHARACTERS_MAX` characters. */
  action: string;
  isDisabled?: boolean;
}

/** The largest number of characters that platforms keep with a button. */
export const ACTION_CHARACTERS_MAX = 100;

/** A message that answers a command or replaces the message of a button. */
export interface ChatReply {
  title?: string;
  lines: readonly ChatText[];
  fields?: readonly { name: string; value: ChatText }[];
  buttons?: readonly ChatButton[];
  tone?: 'plain' | 'good' | 'bad';
  /** True when everybody in the channel sees it. Other replies are seen by the caller alone. */
  isShared?: boolean;
}
