import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMetrics } from '../../src/http/metrics.ts';

const read = (file: string) => readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8');

/** The names of all metrics that a service can have. */
async function listMetrics(): Promise<string[]> {
  const metrics = createMetrics();
  // These are there with Redis only.
  metrics.recordSharedLimits(true);
  metrics.recordLocalLimit();
  metrics.watchUnreadableSecrets(async () => ({ webhook: 0 }));
  return (await metrics.values()).map(({ name }) => name);
}

test.each(['prometheus-alerts.yml', 'grafana-dashboard.json'])(
  '%s names only metrics that exist',
  async (file) => {
    const known = new Set(await listMetrics());
    const named = new Set(read(file).match(/\b(?:guildbook|nodejs|process)_[a-z0-9_]+/g));
    const unknown = [...named].filter((name) => !known.has(name.replace(/_(?:bucket|sum|count)$/, '')));
    expect(named.size).toBeGreaterThan(4);
    expect(unknown.filter((name) => !known.has(name))).toEqual([]);
  },
);

test('the operations guide has every metric of the service in its table', async () => {
  const guide = read('../docs/operations.md');
  const names = (await listMetrics()).filter((name) => name.startsWith('guildbook_'));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !guide.includes(`\n| \`${name}\` |`))).toEqual([]);
});

test('every alert has a test in which it fires, and one in which it does not', () => {
  const alerts = Array.from(read('prometheus-alerts.yml').matchAll(/- alert: (\w+)/g), ([, name]) => name);
  const tests = read('prometheus-alerts.test.yml');
  const fires = (name = '') =>
    new RegExp(`alertname: ${name}\n +eval_time: \\w+\n +exp_alerts:\n +- exp_labels`).test(tests);
  const isSilent = (name = '') => tests.includes(`{ alertname: ${name}, eval_time: 28h, exp_alerts: [] }`);
  expect(alerts.length).toBeGreaterThan(10);
  expect(alerts.filter((name) => !fires(name))).toEqual([]);
  expect(alerts.filter((name) => !isSilent(name))).toEqual([]);
});

test('every service of compose.yaml limits its log', () => {
  const [, services = ''] = read('../compose.yaml').split(/^services:\n/m);
  const [own = ''] = services.split(/^\S/m);
  const blocks = own.split(/^ {2}(?=\S)/m).filter((block) => /^[\w-]+:/.test(block));
  const limited = /^ {4}(?:logging: \*logging|<<: \*(?:service|instance))$/m;
  expect(blocks.length).toBeGreaterThan(3);
  expect(blocks.filter((block) => !limited.test(block))).toEqual([]);
  expect(read('../compose.yaml')).toMatch(
    /^x-logging: &logging\n {2}driver: json-file\n {2}options:\n {4}max-size: /m,
  );
});
