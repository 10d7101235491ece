// What a view is narrowed to lives in the address: it can be shared, survives a reload, and the back button
// works. Whoever writes an address by hand gets the usual view instead of an error where it makes no sense.

/** How one value stands in the address. */
export interface Filter<Value> {
  /** Null where the address says nothing; nonsense becomes the usual value. */
  read: (text: string | null) => Value;
  /** Null for the usual value, which stays out of the address. */
  write: (value: Value) => string | null;
}

export type FilterSet<Values> = { [Name in keyof Values]: Filter<Values[Name]> };

export function readFilters<Values extends object>(
  filters: FilterSet<Values>,
  parameters: URLSearchParams,
): Values {
  const names = namesOf(filters);
  const entries = names.map((name) => [name, filters[name].read(parameters.get(String(name)))]);
  // The entries hold, under each name, what that name's own filter has read.
  return Object.fromEntries(entries) as Values;
}

/** The address's parameters after some values have changed. What does not belong to the filters stays. */
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
  // Object.keys forgets the names' type; a set of filters is a literal and holds no others.
  return Object.keys(filters) as (keyof Values)[];
}

/** A text of at most so many signs; '' where there is none. */
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

/** A number of 0 or more with at most four decimal places, kept as the text it is; '' where there is none. */
export function decimalFilter(): Filter<string> {
  return {
    read: (text) => (text !== null && isDecimal(text) ? text : ''),
    write: (value) => (value === '' ? null : value),
  };
}

export function isDecimal(text: string): boolean {
  return /^(0|[1-9]\d{0,12})(\.\d{1,4})?$/.test(text);
}

/** A day such as `2027-01-31`; '' where there is none. */
export function dayFilter(): Filter<string> {
  return {
    read: (text) => (text !== null && isDay(text) ? text : ''),
    write: (value) => (value === '' ? null : value),
  };
}

/** Date.parse takes 31 February for 3 March; a day that moved is not the one that was meant. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const momentMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(momentMs) && new Date(momentMs).toISOString().startsWith(text);
}
