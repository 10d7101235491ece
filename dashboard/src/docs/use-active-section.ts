import { useEffect, useState } from 'react';

// A section counts as the one being read when its start is above this distance from the top.
const readingLinePx = 140;

/** The id of the section being read; `ids` are in page order. */
export function useActiveSection(ids: string[]): string | undefined {
  const [active, setActive] = useState(ids[0]);
  useEffect(() => {
    let frame = 0;
    const update = () => {
      frame = 0;
      const isAbove = (id: string) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top <= readingLinePx;
      };
      setActive(ids.findLast(isAbove) ?? ids[0]);
    };
    // Several scroll events come between two frames; one update per frame is enough.
    const schedule = () => {
      if (frame === 0) frame = requestAnimationFrame(update);
    };
    schedule();
    window.addEventListener('scroll', schedule, { passive: true });
    window.addEventListener('resize', schedule, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', schedule);
      window.removeEventListener('resize', schedule);
    };
  }, [ids]);
  return active;
}
