import type { ReactNode } from 'react'
import type { AttentionView } from '../../../../src/contract/attention.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { OverviewTile } from '../../overview/overview-tile.tsx'

const UNKNOWN = '–'

type Week = AttentionView['week']['now']

/** Four figures of the last seven days, each beside the week before. */
export function WeekTiles({ week }: { readonly week: AttentionView['week'] }): ReactNode {
  const t = useTexts('operations').week
  const format = useFormat()
  const tile = (title: string, figureOf: (of: Week) => string, more?: ReactNode): ReactNode => (
    <OverviewTile title={title} figure={figureOf(week.now)}>
      {figureOf(week.before) !== UNKNOWN && <p>{t.before(figureOf(week.before))}</p>}
      {more !== undefined && <p className="break-keep text-ink-3">{more}</p>}
    </OverviewTile>
  )
  const { client, gateway, upstream } = week.now.failed
  return (
    <ul aria-label={t.title} className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-4">
      {tile(t.requests, ({ requests }) => format.number(requests))}
      {tile(
        t.failed,
        ({ failed }) => format.number(failed.client + failed.gateway + failed.upstream),
        t.blame(format.number(client), format.number(gateway), format.number(upstream)),
      )}
      {tile(t.charged, ({ charged }) => format.money(charged))}
      {tile(
        t.margin,
        ({ margin }) => (margin === null ? UNKNOWN : format.money(margin)),
        week.now.margin === null && week.now.requests > 0 ? t.noMargin : undefined,
      )}
    </ul>
  )
}
