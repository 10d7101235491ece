/** Kinds of discharge with how often each occurs, and reasons whose {words} are filled in later. */

export interface DischargeKind {
  type: string;
  weight: number;
  /** Nobody comes back from it. */
  isFinal: boolean;
  reasons: readonly string[];
}

export const DISCHARGE_KINDS: readonly DischargeKind[] = [
  {
    type: 'honourable',
    weight: 35,
    isFinal: false,
    reasons: [
      'Completed {months} months of service with the {unit} and leaves in good standing.',
      'Term of service ended; chose not to renew. Thanked in front of the whole {unit}.',
      'Moving to a time zone that makes evening drills impossible. Welcome back at any time.',
      'Starting a new job and can no longer keep the attendance the {unit} asks for.',
      'Exams until the end of term; asked to leave rather than hold a place others need.',
      'Requested release to help a friend found a guild of their own.',
      'Leaves after leading {count} patrols without losing a single member.',
      'Steps back to spend more time with family. {officer} recommends immediate re-entry on request.',
      'Asked for release after the northern campaign, with every duty handed over in order.',
      'Trained {count} recruits for the {unit} before asking to be released.',
      'Left on request. All borrowed equipment was returned clean and counted.',
      'Service complete. Awarded the Silver Lantern for conduct during the winter siege.',
      'Wishes to play as a civilian merchant from now on; no complaints on either side.',
    ],
  },
  {
    type: 'general',
    weight: 25,
    isFinal: false,
    reasons: [
      'Absent for {days} days without notice; two messages went unanswered.',
      'Missed {count} muster calls in a row. May apply again after one month.',
      'Did not finish basic training within the time allowed.',
      'Unable to agree on duties with the {unit}; released by mutual consent.',
      'Inactive since the last roster review, which {officer} carried out.',
      'Joined a second guild with conflicting event times and chose to stay there.',
      'Repeatedly late to convoy duty. No ill will, but the post must be filled.',
      'Left the chat server without handing over the duties of the post.',
      'Position closed when the {unit} was reduced to its summer strength.',
      'Returned uniform and keys after {days} days on the reserve list.',
      'Could not be verified again after changing game accounts.',
      'Prefers solo play and no longer takes part in exercises of the {unit}.',
    ],
  },
  {
    type: 'retirement',
    weight: 18,
    isFinal: true,
    reasons: [
      'Retires after {months} months of service, most of them with the {unit}.',
      'Retires from active duty and joins the veterans’ table as an adviser.',
      'Hangs up the sword after {count} campaigns. A farewell feast was held in the great hall.',
      'Retires from the game altogether and gave the last of their coin to the recruits’ fund.',
      'Long-serving member of the {unit}; retires with the right to wear the colours.',
      'Steps down so that a younger sergeant can take the post. {officer} read the citation.',
      'Retires to keep the archive, where {months} months of experience will not be lost.',
      'Retires with full honours after the anniversary parade.',
    ],
  },
  {
    type: 'medical',
    weight: 12,
    isFinal: false,
    reasons: [
      'Wrist injury outside the game; advised not to play for at least {days} days.',
      'Eye strain from long sessions. Released on their own request, with our best wishes.',
      'Recovering from surgery and cannot promise a date of return.',
      'Needs a longer rest than leave rules allow; the place will be kept on the reserve list.',
      'Advised by a doctor to avoid late nights, which rules out the watches of the {unit}.',
      'Health reasons, details known to {officer}. No further questions are to be asked.',
      'Returned too early from sick leave and asks to be released properly this time.',
      'In-character: lost a leg holding the bridge. The player asked to retire the character.',
    ],
  },
  {
    type: 'dishonourable',
    weight: 10,
    isFinal: true,
    reasons: [
      'Took {count} ingots from the guild store without signing for them and denied it when asked.',
      'Sold equipment of the {unit} at auction for personal gain.',
      'Passed patrol routes to a rival guild ahead of the spring campaign.',
      'Harassment of a recruit, confirmed by chat records that {officer} reviewed.',
      'Used a second account to vote twice in the officers’ election.',
      'Deserted the {unit} during an event after being warned {count} times.',
      'Exploited a duplication bug and spent the proceeds before it was corrected.',
      'Forged a signature on a transfer request. Appeal heard and refused.',
      'Repeated abuse in voice chat despite a mute of {days} days.',
    ],
  },
];
