import { plural, t } from '@lingui/core/macro';
import { lazily } from '../components/lazily.ts';

// Texts about one kind of records. Each is a message of its own: in most languages the kind changes more of a text than its noun.

export interface RecordTexts {
  one: string;
  add: string;
  addOne: string;
  edit: string;
  added: string;
  changed: string;
  deleted: string;
  restored: string;
  notAdded: string;
  notDeleted: string;
  notRestored: string;
  notLoaded: string;
  noneLoaded: string;
  noSuch: string;
  noneYet: string;
  noneMatches: string;
  changedMeanwhile: string;
  deletedMeanwhile: string;
  perhapsAdded: string;
  deleteQuestion: string;
  keepIt: string;
  deleteIt: string;
  date: string;
  caption: string;
  pages: string;
  importAll: string;
  importCount: (count: number) => string;
  count: (count: number) => string;
  countMatching: (count: number) => string;
}

export const dischargeTexts = lazily(
  (): RecordTexts => ({
    one: t`Discharge`,
    add: t`Add discharge`,
    addOne: t`Add a discharge`,
    edit: t`Edit this discharge`,
    added: t`Discharge added`,
    changed: t`Discharge changed`,
    deleted: t`Discharge deleted`,
    restored: t`Discharge restored`,
    notAdded: t`No discharge was added`,
    notDeleted: t`The discharge was not deleted`,
    notRestored: t`The discharge was not restored`,
    notLoaded: t`The discharge could not be loaded`,
    noneLoaded: t`The discharges could not be loaded`,
    noSuch: t`There is no such discharge`,
    noneYet: t`No discharges yet`,
    noneMatches: t`No discharge matches`,
    changedMeanwhile: t`Somebody else changed this discharge meanwhile`,
    deletedMeanwhile: t`Somebody deleted this discharge meanwhile`,
    perhapsAdded: t`The discharge may or may not have been added. Look for it in the list before you try again.`,
    deleteQuestion: t`Delete this discharge?`,
    keepIt: t`Keep the discharge`,
    deleteIt: t`Delete discharge`,
    date: t`Date of the discharge`,
    caption: t`Discharges of this guild`,
    pages: t`Pages of discharges`,
    importAll: t`Import discharges`,
    importCount: (count) => plural(count, { one: 'Import # discharge', other: 'Import # discharges' }),
    count: (count) => plural(count, { one: '# discharge', other: '# discharges' }),
    countMatching: (count) => plural(count, { one: '# discharge matches', other: '# discharges match' }),
  }),
);

export const transferTexts = lazily(
  (): RecordTexts => ({
    one: t`Transfer`,
    add: t`Add transfer`,
    addOne: t`Add a transfer`,
    edit: t`Edit this transfer`,
    added: t`Transfer added`,
    changed: t`Transfer changed`,
    deleted: t`Transfer deleted`,
    restored: t`Transfer restored`,
    notAdded: t`No transfer was added`,
    notDeleted: t`The transfer was not deleted`,
    notRestored: t`The transfer was not restored`,
    notLoaded: t`The transfer could not be loaded`,
    noneLoaded: t`The transfers could not be loaded`,
    noSuch: t`There is no such transfer`,
    noneYet: t`No transfers yet`,
    noneMatches: t`No transfer matches`,
    changedMeanwhile: t`Somebody else changed this transfer meanwhile`,
    deletedMeanwhile: t`Somebody deleted this transfer meanwhile`,
    perhapsAdded: t`The transfer may or may not have been added. Look for it in the list before you try again.`,
    deleteQuestion: t`Delete this transfer?`,
    keepIt: t`Keep the transfer`,
    deleteIt: t`Delete transfer`,
    date: t`Date of the transfer`,
    caption: t`Transfers of this guild`,
    pages: t`Pages of transfers`,
    importAll: t`Import transfers`,
    importCount: (count) => plural(count, { one: 'Import # transfer', other: 'Import # transfers' }),
    count: (count) => plural(count, { one: '# transfer', other: '# transfers' }),
    countMatching: (count) => plural(count, { one: '# transfer matches', other: '# transfers match' }),
  }),
);
