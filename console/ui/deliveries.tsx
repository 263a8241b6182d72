import type { ReactNode } from 'react'
import type { AlertView } from '../../src/contract/administration.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Badge } from './badge.tsx'

/** The ways in which an alert was sent, and whether it went out. */
export function Deliveries({ deliveries }: { readonly deliveries: AlertView['deliveries'] }): ReactNode {
  const { labelled, deliveries: t } = useSharedTexts()
  return deliveries.map(({ way, failed, delivered_at: deliveredAt }) => (
    <Badge key={way} tone={failed ? 'bad' : 'neutral'} hasDot>
      {labelled(t.ways[way], failed ? t.failed : deliveredAt === null ? t.waiting : t.sent)}
    </Badge>
  ))
}
