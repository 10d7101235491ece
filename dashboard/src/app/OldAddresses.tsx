import { Navigate, useLocation, useParams } from 'react-router';
import { overviewAddress, personAddress } from '../components/addresses.ts';

/** The former page of a player. */
export function OldPlayerAddress() {
  const { guildId = '', playerId = '' } = useParams();
  const { search, hash } = useLocation();
  return <Navigate to={`${personAddress(guildId, playerId, search)}${hash}`} replace />;
}

/** The former page of verifications: people are looked up in their list. */
export function OldVerificationsAddress() {
  const { guildId = '' } = useParams();
  const { search } = useLocation();
  return <Navigate to={`${overviewAddress(guildId)}/people${search}`} replace />;
}
