import { answerText, JSON_TYPE, toBody } from '../answer.ts';
import { forAnybody, type Served } from '../served.ts';
import { publicRoute } from './public-route.ts';

/** Liveness and readiness, for the operator's tools. */
export const HEALTH_ENDPOINTS: readonly Served[] = [
  forAnybody(publicRoute('/livez'), () => () => answerText('{"status":"alive"}')),
  forAnybody(publicRoute('/readyz'), ({ checkReady }) => async () => {
    await checkReady();
    return answerText('{"status":"ready"}');
  }),
];

/** The OpenAPI document. It is built when a server starts. */
export function openApiEndpoint(build: () => object): Served {
  return forAnybody(publicRoute('/openapi.json'), () => {
    const body = toBody(JSON.stringify(build()));
    return () => ({ body, contentType: JSON_TYPE, headers: ['cache-control', 'no-cache'] });
  });
}
