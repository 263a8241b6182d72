import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AttentionView, UpstreamHealthView } from '../../../../src/contract/attention.ts'
import type { MarginsSplit } from '../../../../src/contract/margins.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { attentionQuery } from '../../../api/attention.ts'
import { withQuery } from '../../../api/request.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { dateTimeFormat } from '../../../format/kept-formats.ts'
import { hourOptions } from '../../../format/time.ts'
import { useFormat } from '../../../format/use-format.ts'
import { PATHS } from '../../../paths.ts'
import { usePreferences } from '../../../preferences.ts'
import { SITE_PATH } from '../../../site.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { CutName } from '../../../ui/cut-name.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { OverviewTile } from '../../overview/overview-tile.tsx'
import { AddressNotice } from './address-notice.tsx'
import { AttentionList, SnoozedList } from './attention-list.tsx'
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
        hasIconsOnly
        actions={
          <Menu onNear={MenuRows.load} trigger={<IconButton icon="more" label={t.margins.action} />}>
            {/* What was charged, what it cost and what is left, of the last 30 days, as a file of each split. */}
            <MenuRows
              rows={SPLITS.map((split) => ({
                icon: 'download',
                text: t.margins.by[split],
                link: <a href={SITE_PATH + withQuery('/api/margins.csv', { split, bom: 'true' })} download />,
              }))}
            />
          </Menu>
        }
      />
      <div className="grid gap-4">
        <AddressNotice />
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

type Step = (typeof STEPS)[number]

/** Where each step is done. The first response is had on the overview, with a test message. */
const WAYS = {
  provider: { to: ADMIN_PATHS.upstreams, search: { new: 'upstream' } },
  model: { to: ADMIN_PATHS.prices },
  group: { to: ADMIN_PATHS.groups },
  answered: { to: PATHS.overview },
  people: { to: ADMIN_PATHS.accounts, search: { new: 'invitation' } },
} as const satisfies Record<Step, LinkProps>

function StepLink({ step, isNext }: { readonly step: Step; readonly isNext: boolean }): ReactNode {
  const t = useTexts('operations').setup
  const name = step === 'answered' ? {} : { 'aria-label': t.steps[step] }
  return (
    <Link {...WAYS[step]} {...name} className={buttonClass(isNext ? 'primary' : 'secondary')}>
      {t.go[step]}
    </Link>
  )
}

/** What a new installation lacks, in the order in which it is done. */
function SetupList({ setup }: { readonly setup: AttentionView['setup'] }): ReactNode {
  const t = useTexts('operations').setup
  const next = STEPS.find((step) => !setup[step])
  return (
    <Section title={t.title} lead={t.lead}>
      <ol>
        {STEPS.map((step) => (
          <TodoItem
            key={step}
            tone={setup[step] ? 'good' : 'neutral'}
            state={setup[step] ? t.done : t.open}
            title={t.steps[step]}
            action={setup[step] ? undefined : <StepLink step={step} isNext={step === next} />}
          />
        ))}
      </ol>
    </Section>
  )
}

const HOUR_MS = 3_600_000
/** The share of an hour’s requests that may fail while it counts as well. */
const WELL_BELOW = 0.02
const PARTLY_BELOW = 0.25

/** How each upstream answered in the last 24 hours, an hour a bar; what callers got wrong does not count. */
function HealthStrips({ health }: { readonly health: UpstreamHealthView }): ReactNode {
  const t = useTexts('operations').health
  const format = useFormat()
  return (
    <Section title={t.title} lead={t.lead}>
      {health.data.length === 0 ? (
        <p className="text-ink-2">{t.none}</p>
      ) : (
        <ul className="grid gap-2">
          {health.data.map(({ upstream, requests, failed }) => {
            const [asked, lost] = [sumOf(requests), sumOf(failed)]
            return (
              <li
                key={upstream ?? ''}
                className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,1fr)_minmax(0,3fr)_9rem]"
              >
                <span className="min-w-0">{upstream === null ? t.before : <CutName text={upstream} />}</span>
                <Strip
                  label={t.strip(upstream ?? t.before, format.number(lost), format.number(asked))}
                  of={{ requests, failed, fromMs: Date.parse(health.from) }}
                />
                <span className="text-right text-sm text-ink-2 max-sm:col-start-2 max-sm:row-start-1">
                  {t.failed(format.number(lost), format.number(asked))}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}

/** Colour and height say the same, so that colour is not needed to see it. */
function Strip(props: {
  readonly label: string
  readonly of: { readonly requests: readonly number[]; readonly failed: readonly number[]; readonly fromMs: number }
}): ReactNode {
  const t = useTexts('operations').health
  const format = useFormat()
  const { language } = usePreferences()
  const clock = dateTimeFormat(language, { ...hourOptions(), minute: '2-digit' })
  const { requests, failed, fromMs } = props.of
  return (
    <div role="img" aria-label={props.label} className="flex h-6 items-end gap-0.5 max-sm:col-span-2">
      {requests.map((asked, at) => {
        const lost = failed[at] ?? 0
        const hourAt = fromMs + at * HOUR_MS
        return (
          <span
            key={hourAt}
            title={t.hour(clock.format(hourAt), format.number(lost), format.number(asked))}
            className={classNames('min-w-0 flex-1 rounded-xs forced-color-adjust-none', lookOf(asked, lost))}
          />
        )
      })}
    </div>
  )
}

function lookOf(asked: number, lost: number): string {
  if (asked === 0) return 'h-1/4 bg-line'
  if (lost / asked < WELL_BELOW) return 'h-full bg-good'
  return lost / asked < PARTLY_BELOW ? 'h-3/4 bg-brass' : 'h-1/2 bg-bad'
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
