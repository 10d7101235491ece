import { Build } from 'typebox/schema';
import type { Plugin } from 'vite';
import * as commands from '../server/src/wire/commands.ts';
import * as dashboard from '../server/src/wire/dashboard.ts';
import * as board from '../server/src/wire/dashboard-board.ts';
import * as chat from '../server/src/wire/dashboard-chat.ts';
import * as corrections from '../server/src/wire/dashboard-corrections.ts';
import * as invitations from '../server/src/wire/dashboard-invitations.ts';
import * as ledger from '../server/src/wire/dashboard-ledger.ts';
import * as ownAccount from '../server/src/wire/dashboard-own-account.ts';
import * as people from '../server/src/wire/dashboard-people.ts';
import * as pictures from '../server/src/wire/dashboard-pictures.ts';
import * as posts from '../server/src/wire/dashboard-posts.ts';
import * as preferences from '../server/src/wire/dashboard-preferences.ts';
import * as receipts from '../server/src/wire/dashboard-receipts.ts';
import * as records from '../server/src/wire/dashboard-records.ts';
import * as statements from '../server/src/wire/dashboard-statements.ts';
import * as webhooks from '../server/src/wire/dashboard-webhooks.ts';
import { DATE_PATTERNS } from '../server/src/wire/dates.ts';
import * as keyLog from '../server/src/wire/key-log.ts';

/** The answers that the first pages of a visit read. Their checks are in the first scripts, the others in a script of their own. */
const firstReplies = [
  ...['SessionReply', 'GuildsReply', 'AvatarsReply', 'NamesReply', 'AboutReply', 'LedgerNewsReply'],
  ...[
    'OverviewReply',
    'TopPlayersReply',
    'AuditReply',
    'KeysReply',
    'RefusalJumpsReply',
    'DashboardWebhooksReply',
  ],
  ...['PlayerReply', 'OwnAccountReply', 'ProfileReply', 'PlayerActivityReply', 'PlayerTransactionsReply'],
];
const isFirst = (name: string) => firstReplies.includes(name);

/** For each module, a function that is true for the answers whose checks it has. */
const modules: Readonly<Record<string, (name: string) => boolean>> = {
  'virtual:reply-checks/first': isFirst,
  'virtual:reply-checks/others': (name) => !isFirst(name),
};

/** A JSON schema, as far as the wire schemas use it. */
interface Schema {
  format?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  [rule: string]: unknown;
}

const checkedRules = ['type', 'required', 'enum', 'const', 'pattern', 'format', 'items', 'properties'];
// Comments, the names of free-form fields, and limits of what is sent to the service, which applies them itself.
const ignoredRules = [
  'description',
  'examples',
  'patternProperties',
  'additionalProperties',
  'minLength',
  'maxLength',
  'maxItems',
  'minimum',
  'maximum',
  'x-rule',
  'x-documented-rules',
];
const datePatterns: Readonly<Record<string, RegExp>> = DATE_PATTERNS;

/**
 * Serves the modules of `virtual:reply-checks`: for each answer that the pages read, a function that makes its check, compiled from its wire
 * schema. They are compiled during the build because the content security policy of the pages forbids it in the browser. A
 * page makes only the checks of the answers it reads.
 */
export function replyChecks(): Plugin {
  return {
    name: 'reply-checks',
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    load(id) {
      const isWanted = modules[id.replace('\0', '')];
      return isWanted && compileReplyChecks(isWanted);
    },
  };
}

function compileReplyChecks(isWanted: (name: string) => boolean): string {
  const parts = Object.entries<unknown>({
    ...commands,
    ...dashboard,
    ...board,
    ...chat,
    ...corrections,
    ...invitations,
    ...ledger,
    ...ownAccount,
    ...people,
    ...pictures,
    ...posts,
    ...keyLog,
    ...preferences,
    ...receipts,
    ...records,
    ...statements,
    ...webhooks,
  });
  const replies = parts.filter(isReply);
  const unknown = firstReplies.find((name) => !replies.some(([reply]) => reply === name));
  if (unknown !== undefined) throw new Error(`no wire schema has the name ${unknown}`);
  const wanted = replies.filter(([name]) => isWanted(name));
  const makers = wanted.map(([name, schema]) => `  ${name}: ${compileCheck(schema)},\n`);
  return `export const checkMakers = {\n${makers.join('')}};\n`;
}

function isReply(part: [name: string, unknown]): part is [name: string, Schema] {
  return part[0].endsWith('Reply');
}

/** A function that makes the check. It declares the patterns of the schema as an array before its functions. */
function compileCheck(schema: Schema): string {
  const build = Build(checkedPart(schema));
  const { identifier, variables } = build.External();
  const functions = build.Functions().join(';\n');
  if (!variables.every((variable) => variable instanceof RegExp) || /\b(?:Guard|Hashing)\./.test(functions)) {
    throw new Error('the check of an answer would need a part of TypeBox in the browser');
  }
  return `() => { const ${identifier} = [${variables.join(', ')}];\n${functions};\nreturn (value) => ${build.Entry()}; }`;
}

/** The schema without what is not checked. Of the formats, only dates are, by their pattern. */
function checkedPart(schema: Schema): Schema {
  const unknownRule = Object.keys(schema).find((rule) => ![...checkedRules, ...ignoredRules].includes(rule));
  if (unknownRule !== undefined) throw new Error(`${unknownRule} is neither checked nor ignored in answers`);
  const rules = Object.entries(schema).filter(([rule]) => checkedRules.includes(rule));
  const { format = '', items, properties, ...others }: Schema = Object.fromEntries(rules);
  const pattern = datePatterns[format]?.source;
  return {
    ...others,
    ...(pattern !== undefined && { pattern }),
    ...(items && { items: checkedPart(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, checkedPart(property)]),
      ),
    }),
  };
}
