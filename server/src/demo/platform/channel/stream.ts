import type { ServerResponse } from 'node:http';
import type { NameOf } from './markdown.ts';
import { messageHtml } from './message-html.ts';
import { type DemoMessage, type DemoMessages, isVisible } from './messages.ts';

/** Beyond this number the oldest stream is ended. Its page connects again. */
const STREAMS_MAX = 50;

/** Server-sent events with the messages that a person sees: all of them first, then each change. */
export function createStreams(messages: DemoMessages, nameOf: NameOf) {
  const streams = new Set<ServerResponse>();
  return {
    open(response: ServerResponse, viewer: string | undefined): void {
      const send = (name: string, data: object) =>
        response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      const write = (message: DemoMessage) => {
        const { id, revision } = message;
        send('written', { id, revision, html: messageHtml(message, nameOf) });
      };
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      const present = messages.visibleTo(viewer);
      send('present', { ids: present.map(({ id }) => id) });
      present.forEach(write);
      const stop = messages.watch(({ kind, message }) => {
        if (!isVisible(message, viewer)) {
          return;
        }
        if (kind === 'written') {
          write(message);
        } else {
          send('removed', { id: message.id });
        }
      });
      streams.add(response);
      response.once('close', () => {
        stop();
        streams.delete(response);
      });
      for (const oldest of [...streams].slice(0, Math.max(0, streams.size - STREAMS_MAX))) {
        oldest.end();
      }
    },
  };
}
