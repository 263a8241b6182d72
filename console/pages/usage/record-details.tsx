import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { formatMultiplier, isZero } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DetailList } from '../../ui/detail-list.tsx'
import { useClientNames } from '../client-names.ts'
import { RecordOutcome } from './record-outcome.tsx'
import { RecordPart } from './record-part.tsx'
import { wireTitle } from '../../format/wire-names.ts'

/** Every other field of the record. */
export function RecordDetails({ record }: { readonly record: UsageRecordView }): ReactNode {
  const t = useTexts('usage')
  const r = useTexts('record')
  const shared = useSharedTexts()
  const nameOf = useClientNames()
  const orNone = (text: string | null): ReactNode => text ?? <span className="text-ink-3">–</span>
  const isRefused = record.attempts.length === 0 && isZero(record.cost)
  const multiplier = record.multiplier === null ? '' : ` ${formatMultiplier(record.multiplier)}`
  return (
    <RecordPart title={r.details}>
      <DetailList
        rows={[
          { label: t.columns.outcome, value: <RecordOutcome record={record} /> },
          {
            label: t.columns.key,
            value: (
              <Link to={PATHS.key} params={{ keyId: record.key_id }} className="text-accent hover:underline">
                {record.key_name}
              </Link>
            ),
          },
          { label: t.columns.group, value: record.group === null ? orNone(null) : `${record.group}${multiplier}` },
          { label: t.columns.model, value: orNone(record.model) },
          {
            label: record.units === null ? r.tokens : r.counts,
            value: record.usage_source === 'none' ? orNone(null) : <CountList record={record} />,
          },
          { label: t.columns.source, value: t.sources[record.usage_source] },
          {
            label: t.columns.protocol,
            value: orNone(record.protocol === null ? null : wireTitle(record.protocol)),
          },
          ...(isRefused ? [{ label: t.columns.cost, value: r.nothing }] : []),
          { label: t.columns.stream, value: record.stream ? t.yes : t.no },
          { label: t.columns.client, value: orNone(clientText(nameOf(record.client), record.client)) },
          ...(record.device === null
            ? []
            : [
                {
                  label: r.device,
                  value: record.device.secret_of === null ? r.signedIn : r.storedSecret(record.device.secret_of),
                },
              ]),
          ...(record.limits.length === 0 ? [] : [{ label: r.limits, value: <LimitList limits={record.limits} /> }]),
          { label: t.columns.status, value: record.http_status ?? orNone(null) },
          {
            label: shared.requestId,
            value: (
              <span className="-my-1.5 flex items-center gap-1">
                <code className="font-mono text-sm break-all select-all">{record.id}</code>
                <CopyButton text={record.id} what={r.copyId} />
              </span>
            ),
          },
        ]}
      />
    </RecordPart>
  )
}

/** How the caller's own limits stood when the request was let in, as its response said it. */
function LimitList({ limits }: Pick<UsageRecordView, 'limits'>): ReactNode {
  const r = useTexts('record')
  const format = useFormat()
  return (
    <ul>
      {limits.map(({ limit, max, remaining, resets_at: resetsAt }) => (
        <li key={limit}>
          {r.limitLeft[limit](format.number(remaining), format.number(max))}
          {resetsAt !== null && <span className="text-ink-3"> · {r.limitResets(format.second(resetsAt))}</span>}
        </li>
      ))}
    </ul>
  )
}

/** The client's name, followed by all that it said of itself. */
function clientText(name: string | null, said: string | null): string | null {
  return name === null || name === said ? said : `${name} (${said})`
}

/** What was counted; what was not reported is not made a zero. */
function CountList({ record }: { readonly record: UsageRecordView }): ReactNode {
  const t = useTexts('usage')
  const r = useTexts('record')
  const format = useFormat()
  const { reasoning, ...tokens } = record.tokens
  const kinds = { ...tokens, ...record.units }
  const counted = Object.entries(kinds).flatMap(([kind, count]) => {
    const name = Object.entries(r.kinds).find(([known]) => known === kind)?.[1] ?? kind
    return count === null || (count === 0 && kind !== 'input' && kind !== 'output') ? [] : [{ name, count }]
  })
  if (counted.length === 0) return <span className="text-ink-3">{r.notReported}</span>
  const all =
    reasoning === null || reasoning === 0 ? counted : [...counted, { name: t.columns.reasoning, count: reasoning }]
  return (
    <ul>
      {all.map(({ name, count }) => (
        <li key={name}>
          {format.number(count)} <span className="text-ink-3">{name}</span>
        </li>
      ))}
    </ul>
  )
}
