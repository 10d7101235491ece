import type { ErrorCode } from '../../server/src/domain/errors.ts';
import type { Endpoint, Route } from '../../server/src/http/endpoint.ts';
import { DASHBOARD_ROUTES } from '../../server/src/http/endpoints.ts';
import { buildOpenApi } from '../../server/src/http/openapi/document.ts';
import { Type } from '../../server/src/wire/type.ts';

type Json = Record<string, unknown>;
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Json };
}
interface Operation {
  security: Json[];
  responses: Record<string, { description: string; content?: Json }>;
}

const BELOW_GUILD = '/dashboard/api/guilds/{guildId}/';
const CSV = /\.csv$/;
const SIGN_IN = /\/(?:sign-in|callback)$/;

/**
 * Describes the routes of the dashboard, which serve our own pages and are not in the published document. Everything but the
 * refusals comes from the routes themselves.
 */
export function buildSessionDocument(): Document {
  const document = buildOpenApi(DASHBOARD_ROUTES.map(toEndpoint)) as Document;
  for (const route of DASHBOARD_ROUTES) {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    if (operation !== undefined) {
      finish(operation, route);
    }
  }
  document.components.securitySchemes = {
    session: { type: 'apiKey', in: 'cookie', name: 'guildbook_session' },
    csrf: { type: 'apiKey', in: 'header', name: 'x-csrf-token' },
  };
  return document;
}

/** Refusals beside those of every route of its kind, by method and path below the guild. */
const OWN_ERRORS: Record<string, readonly ErrorCode[]> = {
  ...Object.fromEntries(
    ['discharges', 'transfers'].flatMap((kind): [string, ErrorCode[]][] => [
      [`POST ${kind}`, ['record_exists']],
      [`PUT ${kind}/{${kind.slice(0, -1)}Id}`, ['record_changed']],
      [`DELETE ${kind}/{${kind.slice(0, -1)}Id}`, ['record_changed']],
    ]),
  ),
  'POST players/{playerId}/transactions': ['overdraft_unconfirmed', 'idempotency_mismatch'],
  'POST transactions/{transactionId}/reversal': ['already_reversed', 'idempotency_mismatch'],
  'POST keys': ['key_limit'],
  'POST webhooks': ['webhook_limit'],
  'POST webhooks/{webhookId}/replay': ['webhook_disabled'],
};

function toEndpoint(route: Route): Endpoint {
  const operationId = `${route.method} ${route.path}`.replaceAll(/\W+/g, '_');
  const codes = new Set<ErrorCode>(['invalid_input']);
  if (route.access === 'session') {
    codes.add('session_required');
  }
  if (route.method !== 'GET') {
    codes.add('cross_site');
  }
  if (route.path.startsWith(BELOW_GUILD)) {
    codes.add('role_required').add('guild_not_found');
  }
  if (route.body !== undefined || route.isStreamed === true) {
    codes.add('body_too_large').add('unsupported_media_type');
  }
  for (const code of OWN_ERRORS[`${route.method} ${route.path.replace(BELOW_GUILD, '')}`] ?? []) {
    codes.add(code);
  }
  return {
    ...route,
    access: 'public',
    operationId,
    tag: 'dashboard',
    summary: operationId,
    description: operationId,
    reply: route.reply ?? Type.Unknown(),
    examples: {},
    errors: Array.from(codes, (code) => ({ code, detail: '' })),
  };
}

/** Adds what the published document has no words for: sessions, files, and redirects. */
function finish(operation: Operation, route: Route): void {
  const isChange = route.method !== 'GET';
  operation.security = [{ session: [], ...(isChange && { csrf: [] }) }];
  if (route.access === 'public' || SIGN_IN.test(route.path)) {
    operation.security = [];
  }
  const success = operation.responses[200];
  if (CSV.test(route.path) && success !== undefined) {
    success.content = { 'text/csv': { schema: { type: 'string' } } };
  }
  if (SIGN_IN.test(route.path)) {
    operation.responses = { 302: { description: 'To the chat platform, or to a page of the dashboard' } };
  }
}
