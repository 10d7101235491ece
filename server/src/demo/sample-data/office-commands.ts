import type { CommandChapter } from './command-chapter.ts';

export const MODERATION_CHAPTER: CommandChapter = {
  category: 'Moderation',
  commands: [
    {
      name: 'warn',
      description: 'Give a member a written warning.',
      help: [
        'Stores the warning in the member’s file and sends it to them as a direct message.',
        'Three open warnings notify the officers’ channel.',
        'Usage: /warn @member reason',
        'Example: /warn @mistwalker77 Shouting over the herald during muster',
      ],
      needs: ['Moderate Members permission'],
    },
    {
      name: 'warnings',
      description: 'List the warnings of a member.',
      help: [
        'Shows open warnings first, then those that have lapsed. Members may look up their own.',
        'Usage: /warnings [@member]',
      ],
      needs: [],
    },
    {
      name: 'mute',
      description: 'Silence a member in text and voice for a while.',
      help: [
        'The mute ends by itself. Durations are written with a unit: 10m, 6h or 3d, up to 28 days.',
        'Usage: /mute @member duration reason',
        'Example: /mute @grim_heron 6h Insults after the tournament',
      ],
      needs: ['Moderate Members permission', 'Bot role above the member’s highest role'],
    },
    {
      name: 'unmute',
      description: 'End a mute before its time.',
      help: [
        'The reason is added to the entry of the original mute, so that the history stays in one place.',
        'Usage: /unmute @member reason',
      ],
      needs: ['Moderate Members permission'],
    },
    {
      name: 'purge',
      description: 'Delete the latest messages of a channel.',
      help: [
        'Deletes up to 100 messages that are not older than 14 days. Pinned messages are kept.',
        'Name a member to delete only what they wrote.',
        'Usage: /purge count [@member]',
        'Example: /purge 25 @stormcaller9',
      ],
      needs: ['Manage Messages permission', 'Cooldown of 10 seconds'],
    },
    {
      name: 'casefile',
      description: 'Show everything moderators noted about a member.',
      help: [
        'Warnings, mutes, fines and notes in one list, newest first. The answer is visible only to you.',
        'Usage: /casefile @member [page]',
      ],
      needs: ['Moderate Members permission'],
    },
    {
      name: 'note',
      description: 'Add a private note to a member’s case file.',
      help: [
        'Notes are seen by moderators only and never sent to the member. They cannot be edited afterwards.',
        'Usage: /note @member text',
        'Example: /note @SquireWren Apologised in person, treat the matter as settled',
      ],
      needs: ['Moderate Members permission'],
    },
  ],
};

export const RECORDS_CHAPTER: CommandChapter = {
  category: 'Records',
  commands: [
    {
      name: 'discharge',
      description: 'File the discharge of a member.',
      help: [
        'Writes a discharge record signed with your name and removes the member’s unit roles.',
        'Types: honourable, general, dishonourable, medical, retirement. The date is today unless given.',
        'Usage: /discharge @member type unit reason [date]',
        'Example: /discharge @Rowan_Ashford honourable "River Watch" Term of service ended 2026-03-14',
      ],
      needs: ['Officer role', 'Member is verified'],
    },
    {
      name: 'discharge-view',
      description: 'Look up a discharge by its identifier.',
      help: [
        'Shows the person, type, unit, reason and signature of one discharge of this guild.',
        'Usage: /discharge-view id',
        'Example: /discharge-view dis_4k7m2x9qpa',
      ],
      needs: [],
    },
    {
      name: 'transfer',
      description: 'Move a member from one unit to another.',
      help: [
        'Swaps the unit roles and writes a transfer record with the exact time.',
        'The target must be a different unit from the one the member serves in.',
        'Usage: /transfer @member from-unit to-unit',
        'Example: /transfer @KestrelVane "Ember Guard" "Outriders"',
      ],
      needs: ['Officer role', 'Member is verified'],
    },
    {
      name: 'transfer-view',
      description: 'Look up a transfer by its identifier.',
      help: [
        'Shows who moved, from where to where, when, and which officer signed.',
        'Usage: /transfer-view id',
        'Example: /transfer-view trf_8c3vd05wtn',
      ],
      needs: [],
    },
    {
      name: 'service',
      description: 'Show the service history of a member.',
      help: [
        'Lists transfers and discharges in order of time, including those under past accounts.',
        'Without a member it shows your own history.',
        'Usage: /service [@member]',
      ],
      needs: ['Member is verified'],
    },
    {
      name: 'roster',
      description: 'List the members of a unit.',
      help: [
        'Names are sorted by rank and then by time in the unit. Without a unit you get the head count of each.',
        'Usage: /roster [unit]',
        'Example: /roster "Lantern Company"',
      ],
      needs: [],
    },
  ],
};

export const VERIFICATION_CHAPTER: CommandChapter = {
  category: 'Verification',
  commands: [
    {
      name: 'verify',
      description: 'Link your game account to your chat account.',
      help: [
        'The bot sends a short code. Put it in your game profile and press Confirm within ten minutes.',
        'You may remove the code once the bot has answered.',
        'Usage: /verify username',
        'Example: /verify quiet_otter',
      ],
      needs: ['Direct messages from the bot allowed'],
    },
    {
      name: 'reverify',
      description: 'Link a new game account and keep the old one on file.',
      help: [
        'Works like /verify. The account you used before moves to the list of past accounts.',
        'Usage: /reverify username',
      ],
      needs: ['Verified members only', 'Once in 7 days'],
    },
    {
      name: 'whois',
      description: 'Show the verification of a person.',
      help: [
        'Accepts a mention, a chat identifier, a game identifier or a username.',
        'Usage: /whois person',
        'Example: /whois 48213907',
        'Example: /whois HazelLockwood',
      ],
      needs: [],
    },
    {
      name: 'past-accounts',
      description: 'List the earlier game accounts of a member.',
      help: [
        'The most recent account comes first. The answer is visible only to you.',
        'Usage: /past-accounts @member',
      ],
      needs: ['Moderate Members permission'],
    },
    {
      name: 'update-name',
      description: 'Fetch your current username from the game.',
      help: [
        'Use it after renaming your game account, so that records and nicknames show the new name.',
        'Usage: /update-name',
      ],
      needs: ['Verified members only', 'Cooldown of 5 minutes'],
    },
    {
      name: 'unlink',
      description: 'Remove the verification of a member.',
      help: [
        'Discharges, transfers and ledger entries are kept; only the link is removed.',
        'The bot asks you to type the username before it goes ahead.',
        'Usage: /unlink @member',
      ],
      needs: ['Administrator permission'],
    },
  ],
};
