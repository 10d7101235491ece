import { t } from '@lingui/core/macro';
import { groupCount } from '../components/money.ts';
import { roundTicks } from './axis.ts';
import { BarPlot } from './BarPlot.tsx';
import { ChartNote } from './ChartNote.tsx';

interface Day {
  /** A day such as 2027-01-31. */
  day: string;
  label: string;
  shortLabel: string;
  answered: number;
  refused: number;
}

/** The numbers of answered and refused requests of each day, as stacked bars. */
export function RequestBars({ days }: { days: readonly Day[] }) {
  const highest = Math.max(...days.map(({ answered, refused }) => answered + refused));
  return (
    <BarPlot
      bars={days.map(({ day, shortLabel, answered, refused }) => ({
        id: day,
        label: shortLabel,
        parts: [
          { tint: 'in', from: 0, to: answered },
          { tint: 'refused', from: answered, to: answered + refused },
        ],
      }))}
      // Counts are integers, so the axis needs at least 3 to have integer ticks.
      yTicks={roundTicks(0, Math.max(highest, 3), 4)}
      labelsMax={{ phone: 3, wide: 4 }}
      noteOf={(index) => <RequestNote day={days[index]} />}
    />
  );
}

function RequestNote({ day }: { day: Day | undefined }) {
  if (!day) return null;
  return (
    <ChartNote
      title={day.label}
      lines={[
        { label: t`Answered`, value: groupCount(day.answered), tint: 'in' },
        { label: t`Refused`, value: groupCount(day.refused), tint: 'refused' },
      ]}
    />
  );
}
