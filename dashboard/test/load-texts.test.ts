import { expect, onTestFinished, test, vi } from 'vitest';

test('a table of texts that is needed before the texts are loaded is made again', async () => {
  // Test files share their modules: those with these globals must not stay.
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });
  const request = Promise.withResolvers<Response>();
  vi.stubGlobal('document', { documentElement: { lang: 'de' } });
  vi.stubGlobal('window', { firstTexts: request.promise });
  vi.resetModules();
  const { firstTexts, loadedTexts } = await import('../src/texts/load-texts.ts');
  const { lazily } = await import('../src/components/lazily.ts');
  const table = lazily(() => ({ days: loadedTexts.days ?? 'Last 30 days' }));
  expect(table().days).toBe('Last 30 days');
  const loading = firstTexts();
  request.resolve(Response.json({ days: 'Letzte 30 Tage' }));
  await loading;
  expect(table().days).toBe('Letzte 30 Tage');
  expect(table()).toBe(table());
});
