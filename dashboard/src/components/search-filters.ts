// The filters of a view are in the address: they can be shared, survive a reload, and the back button works. Invalid
// values in an address typed by hand are replaced by the defaults instead of an error.

/** Converts one value from and to the address. */
export interface Filter<Value> {
  /** Gets null when the address does not have it. Invalid texts give the default. */
  read: (text: string | null) => Value;
  /** Null for the default value, which is left out of the address. */
  write: (value: Value) => string | null;
}

/**
 * The parameters of the address, not those of the last render: leaving a field and pressing a button change the address in quick
 * succession, and neither may undo the other.
 */
export function presentParameters(): URLSearchParams {
  return new URLSearchParams(window.location.search);
}

export type FilterSet<Values> = { [Name in keyof Values]: Filter<Values[Name]> };

export function readFilters<Values extends object>(
  filters: FilterSet<Values>,
  parameters: URLSearchParams,
): Values {
  const names = namesOf(filters);
  const entries = names.map((name) => [name, filters[name].read(parameters.get(String(name)))]);
  // Each entry holds the value that the filter of the same name has read.
  return Object.fromEntries(entries) as Values;
}

/** The address's parameters after a change of some values. Other parameters stay. */
export function writeFilters<Values extends object>(
  filters: FilterSet<Values>,
  parameters: URLSearchParams,
  changes: Partial<Values>,
): URLSearchParams {
  const next = new URLSearchParams(parameters);
  const values = { ...readFilters(filters, parameters), ...changes };
  for (const name of namesOf(filters)) {
    const text = filters[name].write(values[name]);
    if (text === null) next.delete(String(name));
    else next.set(String(name), text);
  }
  return next;
}

function namesOf<Values extends object>(filters: FilterSet<Values>): (keyof Values)[] {
  // Object.keys returns string[]; a set of filters is a literal with exactly these names.
  return Object.keys(filters) as (keyof Values)[];
}

/** A text of at most `lengthMax` characters; '' for none. */
export function textFilter(lengthMax: number): Filter<string> {
  return {
    read: (text) => (text === null || text.length > lengthMax ? '' : text),
    write: (value) => (value.trim() === '' ? null : value),
  };
}

interface WholeNumberOptions {
  usual: number;
  min: number;
  max: number;
}

export function wholeNumberFilter({ usual, min, max }: WholeNumberOptions): Filter<number> {
  return {
    read: (text) => {
      if (text === null || !/^\d{1,16}$/.test(text)) return usual;
      const value = Number(text);
      return value >= min && value <= max ? value : usual;
    },
    write: (value) => (value === usual ? null : String(value)),
  };
}

export function choiceFilter<const Choice extends string>(
  choices: readonly Choice[],
  usual: NoInfer<Choice>,
): Filter<Choice> {
  return {
    read: (text) => choices.find((choice) => choice === text) ?? usual,
    write: (value) => (value === usual ? null : value),
  };
}

/** A non-negative number with at most four decimal places, kept as text; '' for none. */
export function decimalFilter(): Filter<string> {
  return {
    read: (text) => (text !== null && isDecimal(text) ? text : ''),
    write: (value) => (value === '' ? null : value),
  };
}

export function isDecimal(text: string): boolean {
  return /^(0|[1-9]\d{0,12})(\.\d{1,4})?$/.test(text);
}

/** A day such as `2027-01-31`; '' for none. */
export function dayFilter(): Filter<string> {
  return {
    read: (text) => (text !== null && isDay(text) ? text : ''),
    write: (value) => (value === '' ? null : value),
  };
}

/** Date.parse reads 31 February as 3 March, so a day that changes in the conversion is refused. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const momentMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(momentMs) && new Date(momentMs).toISOString().startsWith(text);
}
