/**
 * The rights in the dashboard: one row per action on a guild, with the role it needs and its routes. The access check
 * reads the role of every route from here, and the pages show a button only to people who may use it. A route without
 * a row cannot be registered.
 */

export const ROLES = ['viewer', 'treasurer', 'manager'] as const;
export type Role = (typeof ROLES)[number];

interface Action {
  /** The lowest role that may do it. */
  role: Role;
  /**
   * Also needs the right on the chat platform itself, which is asked at that moment. An invited manager may not do
   * it.
   */
  needsPlatform?: true;
  /** Method and path below `/dashboard/api/guilds/{guildId}/`. */
  routes: readonly string[];
}

const records = (kind: string, id: string) => ({
  read: [`GET ${kind}`, `GET ${kind}/{${id}}`],
  export: [`GET ${kind}.csv`],
  change: [`POST ${kind}`, `POST ${kind}/import`, `PUT ${kind}/{${id}}`, `DELETE ${kind}/{${id}}`],
});
const discharges = records('discharges', 'dischargeId');
const transfers = records('transfers', 'transferId');

export const ACTIONS = {
  'ledger.read': {
    role: 'viewer',
    routes: [
      'GET overview',
      'GET overview/players',
      'GET players',
      'GET players/{playerId}',
      'GET players/{playerId}/activity',
      'GET players/{playerId}/balance',
      'GET players/{playerId}/statement',
      'GET players/{playerId}/transactions',
      'GET transactions',
      'GET transactions/sums',
      'GET events',
      'GET transactions/{transactionId}',
      'GET transactions/{transactionId}/receipt',
    ],
  },
  'records.read': { role: 'viewer', routes: [...discharges.read, ...transfers.read] },
  'people.read': {
    role: 'viewer',
    routes: [
      'GET verifications',
      'GET people',
      'GET people/{playerId}',
      'GET people/{playerId}/history',
      'GET names',
      'GET search',
      'GET avatars',
      'GET avatars/{chatId}',
      'GET icon',
    ],
  },
  'people.change': {
    role: 'manager',
    routes: [
      'PUT people/{playerId}/verification',
      'DELETE people/{playerId}/verification',
      'POST verifications/import',
    ],
  },
  'audit.read': { role: 'viewer', routes: ['GET audit'] },
  'samples.read': { role: 'viewer', routes: ['GET samples'] },
  export: {
    role: 'treasurer',
    routes: [
      ...discharges.export,
      ...transfers.export,
      'GET players/{playerId}/transactions.csv',
      'GET players/{playerId}/statement.csv',
      'GET transactions.csv',
      'GET audit.csv',
      'GET people.csv',
    ],
  },
  'records.change': { role: 'treasurer', routes: [...discharges.change, ...transfers.change] },
  /** Posts by hand, and finding the people that they are for. */
  'ledger.post': {
    role: 'treasurer',
    routes: [
      'POST transactions',
      'POST payments',
      'POST recipients',
      'GET chat-roles',
      'GET chat-roles/{chatRoleId}/recipients',
    ],
  },
  'ledger.correct': { role: 'treasurer', routes: ['POST players/{playerId}/transactions'] },
  'ledger.reverse': {
    role: 'treasurer',
    routes: ['POST transactions/{transactionId}/reversal', 'POST transactions/reversals'],
  },
  'settings.change': {
    role: 'manager',
    routes: [
      'PUT players/{playerId}/floor',
      'PUT settings',
      'GET chat',
      'PUT chat',
      'GET board',
      'PUT board',
      'GET board/preview',
    ],
  },
  'keys.read': {
    role: 'manager',
    routes: [
      'GET keys',
      'GET keys/{keyId}/usage',
      'GET keys/{keyId}/hours',
      'GET requests',
      'GET requests.csv',
      'GET requests/hours',
      'GET requests/jumps',
    ],
  },
  'keys.change': { role: 'manager', routes: ['PUT keys/{keyId}', 'DELETE keys/{keyId}'] },
  'keys.issue': { role: 'manager', needsPlatform: true, routes: ['POST keys', 'POST keys/{keyId}/rotation'] },
  /**
   * A change that lets a key do more than before. It has the same route as other changes; the change itself decides.
   */
  'keys.loosen': { role: 'manager', needsPlatform: true, routes: [] },
  'webhooks.read': {
    role: 'manager',
    routes: ['GET webhooks', 'GET webhooks/{webhookId}', 'GET webhooks/{webhookId}/attempts/{attemptId}'],
  },
  'webhooks.change': {
    role: 'manager',
    routes: [
      'POST webhooks',
      'PUT webhooks/{webhookId}',
      'DELETE webhooks/{webhookId}',
      'POST webhooks/{webhookId}/test',
      'POST webhooks/{webhookId}/replay',
      'POST webhooks/{webhookId}/rotate',
    ],
  },
  'roles.read': { role: 'manager', routes: ['GET roles'] },
  'roles.change': {
    role: 'manager',
    routes: [
      'PUT roles/chat-roles/{chatRoleId}',
      'DELETE roles/chat-roles/{chatRoleId}',
      'PUT roles/people/{chatId}',
      'DELETE roles/people/{chatId}',
      'POST roles/invitations',
      'DELETE roles/invitations/{invitationId}',
    ],
  },
  /** Giving the role manager to a person or a chat role: the same routes as other grants. */
  'roles.appoint': { role: 'manager', needsPlatform: true, routes: [] },
} as const satisfies Record<string, Action>;

/** Routes of the person's own account. They need no role: the person has to be a verified member of the guild at that moment. */
export const OWN_ACCOUNT_ROUTES: readonly string[] = [
  'GET me',
  'GET me/activity',
  'GET me/balance',
  'GET me/statement',
  'GET me/statement.csv',
  'GET me/transactions',
  'GET me/transactions.csv',
  'GET me/transactions/{transactionId}',
  'GET me/transactions/{transactionId}/receipt',
  'GET me/events',
  'GET me/icon',
];

export type ActionName = keyof typeof ACTIONS;
// The object above is a literal, so its keys are exactly these names.
export const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[];

const BELOW_GUILD = '/dashboard/api/guilds/{guildId}/';

interface GuildRoute {
  method: string;
  path: string;
}

/** Method and path below a guild; undefined for a route that belongs to no guild. */
function routeBelowGuild({ method, path }: GuildRoute): string | undefined {
  return path.startsWith(BELOW_GUILD) ? `${method} ${path.slice(BELOW_GUILD.length)}` : undefined;
}

/** True for a route of the person's own account. */
export function isOfOwnAccount(route: GuildRoute): boolean {
  return OWN_ACCOUNT_ROUTES.includes(routeBelowGuild(route) ?? '');
}

/** The action of a route with the role it needs; undefined for a route that needs no role in a guild. */
export function actionOf(of: GuildRoute): Action | undefined {
  const route = routeBelowGuild(of);
  if (route === undefined || isOfOwnAccount(of)) {
    return undefined;
  }
  const action = Object.values<Action>(ACTIONS).find(({ routes }) => routes.includes(route));
  if (action === undefined) {
    throw new Error(`${route} is in no row of the table of roles`);
  }
  return action;
}

/** All actions of a role; `isOnPlatform` is true for people who manage the guild on the platform too. */
export function actionsOf(role: Role, isOnPlatform: boolean): ActionName[] {
  return ACTION_NAMES.filter((name) => {
    const action: Action = ACTIONS[name];
    const isHighEnough = ROLES.indexOf(role) >= ROLES.indexOf(action.role);
    return isHighEnough && (isOnPlatform || action.needsPlatform !== true);
  });
}
