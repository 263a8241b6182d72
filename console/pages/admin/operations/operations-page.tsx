import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AttentionView } from '../../../../src/contract/attention.ts'
import type { MarginsSplit } from '../../../../src/contract/margins.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { attentionQuery } from '../../../api/attention.ts'
import { withQuery } from '../../../api/request.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { OverviewTile } from '../../overview/overview-tile.tsx'
import { AttentionList, SnoozedList } from './attention-list.tsx'
import { HealthStrips } from './health-strips.tsx'
import { TodoItem } from './todo-item.tsx'

const MenuRows = lazyPart(() => import('../kit/menu-rows.tsx'))

const SPLITS = ['upstream', 'credential', 'model', 'group', 'fault'] as const satisfies readonly MarginsSplit[]

/** What needs an admin, and how the week went: a list of things to do, gone when they are done. */
export default function OperationsPage(): ReactNode {
  const t = useTexts('operations')
  const attention = useQuery(attentionQuery)
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          <Menu onNear={MenuRows.load} trigger={<Button icon="download">{t.margins.action}</Button>}>
            {/* What was charged, what it cost and what is left, of the last 30 days, as a file of each split. */}
            <MenuRows
              rows={SPLITS.map((split) => ({
                icon: 'download',
                text: t.margins.by[split],
                link: <a href={withQuery('/api/margins.csv', { split, bom: 'true' })} download />,
              }))}
            />
          </Menu>
        }
      />
      <div className="grid gap-4">
        <QueryView
          query={attention}
          skeleton={
            <Section title={t.needs}>
              <SkeletonLines />
            </Section>
          }
        >
          {(data) => (
            <>
              {Object.values(data.setup).includes(false) && <SetupList setup={data.setup} />}
              <AttentionList attention={data} />
              <SnoozedList snoozed={data.snoozed} />
              <HealthStrips health={data.health} />
              <WeekTiles week={data.week} />
            </>
          )}
        </QueryView>
      </div>
    </>
  )
}

const UNKNOWN = '–'

type Week = AttentionView['week']['now']

/** Four figures of the last seven days, each beside the week before. */
function WeekTiles({ week }: { readonly week: AttentionView['week'] }): ReactNode {
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

const STEPS = ['provider', 'model', 'group', 'answered', 'people'] as const

/** Where a step is done, as far as there is a page for it. */
function StepLink({ step }: { readonly step: keyof AttentionView['setup'] }): ReactNode {
  const t = useTexts('operations').setup
  if (step === 'provider') {
    return (
      <Link to={ADMIN_PATHS.upstreams} search={{ new: 'upstream' }} className={buttonClass('primary')}>
        {t.steps.provider}
      </Link>
    )
  }
  if (step !== 'people') return null
  return (
    <Link to={ADMIN_PATHS.accounts} search={{ new: 'invitation' }} className={buttonClass('secondary')}>
      {t.steps.people}
    </Link>
  )
}

/** What a new installation lacks, in the order in which it is done. */
function SetupList({ setup }: { readonly setup: AttentionView['setup'] }): ReactNode {
  const t = useTexts('operations').setup
  return (
    <Section title={t.title} lead={t.lead}>
      <ol>
        {STEPS.map((step) => (
          <TodoItem
            key={step}
            tone={setup[step] ? 'good' : 'neutral'}
            state={setup[step] ? t.done : t.open}
            title={t.steps[step]}
            action={setup[step] ? undefined : <StepLink step={step} />}
          />
        ))}
      </ol>
    </Section>
  )
}
