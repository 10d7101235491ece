import { describe, expect, test } from 'vitest';
import { createNetworks } from '../../src/domain/webhooks/networks.ts';

describe('addresses that deliveries may go to', () => {
  const { isAllowed } = createNetworks([]);

  test.each(['8.8.8.8', '::ffff:8.8.8.8', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e', '2000::1'])(
    '%s is public',
    (address) => expect(isAllowed(address)).toBe(true),
  );

  test.each([
    '127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:0:7f00:1',
    '::ffff:0:808:808',
    '::1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '1000::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    '8000::1',
    'fd00::1',
    'fe80::1%eth0',
    'ff02::1',
    'not an address',
  ])('%s is not', (address) => expect(isAllowed(address)).toBe(false));

  test('the operator allows more, each family by its own networks', () => {
    const networks = createNetworks(['::ffff:0:0:0/96', 'fd00::/8', '10.1.0.0/16']);
    for (const address of ['::ffff:0:7f00:1', 'fd00::1', '10.1.2.3', '::ffff:10.1.2.3', '8.8.8.8']) {
      expect({ address, isAllowed: networks.isAllowed(address) }).toEqual({ address, isAllowed: true });
    }
    expect(networks.isAllowed('10.2.0.1')).toBe(false);
    expect(networks.isListed('8.8.8.8')).toBe(false);
  });
});
