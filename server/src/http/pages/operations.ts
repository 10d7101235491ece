import { answerText, JSON_TYPE } from '../answer.ts';
import { prepare } from '../prepared.ts';
import { forAnybody, type Served } from '../served.ts';
import { publicRoute } from './public-route.ts';

/** Liveness and readiness, for the operator's tools. */
export const HEALTH_ENDPOINTS: readonly Served[] = [
  forAnybody(publicRoute('/livez'), () => () => answerText('{"status":"alive"}')),
  forAnybody(publicRoute('/readyz'), ({ checkReady, store }) => async () => {
    await checkReady();
    const downWorkers = store.figures.workers().flatMap(({ name, isUp }) => (isUp ? [] : name));
    // Still ready: the guilds of the other workers are served, here as on every instance.
    return answerText(
      JSON.stringify(downWorkers.length === 0 ? { status: 'ready' } : { status: 'degraded', downWorkers }),
    );
  }),
];

/** The OpenAPI document. It is built when a server starts, and compressed on the first request that accepts it. */
export function openApiEndpoint(build: () => object): Served {
  return forAnybody(publicRoute('/openapi.json'), () => {
    const document = prepare({
      content: JSON.stringify(build()),
      contentType: JSON_TYPE,
      headers: ['cache-control', 'no-cache'],
    });
    return ({ request }) => document.answer(request);
  });
}
