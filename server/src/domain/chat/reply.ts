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

/** The balance at the end of each of the last days, oldest first. */
export interface BalancePicture {
  balances: readonly number[];
}

/** A message that answers a command or replaces the message of a button. */
export interface ChatReply {
  title?: string;
  lines: readonly ChatText[];
  fields?: readonly { name: string; value: ChatText }[];
  buttons?: readonly ChatButton[];
  /** Reads the data of a picture, which is added after the reply has been sent. Undefined when there is nothing to draw. */
  readPicture?: () => Promise<BalancePicture | undefined>;
  tone?: 'plain' | 'good' | 'bad';
  /** True when it does not replace the message of the button that was pressed: that message stays as it is. */
  isSeparate?: boolean;
  /** True when everybody in the channel sees it. Other replies are seen by the caller alone. */
  isShared?: boolean;
}
