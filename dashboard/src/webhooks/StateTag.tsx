import type { Webhook } from '../api/webhooks.ts';
import { Tag } from '../components/Tag.tsx';
import { stateOf, stateTexts } from './webhook-state.ts';

export function StateTag({ webhook }: { webhook: Webhook }) {
  const { label, tone } = stateTexts()[stateOf(webhook)];
  return <Tag tone={tone}>{label}</Tag>;
}
