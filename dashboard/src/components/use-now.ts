import { useEffect, useState } from 'react';

const tickMs = 15_000;

/** The present, moving on every quarter of a minute, for texts such as "5 minutes ago". */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
