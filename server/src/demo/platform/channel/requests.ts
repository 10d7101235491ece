import type { IncomingMessage } from 'node:http';
import { isLoopbackUrl } from '../../../chat-platform/loopback.ts';
import type { DemoApplication, UsedOption } from './application.ts';
import { objectOf } from './content.ts';
import { type DemoMessages, isVisible } from './messages.ts';
import type { DemoPeople } from './people.ts';

const OPTIONS_MAX = 25;
const TEXT_MAX = 2_000;
const LOCALE = /^[\w-]{2,35}$/;

interface Parts {
  path: string;
  readBody: () => Promise<Uint8Array>;
  application: DemoApplication;
  messages: DemoMessages;
  people: DemoPeople;
}

interface Answer {
  status: number;
  body: object;
}

const DONE: Answer = { status: 200, body: {} };
const WRONG: Answer = { status: 400, body: { message: 'The request is not one of this page.' } };

/** Answers the page's own requests: commands, suggestions, buttons and messages of a sample person. */
export async function answerRequest(request: IncomingMessage, parts: Parts): Promise<Answer> {
  if (!isFromOwnPage(request)) {
    return { status: 403, body: { message: 'Only the page of the channel may send this.' } };
  }
  const body = objectOf(JSON.parse(Buffer.from(await parts.readBody()).toString()));
  const { application, messages, people } = parts;
  const caller = people.callers.find(({ chatId }) => chatId === body.as);
  if (caller === undefined) {
    return WRONG;
  }
  const locale = typeof body.locale === 'string' && LOCALE.test(body.locale) ? body.locale : 'en';
  const name = String(body.name ?? '');
  const message = messages.find(String(body.messageId ?? ''));
  switch (parts.path) {
    case '/channel/commands':
      await application.useCommand(caller, { name, options: optionsOf(body.options), locale });
      return DONE;
    case '/channel/suggestions': {
      const choices = await application.suggest(caller, { name, options: optionsOf(body.options), locale });
      return { status: 200, body: { choices } };
    }
    case '/channel/buttons': {
      const action = message?.buttons.find(({ custom_id }) => custom_id === body.action)?.custom_id;
      if (message === undefined || action === undefined || !isVisible(message, caller.chatId)) {
        return WRONG;
      }
      await application.pressButton(caller, { messageId: message.id, action, locale });
      return DONE;
    }
    case '/channel/dismissals':
      if (message?.onlyFor !== caller.chatId) {
        return WRONG;
      }
      messages.remove(message.id);
      return DONE;
    case '/channel/texts': {
      const content = String(body.text ?? '')
        .trim()
        .slice(0, TEXT_MAX);
      if (content === '') {
        return WRONG;
      }
      messages.add({ author: caller, content, embeds: [], buttons: [], files: new Map(), state: 'sent' });
      return DONE;
    }
    default:
      return { status: 404, body: { message: '404: Not Found' } };
  }
}

/** Other web sites can send requests to this machine too. */
function isFromOwnPage({ headers }: IncomingMessage): boolean {
  const { origin, host = '' } = headers;
  return (
    headers['content-type'] === 'application/json' &&
    isLoopbackUrl(`http://${host}/`) &&
    (origin === undefined || origin === `http://${host}`)
  );
}

function optionsOf(value: unknown): UsedOption[] {
  const given = Array.isArray(value) ? value.slice(0, OPTIONS_MAX).map(objectOf) : [];
  return given.flatMap(({ name, type, value: chosen, focused }) => {
    const isValue = typeof chosen === 'string' || typeof chosen === 'number' || typeof chosen === 'boolean';
    return isValue
      ? [{ name: String(name), type: Number(type), value: chosen, ...(focused === true && { focused }) }]
      : [];
  });
}
