import { createDiscordApplication, type DiscordApplication } from '../chat-platform/discord/application.ts';
import { type CommandChange, compareCommand, toRegistered } from '../chat-platform/discord/registration.ts';
import type { Config } from '../config.ts';
import { CHAT_COMMANDS } from '../domain/chat/commands.ts';
import { DomainError } from '../domain/errors.ts';

const INTERACTIONS_PATH = '/chat/interactions';
const REACH_MS = 5_000;

/** The application of the settings; undefined when its id or its bot's token is missing. */
export function applicationOf({
  chatApiUrl,
  chatApplicationId,
  chatBotToken,
}: Config): DiscordApplication | undefined {
  return chatApplicationId === undefined || chatBotToken === undefined
    ? undefined
    : createDiscordApplication({
        apiUrl: chatApiUrl,
        applicationId: chatApplicationId,
        botToken: chatBotToken,
      });
}

/** Registers the commands that are new or differ. Commands of other names stay as they are. */
export async function registerCommands(
  application: DiscordApplication,
  { guildId, isTrial }: { guildId: string | undefined; isTrial: boolean },
): Promise<CommandChange[]> {
  const present = new Map((await application.commands(guildId)).map((one) => [one.name, one]));
  const changes: CommandChange[] = [];
  for (const command of CHAT_COMMANDS.map(toRegistered)) {
    const change = compareCommand(command, present.get(command.name));
    if (change.change !== 'unchanged' && !isTrial) {
      await application.register(command, guildId);
    }
    changes.push(change);
  }
  return changes;
}

/** One step of the check: what was looked at, and what to do when it is wrong. */
export interface CheckStep {
  name: string;
  /** Undefined when it is right. */
  fault: string | undefined;
}

/** Checks the way from Discord to the first command, step by step. Later steps are left out when an earlier one makes them useless. */
export async function checkChat(config: Config): Promise<CheckStep[]> {
  const { chatApplicationId, chatPublicKey, chatBotToken, publicUrl } = config;
  const settings = {
    CHAT_APPLICATION_ID: chatApplicationId,
    CHAT_PUBLIC_KEY: chatPublicKey,
    CHAT_BOT_TOKEN: chatBotToken,
  };
  const missing = Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const steps: CheckStep[] = [
    { name: 'settings', fault: missing.length === 0 ? undefined : `${missing.join(', ')} must be set` },
  ];
  const application = applicationOf(config);
  if (application !== undefined) {
    steps.push(...(await checkApplication(application, config)));
  }
  steps.push({
    name: 'public address',
    fault: publicUrl === undefined ? 'PUBLIC_URL must be set to the https address of the service' : undefined,
  });
  if (publicUrl !== undefined) {
    steps.push({ name: 'endpoint', fault: await faultOfEndpoint(new URL(INTERACTIONS_PATH, publicUrl)) });
  }
  return steps;
}

async function checkApplication(application: DiscordApplication, config: Config): Promise<CheckStep[]> {
  const { chatApplicationId, chatPublicKey, publicUrl } = config;
  try {
    const { id, publicKey, interactionsUrl } = await application.describe();
    const changes =
      id === chatApplicationId
        ? await registerCommands(application, { guildId: undefined, isTrial: true })
        : [];
    const open = changes.filter(({ change }) => change !== 'unchanged').length;
    const wanted = publicUrl && new URL(INTERACTIONS_PATH, publicUrl).href;
    const isEntered = wanted === undefined ? interactionsUrl !== undefined : interactionsUrl === wanted;
    return [
      { name: "bot's token", fault: undefined },
      {
        name: 'application id',
        fault: id === chatApplicationId ? undefined : `the token belongs to the application ${id}`,
      },
      {
        name: 'public key',
        fault: publicKey === chatPublicKey ? undefined : `CHAT_PUBLIC_KEY must be ${publicKey}`,
      },
      {
        name: 'interactions address',
        fault: isEntered
          ? undefined
          : `enter ${wanted ?? 'the address of the service'} as Interactions Endpoint URL in the developer portal`,
      },
      {
        name: 'commands',
        fault: open === 0 ? undefined : `${open} of ${changes.length} are not registered as they are now`,
      },
    ];
  } catch (error) {
    const isRefused = error instanceof DomainError && error.code === 'platform_refused';
    const fault = isRefused
      ? 'Discord refuses CHAT_BOT_TOKEN: copy it again from the page Bot of the developer portal'
      : `Discord cannot be reached: ${error instanceof Error ? error.message : 'unknown'}`;
    return [{ name: "bot's token", fault }];
  }
}

/** A request without a signature has to be refused by the service itself. */
async function faultOfEndpoint(url: URL): Promise<string | undefined> {
  try {
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(REACH_MS);
    const { status } = await fetch(url, {
      method: 'POST',
      body: '{"type":1}',
      headers,
      signal,
      redirect: 'manual',
    });
    if (status === 401) {
      return undefined;
    }
    return status === 404
      ? `${url.href} does not exist: the running service has no CHAT_APPLICATION_ID or CHAT_PUBLIC_KEY, or a proxy does not pass it on`
      : `${url.href} answered ${status} where the service answers 401`;
  } catch (error) {
    return `${url.href} cannot be reached: ${error instanceof Error ? error.message : 'unknown'}`;
  }
}
