import { useMemo, type ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { type PageTexts, useTexts } from '../../dictionaries/texts.ts'
import { formatMultiplier, isZero, longestPlaces } from '../../format/money.ts'
import { formatMoment } from '../../format/time.ts'
import { useFormat, type Format } from '../../format/use-format.ts'
import { usePreferences } from '../../preferences.ts'
import type { Column } from '../../table/column.ts'
import { AlignedAmount } from '../../ui/aligned-amount.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CutName } from '../../ui/cut-name.tsx'
import { ExplainedCost } from '../../costs/explained-cost.tsx'
import { RecordOutcome } from './record-outcome.tsx'
import { useClientNames } from '../client-names.ts'
import { wireTitle } from '../../format/wire-names.ts'

type RecordColumn = Column<UsageRecordView>

/** A column for every field of a record; the reader chooses beyond the first ones. `records`: those that are listed. */
export function useRecordColumns(records: readonly UsageRecordView[] | undefined): readonly RecordColumn[] {
  const t = useTexts('usage')
  const format = useFormat()
  const { language } = usePreferences()
  const places = longestPlaces((records ?? []).map(({ cost }) => cost))
  return useMemo(
    () => [
      {
        id: 'time',
        header: t.columns.time,
        role: 'title',
        width: 'w-40',
        cell: (record) => (
          <time dateTime={record.created_at} title={format.second(record.created_at)} className="whitespace-nowrap">
            {formatMoment(record.created_at, language)}
          </time>
        ),
      },
      { id: 'outcome', header: t.columns.outcome, width: 'w-52', cell: (record) => <RecordOutcome record={record} /> },
      { id: 'model', header: t.columns.model, cell: (record) => <Name text={record.model} isCode /> },
      { id: 'key', header: t.columns.key, cell: (record) => <Name text={record.key_name} /> },
      { id: 'group', header: t.columns.group, cell: (record) => <Name text={record.group} />, isHiddenAtFirst: true },
      ...countColumns(t, format),
      {
        id: 'cost',
        header: t.columns.cost,
        align: 'end',
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
      ...otherColumns(t, format),
    ],
    [t, format, language, places],
  )
}

function countColumns(t: PageTexts['usage'], format: Format): readonly RecordColumn[] {
  const count = (id: keyof UsageRecordView['tokens'], header: string, isHiddenAtFirst: boolean): RecordColumn => ({
    id,
    header,
    align: 'end',
    isHiddenAtFirst,
    cell: (record) => <Count value={record.tokens[id]} format={format} />,
  })
  return [
    {
      id: 'input',
      header: t.columns.input,
      align: 'end',
      cell: ({ tokens }) => (
        <Count
          value={wholeOf([tokens.input, tokens.cache_read, tokens.cache_write, tokens.cache_write_1h])}
          format={format}
        />
      ),
    },
    count('cache_read', t.columns.cacheRead, true),
    count('cache_write', t.columns.cacheWrite, true),
    count('output', t.columns.output, false),
    count('reasoning', t.columns.reasoning, true),
  ]
}

function otherColumns(t: PageTexts['usage'], format: Format): readonly RecordColumn[] {
  return [
    {
      id: 'total',
      header: t.columns.total,
      align: 'end',
      cell: (record) => <span className="whitespace-nowrap">{format.duration(record.total_ms)}</span>,
    },
    {
      id: 'first_byte',
      header: t.columns.firstByte,
      align: 'end',
      isHiddenAtFirst: true,
      cell: ({ first_byte_ms: ms }) => (ms === null ? <Nothing /> : format.duration(ms)),
    },
    {
      id: 'multiplier',
      header: t.columns.multiplier,
      align: 'end',
      isHiddenAtFirst: true,
      cell: ({ multiplier }) => (multiplier === null ? <Nothing /> : formatMultiplier(multiplier)),
    },
    {
      id: 'service_tier',
      header: t.columns.serviceTier,
      isHiddenAtFirst: true,
      cell: ({ service_tier: tier }) => <Name text={tier} />,
    },
    {
      id: 'status',
      header: t.columns.status,
      align: 'end',
      isHiddenAtFirst: true,
      cell: ({ http_status: status }) => status ?? <Nothing />,
    },
    {
      id: 'protocol',
      header: t.columns.protocol,
      isHiddenAtFirst: true,
      cell: ({ protocol }) => (protocol === null ? <Nothing /> : wireTitle(protocol)),
    },
    { id: 'stream', header: t.columns.stream, isHiddenAtFirst: true, cell: ({ stream }) => (stream ? t.yes : t.no) },
    { id: 'client', header: t.columns.client, isHiddenAtFirst: true, cell: ({ client }) => <Client client={client} /> },
    {
      id: 'attempts',
      header: t.columns.attempts,
      align: 'end',
      isHiddenAtFirst: true,
      cell: ({ attempts }) => attempts.length,
    },
    {
      id: 'source',
      header: t.columns.source,
      isHiddenAtFirst: true,
      cell: ({ usage_source: source }) => t.sources[source],
    },
    {
      id: 'id',
      header: t.columns.id,
      isHiddenAtFirst: true,
      cell: ({ id }) => <code className="font-mono text-xs whitespace-nowrap">{id}</code>,
    },
  ]
}

/** All of it; null when none of it was reported. */
function wholeOf(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null)
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0)
}

function Count({ value, format }: { readonly value: number | null; readonly format: Format }): ReactNode {
  return value === null ? <Nothing /> : <span className="whitespace-nowrap">{format.number(value)}</span>
}

function Name({ text, isCode = false }: { readonly text: string | null; readonly isCode?: boolean }): ReactNode {
  if (text === null) return <Nothing />
  return (
    <CutName
      text={text}
      className={classNames('max-lg:max-w-full', isCode ? 'max-w-48 font-mono text-sm' : 'max-w-44')}
    />
  )
}

function Client({ client }: { readonly client: string | null }): ReactNode {
  const name = useClientNames()(client)
  return name === null ? <Nothing /> : <span title={client ?? undefined}>{name}</span>
}

function Nothing(): ReactNode {
  return <span className="text-ink-3">–</span>
}
