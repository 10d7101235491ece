import { GUILD_WRITES } from './access/guilds.ts';
import { INSTANCE_WRITES } from './access/instances.ts';
import { INVITATION_WRITES } from './access/invitations.ts';
import { REQUEST_WRITES } from './access/key-requests.ts';
import { KEY_WRITES } from './access/keys.ts';
import { PREFERENCE_WRITES } from './access/preferences.ts';
import { ROLE_WRITES } from './access/roles.ts';
import { SESSION_WRITES } from './access/sessions.ts';
import { BOARD_WRITES } from './board/boards.ts';
import { CHAT_WRITES } from './chat/chat.ts';
import { SCHEMA_STEP_WRITES } from './operations/schema-steps.ts';
import { VERIFICATION_WRITES } from './people/verifications.ts';
import { COMMAND_WRITES } from './records/commands.ts';
import { RECORD_WRITES } from './records/records.ts';
import { RETENTION_WRITES } from './retention/retention.ts';
import { SEAL_WRITES } from './seal/seal-logs.ts';
import { WEBHOOK_WRITES } from './webhooks/webhooks.ts';

/** Every write that an engine runs by its name. */
export const WRITES = {
  ...GUILD_WRITES,
  ...INSTANCE_WRITES,
  ...KEY_WRITES,
  ...REQUEST_WRITES,
  ...PREFERENCE_WRITES,
  ...ROLE_WRITES,
  ...INVITATION_WRITES,
  ...SESSION_WRITES,
  ...BOARD_WRITES,
  ...CHAT_WRITES,
  ...COMMAND_WRITES,
  ...RECORD_WRITES,
  ...RETENTION_WRITES,
  ...SCHEMA_STEP_WRITES,
  ...SEAL_WRITES,
  ...VERIFICATION_WRITES,
  ...WEBHOOK_WRITES,
};
