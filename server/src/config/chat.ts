import type { Setting } from './setting.ts';
import { pictureUrl, platformUrl, publicKey, snowflake, word } from './values.ts';

/** The settings of the chat platform. */
export interface ChatConfig {
  chatClientId: string | undefined;
  chatClientSecret: string | undefined;
  chatAuthorizeUrl: string;
  chatTokenUrl: string;
  chatApiUrl: string;
  /** Undefined when pictures are switched off. */
  chatAvatarUrl: string | undefined;
  chatBotToken: string | undefined;
  chatApplicationId: string | undefined;
  chatPublicKey: string | undefined;
}

const PLATFORM_URL_FORM = 'https address; http on loopback only';

export const CHAT_SETTINGS: { readonly [Field in keyof ChatConfig]: Setting<ChatConfig[Field]> } = {
  chatClientId: {
    name: 'CHAT_CLIENT_ID',
    defaultText: undefined,
    doc: 'The client id of the application registered with the chat platform. Without it nobody can sign in to the dashboard.',
    form: 'text without blanks',
    parse: word,
  },
  chatClientSecret: {
    name: 'CHAT_CLIENT_SECRET',
    defaultText: undefined,
    doc: "That application's client secret; needed together with CHAT_CLIENT_ID.",
    form: 'text without blanks',
    isSecret: true,
    parse: word,
  },
  chatAuthorizeUrl: {
    name: 'CHAT_AUTHORIZE_URL',
    defaultText: 'https://discord.com/oauth2/authorize',
    doc: 'Where the chat platform asks people whether they want to sign in.',
    form: PLATFORM_URL_FORM,
    parse: platformUrl,
  },
  chatTokenUrl: {
    name: 'CHAT_TOKEN_URL',
    defaultText: 'https://discord.com/api/oauth2/token',
    doc: 'Where the chat platform trades codes for tokens.',
    form: PLATFORM_URL_FORM,
    parse: platformUrl,
  },
  chatApiUrl: {
    name: 'CHAT_API_URL',
    defaultText: 'https://discord.com/api/v10',
    doc: 'Below this address lie /users/@me, /users/@me/guilds and, for CHAT_BOT_TOKEN, /guilds.',
    form: PLATFORM_URL_FORM,
    parse: platformUrl,
  },
  chatAvatarUrl: {
    name: 'CHAT_AVATAR_URL',
    defaultText: 'https://cdn.discordapp.com/{kind}/{id}/{hash}.webp?size=128',
    doc: 'Where the pictures of people (the kind avatars) and guilds (icons) lie. The service fetches and caches them; browsers load them from the service. off shows initials only.',
    form: `${PLATFORM_URL_FORM}; with {kind}, {id} and {hash}; or off`,
    parse: pictureUrl,
  },
  chatBotToken: {
    name: 'CHAT_BOT_TOKEN',
    defaultText: undefined,
    doc: 'The token of a bot of that application. It registers the commands of the chat. With it a payout in the dashboard can go to the members of a chat role, and members who never signed in have names and pictures.',
    form: 'text without blanks',
    isSecret: true,
    parse: word,
  },
  chatApplicationId: {
    name: 'CHAT_APPLICATION_ID',
    defaultText: undefined,
    doc: 'The id of the application whose slash commands Guildbook answers at POST /chat/interactions (see [commands in the chat](chat.md)). Needed together with CHAT_PUBLIC_KEY; without them that address does not exist.',
    form: 'digits',
    parse: snowflake,
  },
  chatPublicKey: {
    name: 'CHAT_PUBLIC_KEY',
    defaultText: undefined,
    doc: "That application's public key, which checks the signatures of its requests.",
    form: '64 hexadecimal digits',
    parse: publicKey,
  },
};
