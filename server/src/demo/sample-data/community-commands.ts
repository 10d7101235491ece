import type { CommandChapter } from './command-chapter.ts';

export const ECONOMY_CHAPTER: CommandChapter = {
  category: 'Economy',
  commands: [
    {
      name: 'balance',
      description: 'Show how much coin an account holds.',
      help: [
        'Without a member it shows your own balance and your last five transactions.',
        'Usage: /balance [@member]',
      ],
      needs: ['Verified members only'],
    },
    {
      name: 'deposit',
      description: 'Pay coin into a member’s account.',
      help: [
        'The amount is per item and must be positive; the total is the amount times the quantity.',
        'The source tells later readers where the coin came from.',
        'Usage: /deposit @member name quantity amount source',
        'Example: /deposit @Bram_Fletcher "Iron Ingot" 12 4.5 market',
      ],
      needs: ['Treasurer role', 'Member is verified'],
    },
    {
      name: 'withdraw',
      description: 'Take coin from a member’s account.',
      help: [
        'Enter the amount as a positive number; the bot writes it to the ledger as a withdrawal.',
        'Usage: /withdraw @member name quantity amount source',
        'Example: /withdraw @Bram_Fletcher "Stable Fee" 2 4.5 shop',
      ],
      needs: ['Treasurer role', 'Member is verified'],
    },
    {
      name: 'transactions',
      description: 'Page through the ledger entries of an account.',
      help: [
        'Newest entries first, twenty to a page. Add a source to see only entries from there.',
        'Usage: /transactions [@member] [source] [page]',
        'Example: /transactions @mistwalker77 auction 2',
      ],
      needs: ['Verified members only', 'Cooldown of 3 seconds'],
    },
    {
      name: 'payday',
      description: 'Pay the weekly wage to everyone in a unit.',
      help: [
        'Writes one deposit for each verified member of the unit, with the source payroll.',
        'The bot shows the sum and the number of people and waits for your confirmation.',
        'Usage: /payday unit amount',
        'Example: /payday "Gatehouse Garrison" 40',
      ],
      needs: ['Treasurer role', 'Once a week for each unit'],
    },
    {
      name: 'fine',
      description: 'Withdraw a fine and record why.',
      help: [
        'The fine appears in the ledger with the source mod-bot and in the member’s case file.',
        'Usage: /fine @member amount reason',
        'Example: /fine @lucky_magpie 20 Brawling in the market',
      ],
      needs: ['Moderate Members permission', 'Member is verified'],
    },
    {
      name: 'richest',
      description: 'Show the ten fullest purses of the guild.',
      help: ['Members can hide themselves from this list in their settings.', 'Usage: /richest'],
      needs: ['Cooldown of 30 seconds'],
    },
  ],
};

export const EVENTS_CHAPTER: CommandChapter = {
  category: 'Events',
  commands: [
    {
      name: 'event-create',
      description: 'Announce an event and open its sign-up list.',
      help: [
        'Times are in UTC and shown to each reader in their own time zone.',
        'Usage: /event-create title date time [places]',
        'Example: /event-create "Siege Night" 2026-05-16 19:00 40',
      ],
      needs: ['Manage Events permission'],
    },
    {
      name: 'event-cancel',
      description: 'Call off an event and tell everyone who signed up.',
      help: [
        'Everyone on the list gets a direct message with your reason. Entry fees are paid back.',
        'Usage: /event-cancel event reason',
      ],
      needs: ['Manage Events permission'],
    },
    {
      name: 'join',
      description: 'Sign up for an event.',
      help: [
        'If no place is left you go on the waiting list and move up by yourself.',
        'Use /leave if you cannot come after all.',
        'Usage: /join event',
        'Example: /join "Siege Night"',
      ],
      needs: ['Verified members only'],
    },
    {
      name: 'leave',
      description: 'Give up your place at an event.',
      help: ['The first person on the waiting list gets your place at once.', 'Usage: /leave event'],
      needs: [],
    },
    {
      name: 'attendance',
      description: 'Record who came to an event.',
      help: [
        'Marks everyone in the given voice channel as present. Run it again to add latecomers.',
        'Usage: /attendance event channel',
        'Example: /attendance "Siege Night" #great-hall',
      ],
      needs: ['Manage Events permission', 'Event has begun'],
    },
    {
      name: 'calendar',
      description: 'List the events of the next four weeks.',
      help: ['Events you have signed up for are marked with a star.', 'Usage: /calendar'],
      needs: [],
    },
  ],
};

export const TAVERN_CHAPTER: CommandChapter = {
  category: 'Tavern',
  commands: [
    {
      name: 'roll',
      description: 'Roll dice for everyone to see.',
      help: [
        'Up to 20 dice with up to 100 sides, plus or minus a fixed number. One six-sided die if you say nothing.',
        'Usage: /roll [dice]',
        'Example: /roll 2d6+3',
      ],
      needs: [],
    },
    {
      name: 'round',
      description: 'Buy a round for everyone at the table.',
      help: [
        'Withdraws the price of one drink for each person in your voice channel, with the source tavern.',
        'Usage: /round drink',
        'Example: /round "Spiced Wine"',
      ],
      needs: ['Verified members only', 'In a voice channel', 'Enough coin in your account'],
    },
    {
      name: 'dice-table',
      description: 'Stake coin against the house.',
      help: [
        'You and the house each roll two dice; the higher sum takes the stake and the house wins a tie.',
        'Stakes are between 1 and 50 coins.',
        'Usage: /dice-table stake',
      ],
      needs: ['Verified members only', 'Cooldown of 15 seconds'],
    },
    {
      name: 'snail-race',
      description: 'Bet on one of six racing snails.',
      help: [
        'Betting is open for one minute, then the race is told step by step.',
        'Everyone who backed the winner shares the pot.',
        'Usage: /snail-race snail stake',
        'Example: /snail-race 4 2.5',
      ],
      needs: ['Verified members only', 'Tavern channel'],
    },
    {
      name: 'tale',
      description: 'Hear a tale from the guild’s chronicle.',
      help: [
        'Picks an entry that members sent in and officers approved. Name a tale to hear it again.',
        'Usage: /tale [title]',
      ],
      needs: ['Cooldown of 1 minute'],
    },
    {
      name: 'toast',
      description: 'Raise a mug to another member.',
      help: [
        'Counts on the toast board, which starts afresh every month. You cannot toast yourself.',
        'Usage: /toast @member [words]',
        'Example: /toast @Orla_Gale For holding the bridge',
      ],
      needs: [],
    },
  ],
};
