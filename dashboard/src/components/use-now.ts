import { useEffect, useState } from 'react';

const tickMs = 15_000;

/** The present time, updated every 15 seconds, for texts such as "5 minutes ago". */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
