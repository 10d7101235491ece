import type { SampleGuild } from './types.ts';

export interface GuildPlan {
  name: string;
  plan: SampleGuild['plan'];
  /** The part of all members, records and transactions that this guild holds. */
  share: number;
  officerCount: number;
  /** Every name reads well after "the", because discharge reasons put it there. */
  units: readonly string[];
}

export const GUILD_PLANS: readonly GuildPlan[] = [
  {
    name: 'The Emberhold Vanguard',
    plan: 'enterprise',
    share: 0.6,
    officerCount: 10,
    units: [
      'First Company',
      'Lantern Company',
      'Thornwall Company',
      'River Watch',
      'Ember Guard',
      'Outriders',
      'Gatehouse Garrison',
      'Siege Train',
      'Quartermaster Corps',
      'Field Infirmary',
    ],
  },
  {
    name: 'Brackwater Trading League',
    plan: 'developer',
    share: 0.3,
    officerCount: 6,
    units: [
      'Harbour Office',
      'North Convoy',
      'South Convoy',
      'Dock Wardens',
      'Counting House',
      'Shipwrights',
      'Coastal Surveyors',
    ],
  },
  {
    name: 'Wardens of Lanternmere',
    plan: 'none',
    share: 0.1,
    officerCount: 3,
    units: ['Lake Patrol', 'Bridge Watch', 'Herb Garden', 'Night Lanterns'],
  },
];
