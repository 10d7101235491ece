import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkRotation } from './check-rotation.ts';
import { startDeployed } from './deploy-service.ts';
import { isInstalled, ROOT, run } from './run.ts';

// npm run check:deploy
//
// Lets each program judge the file that is meant for it: systemd, nginx, Caddy, haproxy, Prometheus, logrotate. Prometheus
// also judges the metrics of a real service. A program that is not installed is named, and the check fails unless
// --installed-only is given.

const DEPLOY = path.join(ROOT, 'deploy');
const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-deploy-'));
const inDeploy = (file: string) => path.join(DEPLOY, file);

const CHECKS: Record<string, { program: string; debianPackage: string; check: () => void | Promise<void> }> =
  {
    'deploy/guildbook.service': { program: 'systemd-analyze', debianPackage: 'systemd', check: checkUnit },
    'deploy/nginx.conf': { program: 'nginx', debianPackage: 'nginx', check: checkNginx },
    'deploy/Caddyfile': {
      program: 'caddy',
      debianPackage: 'caddy',
      check: () => run('caddy', ['validate', '--adapter', 'caddyfile', '--config', inDeploy('Caddyfile')]),
    },
    'deploy/haproxy.cfg': { program: 'haproxy', debianPackage: 'haproxy', check: checkHaproxy },
    'deploy/prometheus-alerts.yml': { program: 'promtool', debianPackage: 'prometheus', check: checkAlerts },
    '/metrics': { program: 'promtool', debianPackage: 'prometheus', check: checkMetrics },
    'deploy/logrotate.conf': {
      program: 'logrotate',
      debianPackage: 'logrotate',
      check: () => checkRotation(folder),
    },
  };

const missing = new Set<string>();
try {
  for (const [what, { program, debianPackage, check }] of Object.entries(CHECKS)) {
    if (isInstalled(program)) {
      await check();
      console.log(`${what}: accepted by ${program}`);
    } else {
      missing.add(debianPackage);
      console.log(`${what}: NOT CHECKED, ${program} is not installed`);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (missing.size > 0 && !process.argv.includes('--installed-only')) {
  console.error(`Install what is missing: apt-get install --no-install-recommends ${[...missing].join(' ')}`);
  process.exitCode = 1;
}

/** The program of the unit has to exist, so a root folder is laid out in which it does. */
function checkUnit(): void {
  const root = path.join(folder, 'root');
  const bin = path.join(root, 'opt/guildbook/node_modules/.bin');
  const units = path.join(root, 'etc/systemd/system');
  for (const one of [bin, units]) {
    mkdirSync(one, { recursive: true });
  }
  writeFileSync(path.join(bin, 'guildbook'), '', { mode: 0o755 });
  copyFileSync(inDeploy('guildbook.service'), path.join(units, 'guildbook.service'));
  for (const unit of [
    'network-online.target',
    'multi-user.target',
    'sysinit.target',
    'basic.target',
    'shutdown.target',
  ]) {
    writeFileSync(path.join(units, unit), '[Unit]\n');
  }
  run('systemd-analyze', [
    'verify',
    '--man=no',
    '--recursive-errors=no',
    '--root',
    root,
    'guildbook.service',
  ]);
  run('systemd-analyze', [
    'security',
    '--offline=yes',
    '--threshold=20',
    '--no-pager',
    inDeploy('guildbook.service'),
  ]);
}

/** The certificate is one of its own, and the file stands where a distribution would include it. */
function checkNginx(): void {
  const [certificate, key] = [path.join(folder, 'guildbook.pem'), path.join(folder, 'guildbook.key')];
  run('openssl', [
    ...'req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=guildbook.example.org'.split(' '),
    ...['-keyout', key, '-out', certificate],
  ]);
  const site = readFileSync(inDeploy('nginx.conf'), 'utf8')
    .replace('/etc/ssl/certs/guildbook.pem', certificate)
    .replace('/etc/ssl/private/guildbook.key', key);
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `pid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${site}}\n`,
  );
  run('nginx', ['-t', '-q', '-c', file]);
}

function checkHaproxy(): void {
  run('haproxy', ['-c', '-f', inDeploy('haproxy.cfg')]);
  run('haproxy', ['-c', '-f', inDeploy('haproxy.cfg')], { env: { GUILDBOOK_THREE: '10.0.0.13:3000' } });
}

function checkAlerts(): void {
  run('promtool', ['check', 'rules', inDeploy('prometheus-alerts.yml')]);
  run('promtool', ['test', 'rules', inDeploy('prometheus-alerts.test.yml')]);
}

/** Names, types and help texts of everything that a service shows, after a request and a refusal. */
async function checkMetrics(): Promise<void> {
  const place = path.join(folder, 'metrics');
  mkdirSync(place);
  const service = await startDeployed(place, {});
  try {
    await fetch(`${service.address}/commands`);
    await fetch(`${service.address}/users/nobody`);
    const metrics = await fetch(service.metricsUrl);
    run('promtool', ['check', 'metrics'], { input: await metrics.text() });
  } finally {
    await service.stop();
  }
}
