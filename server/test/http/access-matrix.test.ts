import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/domain/model.ts';
import { ENDPOINTS } from '../../src/http/endpoints.ts';
import { type FilledService, GUILD_ID, startFilledService } from './filled-service.ts';

/** None, each alone, and all. */
const SCOPE_SETS: readonly (readonly Scope[])[] = [[], ...SCOPES.map((scope) => [scope]), SCOPES];
const ROUTES = ENDPOINTS.filter(({ access }) => access === 'key');
const CASES = ROUTES.flatMap((route) =>
  SCOPE_SETS.map((scopes) => ({
    route,
    scopes,
    name: route.operationId,
    listed: scopes.join(' ') || 'none',
  })),
);

let service: FilledService;
beforeAll(async () => {
  service = await startFilledService();
});
afterAll(() => service.stop());

/** A request whose parameters name nothing that exists, without a body. */
function requestOf({ method, path }: (typeof ROUTES)[number]) {
  return { method, url: path.replaceAll(/\{\w+\}/g, '01890000-0000-7000-8000-000000000000') };
}

test.each(CASES)('$name with $listed: only the scope it names opens it', async ({ route, scopes }) => {
  const { value } = await service.addKey(GUILD_ID, scopes);
  const reply = await service.ask({ ...requestOf(route), key: value });
  const isOpen = route.scope === undefined || scopes.includes(route.scope);
  if (isOpen) {
    expect([200, 400, 404]).toContain(reply.status);
  } else {
    expect(reply.status).toBe(403);
    expect(reply.body.message).toBe(`Forbidden - missing required scope: ${route.scope}`);
  }
});

test.each(ROUTES)('$operationId without a key is refused', async (route) => {
  expect((await service.ask({ ...requestOf(route), key: undefined })).status).toBe(401);
});
