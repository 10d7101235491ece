import { createGuildRoles } from './access/guild-roles.ts';
import type { Guilds } from './access/guilds.ts';
import { createInvitations } from './access/invitations.ts';
import { createPersonPreferences } from './access/preferences.ts';
import { createAuditLog } from './audit-log.ts';
import { createReadBoard } from './board/read-board.ts';
import { createPostBatch } from './ledger/batches.ts';
import { createSetFloor } from './ledger/floors.ts';
import { createGuildLedger } from './ledger/guild-ledger.ts';
import { createGuildPosts } from './ledger/guild-posts.ts';
import { createLedgerHistory } from './ledger/history.ts';
import { createLedger } from './ledger/ledger.ts';
import { createOwnLedgers } from './ledger/own-account.ts';
import { createPay } from './ledger/payments.ts';
import { createReverse } from './ledger/reversals.ts';
import type { BotCommand } from './model.ts';
import type { ChatDirectory } from './people/chat-directory.ts';
import { createChatMembers } from './people/chat-members.ts';
import { createChatNames } from './people/chat-names.ts';
import { createChatPictures, type PictureHost } from './people/chat-pictures.ts';
import { createGuildAvatars } from './people/guild-avatars.ts';
import { createGuildMembers } from './people/guild-members.ts';
import { createGuildNames } from './people/guild-names.ts';
import { createGuildPeople } from './people/guild-people.ts';
import { createGuildSearch } from './people/guild-search.ts';
import { createRecipients } from './people/recipients.ts';
import { createRoleRecipients } from './people/role-recipients.ts';
import { createVerifications } from './people/verifications.ts';
import type { Clock, IdSource, Store } from './ports.ts';
import { createCommands } from './records/commands.ts';
import { createRecords } from './records/records.ts';

/** The rules behind the endpoints, by name. A rule that is added here reaches every handler. */
export type Rules = ReturnType<typeof createRules>;

export function createRules(
  { clock, ids }: { clock: Clock; ids: IdSource },
  {
    store,
    guilds,
    editsVerifications,
    directory,
    pictureHost,
    builtInCommands,
    pause,
  }: {
    store: Store;
    guilds: Guilds;
    editsVerifications: boolean;
    directory: ChatDirectory | undefined;
    pictureHost: PictureHost | undefined;
    builtInCommands: readonly BotCommand[];
    pause: (durationMs: number) => Promise<unknown>;
  },
) {
  const posting = { store: store.ledger, entries: store.entries, clock, ids };
  const ledger = createLedger(posting);
  const reverse = createReverse(posting);
  const pay = createPay(posting);
  const setFloor = createSetFloor({ ...posting, guilds });
  const verifications = createVerifications({ store: store.verifications, clock });
  const { discharges, transfers, ledgerViews: views, entries, members } = store;
  const guildMembers = createGuildMembers({
    guilds,
    members,
    verificationStore: store.verifications,
    discharges,
    transfers,
    views,
    clock,
    editsVerifications,
  });
  const commands = createCommands({ store: store.commands, clock, builtIn: builtInCommands });
  const recipients = createRecipients({ guilds, members, views, clock });
  const guildNames = createGuildNames({
    guilds,
    verificationStore: store.verifications,
    discharges,
    transfers,
    entries: store.entries,
    clock,
  });
  const chatMembers = createChatMembers({ directory, clock, pause });
  const chatNames = createChatNames({
    sessionStore: store.sessions,
    names: guildNames,
    members: chatMembers,
  });
  const chatPictures = createChatPictures(pictureHost, clock);
  const guildLedger = createGuildLedger({
    views,
    ledger,
    reverse,
    setFloor,
    entries,
    discharges,
    transfers,
    guilds,
    clock,
  });
  return {
    guildNames,
    chatPictures,
    guildAvatars: createGuildAvatars({
      guilds,
      names: guildNames,
      members: chatMembers,
      pictures: chatPictures,
      sessionStore: store.sessions,
      roles: store.roles,
      clock,
    }),
    records: createRecords({ discharges, transfers, guilds, clock, ids }),
    verifications,
    commands,
    readBoard: createReadBoard({ guilds, views, commands, chat: store.chat, clock }),
    ledger,
    ledgerHistory: createLedgerHistory({ store: store.entries }),
    postBatch: createPostBatch(posting),
    reverse,
    pay,
    guildPosts: createGuildPosts({ ...posting, views, guilds, pay }),
    recipients,
    roleRecipients: createRoleRecipients({ directory, recipients, guilds }),
    guildLedger,
    ownLedgers: createOwnLedgers({ guilds, views, guildLedger }),
    guildPeople: createGuildPeople({ guilds, verifications, discharges, transfers, views, clock }),
    guildMembers,
    guildSearch: createGuildSearch({
      guilds,
      members: guildMembers,
      verifications,
      discharges,
      transfers,
      entries,
      keyStore: store.keys,
      clock,
    }),
    guildRoles: createGuildRoles({
      store: store.roles,
      guilds,
      sessionStore: store.sessions,
      chatNames,
      clock,
    }),
    invitations: createInvitations({
      store: store.invitations,
      guilds,
      chatNames,
      clock,
      ids,
    }),
    preferences: createPersonPreferences(store.preferences),
    auditLog: createAuditLog({
      store: store.audit,
      guilds,
      keyStore: store.keys,
      chatNames,
      discharges: store.discharges,
      transfers: store.transfers,
      names: guildNames,
    }),
  };
}
