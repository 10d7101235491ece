import { useQuery } from '@tanstack/react-query';
import classes from './ServiceStatePill.module.css';
import { fetchServiceState, type ServiceState } from './service-state.ts';

const refreshMs = 15_000;

const texts: Record<ServiceState | 'asking', string> = {
  asking: 'Asking the service',
  ready: 'The service is ready',
  'not-ready': 'The service is running but not ready',
  unreachable: 'The service does not answer',
};

export function ServiceStatePill() {
  const query = useQuery({
    queryKey: ['service-state'],
    queryFn: fetchServiceState,
    refetchInterval: refreshMs,
    refetchOnWindowFocus: true,
  });
  const state = query.data ?? 'asking';
  return (
    <p className={classes.pill} data-state={state} role="status">
      <span className={classes.dot} aria-hidden="true" />
      {texts[state]}
    </p>
  );
}
