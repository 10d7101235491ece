import { afterEach, expect, test, vi } from 'vitest';

/** Imports modules as a page in a language does. */
async function pageIn(lang: string) {
  vi.stubGlobal('document', { documentElement: { lang } });
  vi.resetModules();
  const formats = await import('../src/components/language-formats.ts');
  const { choiceText } = await import('../src/docs/reference/choice-text.ts');
  const { calendarLanguage } = await import('../src/components/calendar-language.ts');
  const { todayInWords } = await import('../src/components/time.ts');
  const { default: dayjs } = await import('dayjs');
  return { ...formats, choiceText, calendarLanguage, dayjs, todayInWords };
}

// Test files share their modules.
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test.each([
  ['en', 'Ada and Bo', 'Ada, Bo and 3 more', 'string or null', '12%', '1,234 ms', 'today'],
  ['de', 'Ada und Bo', 'Ada, Bo und 3 more', 'string oder null', '12\u00a0%', '1.234 ms', 'heute'],
  [
    'fr',
    'Ada et Bo',
    'Ada, Bo et 3 more',
    'string ou null',
    '12\u00a0%',
    '1\u202f234\u202fms',
    'aujourd’hui',
  ],
  ['ja', 'Ada、Bo', 'Ada、Bo、3 more', 'stringまたはnull', '12%', '1,234 ms', '今日'],
])(
  'a page in %s has its lists, percentages and durations',
  async (lang, list, rest, choice, percent, time, day) => {
    const page = await pageIn(lang);
    expect([
      page.listText(['Ada', 'Bo']),
      page.listText(['Ada', 'Bo'], 3),
      page.choiceText(['string', 'null']),
      page.percentText(12),
      page.millisecondsText(1_234),
      page.todayInWords(),
    ]).toEqual([list, rest, choice, percent, time, day]);
  },
);

test.each([
  ['en', 'November 2026', '18 November 2026', 'We'],
  ['de', 'November 2026', '18 November 2026', 'Mi'],
  ['fr', 'novembre 2026', '18 novembre 2026', 'mer'],
  ['ja', '2026年11月', '18 11月 2026', '水'],
  ['pt-BR', 'novembro de 2026', '18 novembro 2026', 'qua'],
])('the calendar of a page in %s has the names of the language', async (lang, heading, day, weekday) => {
  const { calendarLanguage, dayjs } = await pageIn(lang);
  const wednesday = dayjs('2026-11-18').locale(calendarLanguage.locale);
  expect([
    calendarLanguage.monthLabelFormat('2026-11-01'),
    wednesday.format('D MMMM YYYY'),
    wednesday.format('dd'),
  ]).toEqual([heading, day, weekday]);
});

test('a page in Japanese has days in digits, and no space between a number and its unit', async () => {
  await pageIn('ja');
  const { formatDay, formatDays } = await import('../src/components/days.ts');
  const { momentInWords, shortMoment } = await import('../src/components/time.ts');
  const atMs = Date.parse('2027-01-31T09:05:00Z');
  expect([formatDay('2027-01-31'), formatDays('2027-01-31', '2027-02-02')]).toEqual([
    '2027/01/31',
    '2027/01/31～2027/02/02',
  ]);
  expect(shortMoment(atMs)).toMatch(/^2027\/0\d\/\d\d \d\d:05$/);
  expect([momentInWords(atMs, atMs + 3 * 3_600_000), momentInWords(atMs + 3 * 86_400_000, atMs)]).toEqual([
    '3時間前',
    '3日後',
  ]);
});

test('samples of the reference do not depend on the language of its labels', async () => {
  await pageIn('de');
  const { readSchema } = await import('../src/docs/reference/read-schema.ts');
  const { createResolver } = await import('../src/docs/reference/pointers.ts');
  const { sampleOf } = await import('../src/docs/reference/sample.ts');
  const schema = readSchema({ type: ['integer', 'null'] }, createResolver({}));
  expect([schema.label, sampleOf(schema)]).toEqual(['integer oder null', 1]);
});
