import { Link } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import type { UsageRecordView } from '../../../../src/contract/usage.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { nanoOf, usdOf } from '../../../format/decimal.ts'
import { longestPlaces } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import type { Column } from '../../../table/column.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { CutName } from '../../../ui/cut-name.tsx'
import { FaultCode } from '../../../ui/fault-code.tsx'
import { ExplainedCost } from '../../../costs/explained-cost.tsx'
import { useRecordColumns } from '../../usage/record-columns.tsx'
import { PlainOutcome } from '../../usage/record-outcome.tsx'

/** The columns of a user's list of requests that say something about providers. */
const CHOSEN_LATER = ['input', 'cache_read', 'output', 'first_byte', 'attempts', 'status', 'protocol', 'client']

/** The columns of the newest requests of all accounts, which are `records`. */
export function useLatestColumns(records: readonly UsageRecordView[] | undefined): readonly Column<UsageRecordView>[] {
  const ofRecords = useRecordColumns(records)
  const { live: t, columns } = useTexts('requests')
  const format = useFormat()
  const places = longestPlaces(
    (records ?? []).flatMap((record) =>
      [record.cost, record.provider_cost, marginOf(record)].filter((amount) => amount !== null),
    ),
  )
  return useMemo((): readonly Column<UsageRecordView>[] => {
    const amount = (usd: string | null): ReactNode =>
      usd === null ? (
        <span className="text-ink-3">–</span>
      ) : (
        <AlignedAmount
          shown={format.money(usd)}
          places={places}
          title={format.exactMoney(usd)}
          className={usd.startsWith('-') ? 'text-bad' : ''}
        />
      )
    return [
      {
        id: 'time',
        header: t.time,
        role: 'title',
        // Day and time below each other where the names beside them need the width, and never more lines.
        cell: ({ created_at: at }) => (
          <span className="inline-block text-sm [overflow-wrap:normal] break-keep lg:min-w-26 lg:max-2xl:max-w-28">
            {format.second(at)}
          </span>
        ),
      },
      { id: 'account', header: t.account, cell: (record) => <AccountLink record={record} /> },
      { id: 'model', header: t.model, cell: (record) => <ModelAndKey record={record} /> },
      {
        id: 'upstream',
        header: t.upstream,
        cell: ({ attempts }) => (
          <CutName text={attempts.at(-1)?.upstream ?? '–'} className="max-w-28 max-lg:max-w-full 2xl:max-w-48" />
        ),
      },
      {
        id: 'outcome',
        header: t.outcome,
        cell: (record) =>
          record.fault === null ? (
            <span className="[overflow-wrap:anywhere]">
              <PlainOutcome record={record} />
            </span>
          ) : (
            <FaultCode code={record.fault} />
          ),
      },
      {
        id: 'total',
        header: t.total,
        align: 'end',
        cell: ({ total_ms: ms }) => <span className="text-sm whitespace-nowrap text-ink-3">{format.duration(ms)}</span>,
      },
      {
        id: 'charged',
        header: columns.charged,
        align: 'end',
        cell: (record) => (
          <ExplainedCost requestId={record.id} known={record}>
            <AlignedAmount shown={format.money(record.cost)} places={places} />
          </ExplainedCost>
        ),
      },
      { id: 'cost', header: columns.cost, align: 'end', cell: ({ provider_cost: cost }) => amount(cost) },
      { id: 'margin', header: columns.margin, align: 'end', cell: (record) => amount(marginOf(record)) },
      ...ofRecords
        .filter(({ id }) => CHOSEN_LATER.includes(id))
        .map((column) => ({ ...column, isHiddenAtFirst: true })),
    ]
  }, [t, columns, format, ofRecords, places])
}

/** USD; null: what the provider takes is not known. */
function marginOf({ cost, provider_cost: providerCost }: UsageRecordView): string | null {
  return providerCost === null ? null : usdOf(nanoOf(cost) - nanoOf(providerCost))
}

function AccountLink({ record }: { readonly record: UsageRecordView }): ReactNode {
  return (
    <Link
      to={ADMIN_PATHS.account}
      params={{ accountId: record.account_id }}
      className="inline-block min-h-6 max-w-full text-accent hover:underline"
    >
      <CutName text={record.account_email ?? record.account_id} className="max-w-36 max-lg:max-w-full 2xl:max-w-64" />
    </Link>
  )
}

function ModelAndKey({ record }: { readonly record: UsageRecordView }): ReactNode {
  const about = [record.key_name, record.group].filter((name) => name !== null).join(' · ')
  return (
    <span className="block [overflow-wrap:anywhere]">
      <span className="font-mono text-sm">{record.model ?? '–'}</span>
      <span className="block text-sm text-ink-3">{about}</span>
    </span>
  )
}
