import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { ADMIN_PATHS } from '../../admin-pages.ts'
import { auditQuery } from '../../api/audit.ts'
import { exploreQuery } from '../../api/explore.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { timeText } from '../../format/local-time.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { RecordPart } from './record-part.tsx'

const MINUTE_MS = 60_000
const AROUND_MS = 5 * MINUTE_MS
const MOST_CHANGES = 8
/** Changes of these can be why a request went otherwise than the one before. */
const OF_THE_PLACE = /^(?:upstream|credential|model|group|plan|settings)\./

/** What staff see of a request: whose it was, what else happened then, and requests like it. */
export default function RecordSurroundings({ record }: { readonly record: UsageRecordView }): ReactNode {
  const t = useTexts('record').surroundings
  return (
    <RecordPart title={t.title}>
      <div className="grid gap-4">
        <Ways record={record} />
        <SameMinute record={record} />
        <Changes record={record} />
      </div>
    </RecordPart>
  )
}

function Ways({ record }: { readonly record: UsageRecordView }): ReactNode {
  const t = useTexts('record').surroundings
  const { account_id: accountId, key_id: keyId, model, fault } = record
  const upstream = record.attempts.at(-1)?.upstream
  const like = {
    by: 'account',
    and: 'key',
    ...(model === null ? {} : { model }),
    ...(upstream === undefined ? {} : { upstream }),
    ...(fault === null ? {} : { fault }),
  }
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      <Link to={ADMIN_PATHS.account} params={{ accountId }} className={WAY}>
        {t.account}
      </Link>
      <Link to={PATHS.key} params={{ keyId }} className={WAY}>
        {t.key}
      </Link>
      {upstream !== undefined && (
        <Link to={ADMIN_PATHS.upstreams} search={{ q: upstream }} className={WAY}>
          {t.upstream}
        </Link>
      )}
      <Link to={ADMIN_PATHS.requests} search={like} className={WAY}>
        {t.like}
      </Link>
    </p>
  )
}

const WAY = 'inline-flex min-h-6 items-center text-accent touch:min-h-11 hover:underline'

function SameMinute({ record }: { readonly record: UsageRecordView }): ReactNode {
  const r = useTexts('record')
  const t = r.surroundings
  const format = useFormat()
  const fromMs = Math.floor(Date.parse(record.created_at) / MINUTE_MS) * MINUTE_MS
  const { data } = useQuery(exploreQuery({ by: 'upstream', from: timeText(fromMs), to: timeText(fromMs + MINUTE_MS) }))
  return (
    <div>
      <h4 className="font-medium">{t.minute}</h4>
      {data === undefined ? (
        <p className="min-h-5 text-sm" />
      ) : (
        <ul className="mt-1 grid gap-1 text-sm">
          {data.sums.rows.map(({ parts, requests, failed }) => (
            <li key={parts[0]?.id} className="flex flex-wrap justify-between gap-x-4">
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {parts[0] === undefined || parts[0].id === '' ? t.noUpstream : (parts[0].name ?? parts[0].id)}
              </span>
              <span className={failed > 0 ? 'text-bad' : 'text-ink-2'}>
                {t.failed(format.number(failed), format.number(requests))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Changes({ record }: { readonly record: UsageRecordView }): ReactNode {
  const t = useTexts('record').surroundings
  const format = useFormat()
  const atMs = Date.parse(record.created_at)
  const { data } = useQuery(
    auditQuery({ from: timeText(atMs - AROUND_MS), to: timeText(atMs + AROUND_MS), cursor: null }),
  )
  const changes = data?.data.filter(({ action }) => OF_THE_PLACE.test(action)).slice(0, MOST_CHANGES)
  return (
    <div>
      <h4 className="font-medium">{t.changes}</h4>
      {changes === undefined ? (
        <p className="min-h-5 text-sm" />
      ) : changes.length === 0 ? (
        <p className="mt-1 text-sm text-ink-3">{t.noChanges}</p>
      ) : (
        <ul className="mt-1 grid gap-1 text-sm">
          {changes.map(({ id, action, subject, actor_email: email, created_at: at }) => (
            <li key={id}>
              <Link
                to={ADMIN_PATHS.audit}
                search={subject === null ? { action } : { q: subject }}
                className="inline-flex min-h-6 items-center text-accent touch:min-h-11 hover:underline"
              >
                {action}
              </Link>
              <span className="text-ink-3">
                {' · '}
                {[format.second(at), ...(email === null ? [] : [email])].join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
