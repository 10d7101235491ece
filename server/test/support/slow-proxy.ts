import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { findSparePort } from './spare-port.ts';

/** A proxy that passes everything on later, in order. */
export interface SlowProxy {
  port: number;
  /** Sets how long what comes from now on takes to the server and back, together. */
  setDelay(ms: number): void;
}

/** Ends with the test. */
export async function startSlowProxy(targetPort: number): Promise<SlowProxy> {
  const port = await findSparePort();
  const sockets = new Set<Socket>();
  let delayMs = 0;

  function passOn(from: Socket, to: Socket): void {
    let dueMs = 0;
    from.on('data', (chunk) => {
      dueMs = Math.max(dueMs, performance.now() + delayMs / 2);
      setTimeout(() => to.write(chunk), Math.max(0, dueMs - performance.now()));
    });
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    sockets.add(from);
  }

  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    passOn(client, target);
    passOn(target, client);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) {
      socket.destroy();
    }
  });
  return {
    port,
    setDelay(ms) {
      delayMs = ms;
    },
  };
}
