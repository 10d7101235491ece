import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMetrics } from '../../src/http/metrics.ts';

const read = (file: string) => readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8');

test.each(['prometheus-alerts.yml', 'grafana-dashboard.json'])(
  '%s names only metrics that exist',
  async (file) => {
    const metrics = createMetrics();
    // These are there with Redis only.
    metrics.recordSharedLimits(true);
    metrics.recordLocalLimit();
    const known = new Set((await metrics.values()).map(({ name }) => name));
    const named = new Set(read(file).match(/\b(?:guildbook|nodejs|process)_[a-z0-9_]+/g));
    const unknown = [...named].filter((name) => !known.has(name.replace(/_(?:bucket|sum|count)$/, '')));
    expect(named.size).toBeGreaterThan(4);
    expect(unknown.filter((name) => !known.has(name))).toEqual([]);
  },
);
