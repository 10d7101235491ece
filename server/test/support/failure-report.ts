const SHOWN_MAX = 4_096;
/** A test that sends thousands of requests keeps the last ones only. */
const ENTRIES_MAX = 60;

interface Entry {
  number: number;
  title: string;
  text: () => string;
}

/** Entries registered outside of tests, in beforeAll for example. They concern every test of the file. */
let ofFile: Entry[] = [];
/** Entries registered while tests ran. An entry does not name its test, so tests that run at the same time share this list. */
let ofTests: Entry[] = [];
/** The tests that run right now, with the number of the first entry that may be theirs. */
const running = new Map<string, number>();
let count = 0;

/** The part used here of the test that Vitest passes to a hook. */
interface ReportedTest {
  id: string;
  name: string;
  result?: { state: string } | undefined;
}

export function beginReportOfFile(): void {
  ofFile = [];
  ofTests = [];
  running.clear();
}

export function beginReport(test: ReportedTest): void {
  if (running.size === 0) {
    ofTests = [];
  }
  running.set(test.id, count);
}

/** Prints what was registered if the test has failed. */
export function endReport(task: ReportedTest): void {
  const first = running.get(task.id) ?? 0;
  running.delete(task.id);
  if (task.result?.state === 'fail') {
    const entries = [...ofFile, ...ofTests.filter(({ number }) => number >= first)];
    if (entries.length > 0) {
      const heading = `What the failed test "${task.name}" did:`;
      console.error([heading, ...entries.map(describeEntry)].join('\n\n'));
    }
  }
}

/**
 * Registers what helps to understand a failure: the output of a process, a request and its answer. It is printed when
 * the current test fails, and forgotten otherwise. The text is asked for at that moment, so it may be of something that
 * is still under way; `shorten` keeps it readable. Entries registered outside of a test are printed for every failed test
 * of the file.
 */
export function reportOnFailure(title: string, text: () => string): void {
  const entries = running.size === 0 ? ofFile : ofTests;
  entries.push({ number: count, title, text });
  count += 1;
  if (entries.length > ENTRIES_MAX) {
    entries.shift();
  }
}

/** The end of a long text, where the reason of a failure usually is. */
export function shorten(text: string, lengthMax = SHOWN_MAX): string {
  return text.length > lengthMax ? `(...)${text.slice(-lengthMax)}` : text;
}

function describeEntry({ title, text }: Entry): string {
  try {
    return `--- ${title}\n${text().trimEnd()}`;
  } catch (error) {
    // The report of one thing must not hide the others, nor the failure itself.
    return `--- ${title}\n(no report: ${String(error)})`;
  }
}
