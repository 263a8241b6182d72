import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { faultsDictionary, faultTextOf } from '../../dictionaries/faults.ts'
import type { UsageTexts } from '../../dictionaries/usage-en.ts'
import { usageDictionary } from '../../dictionaries/usage.ts'
import { isZero } from '../../format/money.ts'
import { PATHS } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

type Place = 'keys' | 'models' | 'billing'

/** Where a fault can be mended. */
const PLACES: Readonly<Record<string, Place>> = {
  key_disabled: 'keys',
  key_expired: 'keys',
  ip_not_allowed: 'keys',
  group_disabled: 'keys',
  group_forbidden: 'billing',
  model_not_in_group: 'models',
  model_not_allowed: 'keys',
  model_unknown: 'models',
  model_unpriced: 'models',
  balance_exhausted: 'billing',
  key_quota_exhausted: 'keys',
  subscription_quota_exhausted: 'billing',
  rate_limited: 'keys',
  base_url_wrong: 'keys',
  path_unknown: 'keys',
}

/** How it ended and, where something went wrong, why and what to do. Nothing for what just went well. */
export function RecordFault({ record }: { readonly record: UsageRecordView }): ReactNode {
  const t = usageDictionary.useTexts()
  const faults = faultsDictionary.useTexts()
  const sentence = outcomeText(record, t)
  if (record.fault === null) {
    if (sentence === null) return null
    return <Notice tone={record.outcome === 'interrupted' ? 'warn' : 'neutral'}>{sentence}</Notice>
  }
  const text = faultTextOf(faults, record.fault)
  const place = PLACES[record.fault]
  const links = { keys: t.record.toKeys, models: t.record.toModels, billing: t.record.toBilling }
  return (
    <Notice
      tone={record.outcome === 'completed' ? 'warn' : 'bad'}
      title={text?.title ?? record.fault}
      action={
        place === undefined ? undefined : (
          <Link to={PATHS[place]} className={buttonClass('secondary')}>
            {links[place]}
          </Link>
        )
      }
    >
      <p>{text?.cause ?? record.detail ?? t.record.unknownFault}</p>
      {text !== undefined && <p className="mt-1.5">{text.remedy}</p>}
      {sentence !== null && <p className="mt-1.5 text-ink-2">{sentence}</p>}
      <p className="mt-1.5 flex flex-wrap items-center gap-2 text-sm text-ink-2">
        <code className="font-mono">{record.fault}</code>
        {record.http_status !== null && <span>HTTP {record.http_status}</span>}
      </p>
    </Notice>
  )
}

/** What the ending means for the cost; null for a request that went its whole way. */
function outcomeText({ outcome, fault, cost }: UsageRecordView, t: UsageTexts): string | null {
  if (outcome === 'completed') return fault === null ? null : t.outcomeText.endedEarly
  if (outcome === 'failed') return isZero(cost) ? t.outcomeText.failed : t.outcomeText.failedCharged
  return t.outcomeText[outcome]
}
