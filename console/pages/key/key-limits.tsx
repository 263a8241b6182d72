import { type ReactNode, useState } from 'react'
import type { KeyReport } from '../../../src/contract/key-report.ts'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { endQuotaRaise } from '../../api/keys.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useChange } from '../../forms/use-change.ts'
import { useFormat } from '../../format/use-format.ts'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Section } from '../../ui/section.tsx'
import { useNow } from '../../ui/use-now.ts'
import { LimitBars, type Pace } from './limit-bars.tsx'
import { quotaPace } from './quota-pace.ts'

const RaiseQuota = lazyPart(() => import('./raise/raise-quota.tsx'), undefined, { isForFew: true })

/** What is left does not last as long as a reader would like from so few days on. */
const FEW_DAYS = 7
const YEARS_DAYS = 365

/** Each limit of a key as a bar: requests that run now, requests and tokens of the last minute, quota and windows. */
export function KeyLimits({ report, isAdmin }: { readonly report: KeyReport; readonly isAdmin: boolean }): ReactNode {
  const t = useTexts('key').detail
  const pace = usePaceText(report, useNow())
  const mayRaise = isAdmin && !report.key.managed && report.limits.quota !== null
  const [isRaising, setRaising] = useState(false)
  return (
    <Section
      title={t.limits}
      {...(mayRaise ? { actions: <Button onClick={() => setRaising(true)}>{t.raise.action}</Button> } : {})}
    >
      <LimitBars
        limits={report.limits}
        pace={pace}
        raise={report.key.quota_raise === null ? null : <StandingRaise apiKey={report.key} mayEnd={mayRaise} />}
      />
      {isRaising && <RaiseQuota apiKey={report.key} onClose={() => setRaising(false)} />}
    </Section>
  )
}

/** How long the quota lasts, in words; null: there is no pace to say it by. */
function usePaceText(report: KeyReport, nowMs: number): Pace | null {
  const t = useTexts('key').detail
  const format = useFormat()
  const pace = quotaPace(report, nowMs)
  if (pace === null || pace.kind === 'used_up') return null
  if (pace.isEnough) return { text: t.paceEnough, isShort: false }
  if (pace.days > YEARS_DAYS) return { text: t.paceYears, isShort: false }
  return { text: t.pace(pace.days, format.date(pace.endsAt)), isShort: pace.days < FEW_DAYS }
}

/** Shows that a key's quota is raised, until when, and what it is afterwards; who may end it can. */
function StandingRaise(props: { readonly apiKey: ApiKeyView; readonly mayEnd: boolean }): ReactNode {
  const t = useTexts('key').detail.raise
  const format = useFormat()
  const { apiKey, mayEnd } = props
  const end = useChange({
    send: () => endQuotaRaise(apiKey.id),
    done: () => t.ended(apiKey.name),
    refreshes: ['keys'],
  })
  const raise = apiKey.quota_raise
  if (raise === null) return null
  return (
    <div className="mt-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
      <p className="min-w-0 flex-1 basis-48 text-sm text-ink-2">
        {t.standing(format.money(raise.limit), format.time(raise.ends_at))}
      </p>
      {mayEnd && (
        <Button isBusy={end.isPending} onClick={() => end.mutate()}>
          {t.end}
        </Button>
      )}
    </div>
  )
}
