import { verifyWebhook, WebhookError } from '@guildbook/client';

type Receiver = {
  secret: string;
  /** Returns false for an id that it has seen before: an event is delivered at least once. */
  remember(id: string): Promise<boolean>;
  say(text: string): Promise<void>;
};

/** Handles a delivery. It takes the request of the Fetch API, as servers of Deno, Bun and most edge runtimes pass it. */
export async function receive(request: Request, { secret, remember, say }: Receiver): Promise<Response> {
  try {
    const { headers } = request;
    const { id, event } = await verifyWebhook({ body: await request.text(), headers, secret });
    if (event.type === 'balance.below' && (await remember(id))) {
      await say(`${event.data.playerId} has ${event.data.balance}.`);
    }
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof WebhookError) return new Response(error.message, { status: 400 });
    throw error;
  }
}
