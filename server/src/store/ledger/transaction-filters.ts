import type { TransactionFilter } from '../../domain/model.ts';

/** A filter of transactions. Conditions, values, cache keys and tests in the process are all derived from it. */
interface FilterDeclaration {
  readonly name: keyof TransactionFilter;
  readonly column: 'amount' | 'source';
  readonly operator: '>=' | '<=' | '=';
  /** The field of a row that the column is read into. */
  readonly field: 'amountUnits' | 'source';
  /** True when the index by time has the column, so that a guild's list can test it before the row is fetched. */
  readonly isInTimeIndex: boolean;
}

const FILTERS = [
  { name: 'minUnits', column: 'amount', operator: '>=', field: 'amountUnits', isInTimeIndex: true },
  { name: 'maxUnits', column: 'amount', operator: '<=', field: 'amountUnits', isInTimeIndex: true },
  { name: 'source', column: 'source', operator: '=', field: 'source', isInTimeIndex: false },
] as const satisfies readonly FilterDeclaration[];

/** Fails to compile when a filter has no declaration: its list would not be filtered and its pages would share a cache entry. */
type Undeclared = Exclude<keyof TransactionFilter, (typeof FILTERS)[number]['name']>;
const DECLARED: readonly FilterDeclaration[] = FILTERS satisfies [Undeclared] extends [never]
  ? unknown
  : never;

type Given = Partial<TransactionFilter>;

function givenFilters(filter: Given): FilterDeclaration[] {
  return DECLARED.filter(({ name }) => filter[name] !== undefined);
}

export function hasFilters(filter: Given): boolean {
  return DECLARED.some(({ name }) => filter[name] !== undefined);
}

/** True when a filter needs the row, because the index by time lacks its column. */
export function needsRow(filter: Given): boolean {
  return givenFilters(filter).some(({ isInTimeIndex }) => !isInTimeIndex);
}

/** The names of the filters that are set, which are a part of the keys of prepared statements. */
export function filterNames(filter: Given): string {
  return givenFilters(filter)
    .map(({ name }) => name)
    .join(' ');
}

/** The values of the filters that are set, in the order of `filterConditions`. */
export function filterValues(filter: Given): (number | string)[] {
  return DECLARED.flatMap(({ name }) => filter[name] ?? []);
}

/** A condition for each filter that is set. `columnOf` names the column in the statement, `value` the next bound value. */
export function filterConditions(
  filter: Given,
  columnOf: (filter: FilterDeclaration) => string,
): ((value: string) => string)[] {
  return givenFilters(filter).map(
    (declared) => (value) => `${columnOf(declared)} ${declared.operator} ${value}`,
  );
}

/** Distinguishes any two filters. A text is quoted, so that no text equals another key or the absence of a text. */
export function filterKey(filter: Given): string {
  let key = '';
  for (const { name } of DECLARED) {
    const value = filter[name];
    key += typeof value === 'string' ? ` ${JSON.stringify(value)}` : ` ${value}`;
  }
  return key;
}

/** True when a row passes the filters. */
export function matchesFilters(filter: Given, row: { amountUnits: number; source: string }): boolean {
  return DECLARED.every(({ name, operator, field }) => {
    const [wanted, present] = [filter[name], row[field]];
    if (wanted === undefined || operator === '=') {
      return wanted === undefined || present === wanted;
    }
    return operator === '>=' ? present >= wanted : present <= wanted;
  });
}
