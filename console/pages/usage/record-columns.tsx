import { useMemo, type ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { formatMultiplier, isZero, longestPlaces, usualRoom } from '../../format/money.ts'
import { formatMoment } from '../../format/time.ts'
import { useFormat } from '../../format/use-format.ts'
import { usePreferences } from '../../preferences.ts'
import type { Column } from '../../table/column.ts'
import { columnsOf } from '../../table/columns-of.ts'
import { AlignedAmount } from '../../ui/aligned-amount.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { ExplainedCost } from '../../costs/explained-cost.tsx'
import { RecordOutcome } from './record-outcome.tsx'
import { useClientNames } from '../client-names.ts'
import { wireTitle } from '../../format/wire-names.ts'

/** A column for every field of a record; the reader chooses beyond the first ones. `records`: those that are listed. */
export function useRecordColumns(records: readonly UsageRecordView[] | undefined): readonly Column<UsageRecordView>[] {
  const t = useTexts('usage')
  const format = useFormat()
  const { language } = usePreferences()
  const costs = (records ?? []).map(({ cost }) => cost)
  const places = longestPlaces(costs)
  const room = usualRoom(costs.map(format.money), places)
  return useMemo(() => {
    const hidden = { isHiddenAtFirst: true } as const
    const hiddenNumber = { align: 'end', isHiddenAtFirst: true } as const
    const count = (value: number | null): ReactNode =>
      value === null ? <Nothing /> : <span className="whitespace-nowrap">{format.number(value)}</span>
    return columnsOf<UsageRecordView, keyof typeof t.columns>(t.columns, {
      time: {
        role: 'title',
        width: 'w-40',
        cell: (record) => (
          <time dateTime={record.created_at} title={format.second(record.created_at)} className="whitespace-nowrap">
            {formatMoment(record.created_at, language)}
          </time>
        ),
      },
      outcome: { width: 'w-52', onPhone: 'state', cell: (record) => <RecordOutcome record={record} /> },
      model: {
        isEmptyFor: ({ model }) => model === null,
        onPhone: 'plain',
        cell: (record) => <Name text={record.model} />,
      },
      key: { isEmptyFor: (record) => record.key_name === null, cell: (record) => <Name text={record.key_name} /> },
      group: { ...hidden, cell: (record) => <Name text={record.group} /> },
      input: {
        align: 'end',
        cell: ({ tokens }) =>
          count(wholeOf([tokens.input, tokens.cache_read, tokens.cache_write, tokens.cache_write_1h])),
      },
      cacheRead: { id: 'cache_read', ...hiddenNumber, cell: ({ tokens }) => count(tokens.cache_read) },
      cacheWrite: { id: 'cache_write', ...hiddenNumber, cell: ({ tokens }) => count(tokens.cache_write) },
      output: { align: 'end', cell: ({ tokens }) => count(tokens.output) },
      reasoning: { ...hiddenNumber, cell: ({ tokens }) => count(tokens.reasoning) },
      cost: {
        align: 'end',
        room,
        onPhone: 'plain',
        cell: (record) => (
          <ExplainedCost requestId={record.id} known={record}>
            <AlignedAmount
              shown={format.money(record.cost)}
              places={places}
              className={isZero(record.cost) ? 'text-ink-3' : 'font-medium'}
            />
          </ExplainedCost>
        ),
      },
      total: {
        align: 'end',
        cell: (record) => <span className="whitespace-nowrap">{format.duration(record.total_ms)}</span>,
      },
      firstByte: {
        id: 'first_byte',
        ...hiddenNumber,
        cell: ({ first_byte_ms: ms }) => (ms === null ? <Nothing /> : format.duration(ms)),
      },
      multiplier: {
        ...hiddenNumber,
        cell: ({ multiplier }) => (multiplier === null ? <Nothing /> : formatMultiplier(multiplier)),
      },
      serviceTier: { id: 'service_tier', ...hidden, cell: (record) => <Name text={record.service_tier} /> },
      status: { ...hiddenNumber, cell: (record) => record.http_status ?? <Nothing /> },
      protocol: { ...hidden, cell: ({ protocol }) => (protocol === null ? <Nothing /> : wireTitle(protocol)) },
      stream: { ...hidden, cell: ({ stream }) => (stream ? t.yes : t.no) },
      client: { ...hidden, cell: ({ client }) => <Client client={client} /> },
      attempts: { ...hiddenNumber, cell: ({ attempts }) => attempts.length },
      source: { ...hidden, cell: (record) => t.sources[record.usage_source] },
      id: { ...hidden, cell: ({ id }) => <code className="font-mono text-xs whitespace-nowrap">{id}</code> },
    })
  }, [t, format, language, places, room])
}

/** All of it; null when none of it was reported. */
function wholeOf(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null)
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0)
}

function Name({ text }: { readonly text: string | null }): ReactNode {
  if (text === null) return <Nothing />
  return <CutName text={text} className="max-w-44 max-lg:max-w-full" />
}

function Client({ client }: { readonly client: string | null }): ReactNode {
  const name = useClientNames()(client)
  return name === null ? <Nothing /> : <span title={client ?? undefined}>{name}</span>
}

function Nothing(): ReactNode {
  return <span className="text-ink-3">–</span>
}
